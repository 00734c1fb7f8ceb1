/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole Matrix Market files: a file is refused with a message that names one of its lines, or the
 * result equals that of a simple reader, and is written and read again with the same bits. */
#include "matrix/mat_impl.h"
#include "support/fuzz/mm_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 16 }; /* of a vector that is created before the file is read */

/* Entries of a matrix, in their order. */
typedef struct list {
  size_t n, room;
  struct {
    ovk_gidx i, j;
    double value;
  } * at;
} list;

static ovk_err take(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  list *l = arg;
  if (l->n == l->room) {
    l->room = 2 * l->room + 16;
    l->at = realloc(l->at, l->room * sizeof *l->at);
    FUZZ_CHECK(l->at, "no memory");
  }
  l->at[l->n].i = i;
  l->at[l->n].j = j;
  l->at[l->n++].value = value;
  return OVK_OK;
}

static list entries_of(const ovk_mat *A)
{
  list l = {0};
  FUZZ_CHECK(ovk__mat_for_each_entry(A, take, &l) == OVK_OK, "no entries");
  int64_t nnz = (int64_t)l.n;
  MPI_Allreduce(MPI_IN_PLACE, &nnz, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  FUZZ_CHECK(nnz == ovk_mat_nnz(A), "%lld entries", (long long)nnz);
  return l;
}

/* Text keeps only the sign of a NaN. */
static bool same(double a, double b)
{
  if (isnan(a) && isnan(b)) return !signbit(a) == !signbit(b);
  return memcmp(&a, &b, sizeof a) == 0;
}

/* Duplicates are in the order of the file on one rank only. */
static void check_entries(const ovk_mat *A, const uint8_t *data, size_t size)
{
  SCOPED(entries_free) entries expected = mm_reference_read(data, size);
  const int count = expected.count;
  entries_merge(&expected);
  if (ovk_ctx_size(fuzz_ctx()) == 1 || expected.count == count) {
    list found = entries_of(A);
    int k = 0;
    FUZZ_CHECK(ovk_mat_nnz(A) == expected.count, "%lld entries, not %d", (long long)ovk_mat_nnz(A),
               expected.count);
    while (k < expected.count && expected.at[k].i < ovk_mat_row_begin(A)) k++;
    for (size_t f = 0; f < found.n; f++, k++)
      FUZZ_CHECK(k < expected.count && found.at[f].i == expected.at[k].i &&
                     found.at[f].j == expected.at[k].j &&
                     entries_same(found.at[f].value, expected.at[k].value),
                 "(%lld, %lld) is %.17g", (long long)found.at[f].i, (long long)found.at[f].j,
                 found.at[f].value);
    free(found.at);
  }
}

static void check_write_mat(const ovk_mat *A)
{
  const char *path = fuzz_path(1);
  scoped_mat *B = NULL;
  FUZZ_CHECK(ovk_mat_write_mm(A, path) == OVK_OK, "not written");
  if (ovk_mat_nnz(A) < ovk_mat_size(A)) { /* of an array, or of repeated entries */
    FUZZ_CHECK(ovk_mat_read_mm(fuzz_ctx(), path, NULL, &B) == OVK_ERR_ARG,
               "singular, but read again");
    return;
  }
  const ovk_err err = ovk_mat_read_mm(fuzz_ctx(), path, "csr", &B);
  if (ovk_mat_nnz(A) < ovk_mat_size(A)) { /* duplicates had hidden that rows have no entries */
    FUZZ_CHECK(err == OVK_ERR_ARG, "a singular matrix: %s", ovk_err_name(err));
    fuzz_refused(err);
    return;
  }
  FUZZ_CHECK(err == OVK_OK, "not read again");
  FUZZ_CHECK(ovk_mat_size(A) == ovk_mat_size(B), "%lld rows", (long long)ovk_mat_size(B));
  list a = entries_of(A), b = entries_of(B);
  FUZZ_CHECK(a.n == b.n, "%zu entries, then %zu", a.n, b.n);
  for (size_t k = 0; k < a.n; k++)
    FUZZ_CHECK(a.at[k].i == b.at[k].i && a.at[k].j == b.at[k].j &&
                   same(a.at[k].value, b.at[k].value),
               "entry %zu: (%lld, %lld) %.17g", k, (long long)b.at[k].i, (long long)b.at[k].j,
               b.at[k].value);
  free(a.at);
  free(b.at);
}

static void check_write_vec(const ovk_vec *v)
{
  const char *path = fuzz_path(1);
  const ovk_lidx n = ovk_vec_local_size(v);
  scoped_vec *w = NULL;
  FUZZ_CHECK(ovk_vec_create(fuzz_ctx(), n, &w) == OVK_OK, "no vector");
  FUZZ_CHECK(ovk_vec_write_mm(v, path) == OVK_OK, "not written");
  FUZZ_CHECK(ovk_vec_read_mm(w, path) == OVK_OK, "not read again");
  for (ovk_lidx i = 0; i < n; i++)
    FUZZ_CHECK(same(ovk_vec_array_const(v)[i], ovk_vec_array_const(w)[i]), "row %d", i);
}

/* The message names the file, and a line of it, or the line after the last. */
static void check_refusal(ovk_err err, const uint8_t *data, size_t size)
{
  const char *message = fuzz_refused(err), *path = strstr(message, fuzz_path(0));
  int lines = 1;
  for (size_t k = 0; k < size; k++) lines += data[k] == '\n';
  if (err == OVK_ERR_MEMORY || err == OVK_ERR_RANGE) return;
  FUZZ_CHECK(path, "names no file: %s", message);
  int line = 0;
  if (sscanf(path + strlen(fuzz_path(0)), ":%d:", &line) == 1)
    FUZZ_CHECK(line >= 1 && line <= lines, "line %d of %d: %s", line, lines, message);
}

/* The number at the start of the first line that has one there: if the file is a good one, its
 * rows.
 */
static long long claimed_rows(const uint8_t *data, size_t size)
{
  const uint8_t *end = data + size;
  for (const uint8_t *at = data, *next; at < end; at = next) {
    const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
    next = newline ? newline + 1 : end;
    char line[256];
    long long rows;
    snprintf(line, sizeof line, "%.*s", (int)(next - at), (const char *)at);
    if (sscanf(line, "%lld", &rows) == 1) return rows;
  }
  return 0;
}

static void check_matrix(const char *path, const uint8_t *data, size_t size)
{
  scoped_mat *A = NULL;
  const ovk_err err = ovk_mat_read_mm(fuzz_ctx(), path, "csr", &A);
  FUZZ_CHECK((err == OVK_OK) == (A != NULL), "no matrix");
  if (err) {
    check_refusal(err, data, size);
  } else {
    check_entries(A, data, size);
    check_write_mat(A);
  }
}

static void check_vector(const char *path, const uint8_t *data, size_t size, ovk_lidx rows)
{
  scoped_vec *v = NULL;
  FUZZ_CHECK(ovk_vec_create(fuzz_ctx(), fuzz_share(rows), &v) == OVK_OK, "no vector");
  const ovk_err err = ovk_vec_read_mm(v, path);
  if (err) {
    check_refusal(err, data, size);
  } else {
    check_write_vec(v);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const long long rows = claimed_rows(data, size);
  const char *path = fuzz_file(data, size);
  check_matrix(path, data, size);
  check_vector(path, data, size, rows < 0 || rows > MOST_ROWS ? 0 : (ovk_lidx)rows);
  return 0;
}
