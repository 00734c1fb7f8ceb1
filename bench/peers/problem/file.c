/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a matrix in a Matrix Market file. The library reads any kind of such file and writes
 * it as a plain list of entries ordered by rows; each rank takes its rows from that list. */
#include "file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 256 };

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

/* One entry of the list, counted from 1. */
static bool read_entry(FILE *file, ovk_gidx *i, ovk_gidx *j, double *value)
{
  char line[LINE], *end;
  if (!fgets(line, sizeof line, file)) return false;
  *i = strtoll(line, &end, 10);
  *j = strtoll(end, &end, 10);
  *value = strtod(end, &end);
  return true;
}

/* Counts the entries and the longest of this rank's rows, and returns to the first entry. */
static int longest_row(FILE *file, const block *b)
{
  const long start = ftell(file);
  ovk_gidx i, j, before = -1;
  double value;
  int longest = 0, length = 0;
  while (read_entry(file, &i, &j, &value)) {
    if (i <= b->first || i > b->first + b->rows) continue;
    length = i == before ? length + 1 : 1;
    if (length > longest) longest = length;
    before = i;
  }
  fseek(file, start, SEEK_SET);
  return longest;
}

static ovk_err take_rows(ovk_ctx *ctx, FILE *file, block *b)
{
  char line[LINE];
  ovk_gidx i, j, before = 0;
  double value;
  for (int k = 0; k < 2; k++) { /* the heading and the sizes */
    if (!fgets(line, sizeof line, file)) return ovk_ctx_fail(ctx, OVK_ERR_IO, "the list is empty");
  }
  TRY(block_create(ctx, b->first, b->size, b->rows, longest_row(file, b), b));
  while (read_entry(file, &i, &j, &value)) {
    if (i < before) return ovk_ctx_fail(ctx, OVK_ERR_INTERNAL, "the list is not sorted by rows");
    before = i;
    if (i <= b->first || i > b->first + b->rows) continue;
    block_begin_rows(b, (ovk_lidx)(i - b->first));
    block_add(b, j - 1, value);
  }
  block_begin_rows(b, b->rows);
  return OVK_OK;
}

static ovk_err write_list(ovk_ctx *ctx, const char *path, const char *list, block *b)
{
  ovk_mat *A = NULL;
  TRY(ovk_mat_read_mm(ctx, path, "csr", &A));
  *b = (block){
      .first = ovk_mat_row_begin(A), .size = ovk_mat_size(A), .rows = ovk_mat_local_size(A)};
  const ovk_err err = ovk_mat_nnz(A) > INT_MAX
                          ? ovk_ctx_fail(ctx, OVK_ERR_RANGE, "%s has too many entries", path)
                          : ovk_mat_write_mm(A, list);
  ovk_mat_destroy(&A);
  return err;
}

ovk_err file_rows(ovk_ctx *ctx, const char *path, block *out)
{
  char list[] = "/tmp/ovk_peers_XXXXXX";
  if (ovk_ctx_rank(ctx) == 0) {
    const int made = mkstemp(list);
    if (made >= 0) close(made);
  }
  MPI_Bcast(list, sizeof list, MPI_CHAR, 0, MPI_COMM_WORLD);
  ovk_err err = write_list(ctx, path, list, out);
  FILE *file = err ? NULL : fopen(list, "r");
  if (file) {
    err = take_rows(ctx, file, out);
    fclose(file);
  } else if (!err) {
    err = ovk_ctx_fail(ctx, OVK_ERR_IO, "cannot read %s", list);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (ovk_ctx_rank(ctx) == 0) remove(list);
  return err;
}
