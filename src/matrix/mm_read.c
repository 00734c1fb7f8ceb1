/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads matrices and vectors from Matrix Market files. */
#include "core/ctx_impl.h"
#include "core/mem.h"
#include "matrix/mm_entries.h"
#include "matrix/mm_file.h"
#include "matrix/stash.h"
#include "matrix/vec_impl.h"

#include <fcntl.h>
#include <ovkrylov/io.h>
#include <stdlib.h>
#include <string.h>

/* Opens a file and reads its head. Collective; errors are agreed, and leave nothing open. */
static ovk_err open_file(ovk_ctx *ctx, const char *path, ovk__mm_lines *lines,
                         ovk__mm_header *header)
{
  OVK_TRY(ovk__mm_check_path(ctx, path));
  OVK_TRY(ovk__mm_probe(ctx, path, O_RDONLY));
  ovk_err err = ovk__agree(ctx, ovk__mm_lines_open(ctx, path, lines));
  if (!err) err = ovk__mm_header_read(lines, header);
  if (err) ovk__mm_lines_close(lines);
  return err;
}

static ovk_err create_matrix(ovk_ctx *ctx, const char *path, const ovk__mm_header *header,
                             ovk_mat **A)
{
  OVK_CHECK(header->object == OVK__MM_MATRIX, ctx, OVK_ERR_ARG,
            "%s:1: this is a vector, not a matrix", path);
  OVK_CHECK(header->rows == header->cols, ctx, OVK_ERR_ARG,
            "%s:%lld: not square: %lld rows, %lld columns", path, (long long)header->lines,
            (long long)header->rows, (long long)header->cols);
  ovk_lidx nlocal;
  OVK_TRY(ovk__layout_even(ctx, header->rows, &nlocal));
  return ovk_mat_create(ctx, nlocal, A);
}

static ovk_err add_to_matrix(void *A, ovk_gidx i, ovk_gidx j, double value)
{
  return ovk_mat_add(A, i, j, value);
}

/* All but the assembly; after a failure *A may be half filled. */
static ovk_err read_matrix(ovk_ctx *ctx, const char *path, const char *format, ovk_mat **A)
{
  ovk__mm_lines lines;
  ovk__mm_header header;
  OVK_TRY(open_file(ctx, path, &lines, &header));
  ovk_err err = create_matrix(ctx, path, &header, A);
  if (!err) err = ovk_mat_set_format(*A, format ? format : "auto");
  if (!err) err = ovk__mm_entries_read(&lines, &header, add_to_matrix, *A);
  ovk__mm_lines_close(&lines);
  return err;
}

ovk_err ovk_mat_read_mm_format(ovk_ctx *ctx, const char *path, const char *format, ovk_mat **out)
{
  OVK_CHECK(ctx, NULL, OVK_ERR_ARG, "ctx is NULL");
  OVK_TRY(ovk__agree(ctx, out ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_ARG, "out is NULL")));
  *out = NULL;
  const double start = MPI_Wtime();
  ovk_mat *A = NULL;
  ovk_err err = read_matrix(ctx, path, format, &A);
  ovk__log_add(&ctx->log, OVK_EVENT_READ, start);
  if (!err) err = ovk_mat_assemble(A);
  if (err) ovk_mat_destroy(&A);
  *out = A;
  return err;
}

ovk_err ovk_mat_read_mm(ovk_ctx *ctx, const char *path, ovk_mat **out)
{
  return ovk_mat_read_mm_format(ctx, path, NULL, out);
}

/* A vector's rows on their way to their ranks. */
typedef struct delivery {
  ovk_vec *v;
  ovk__stash own, off;
} delivery;

static ovk_err add_to_rows(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  delivery *rows = arg;
  const ovk__layout *layout = &rows->v->layout;
  const bool own = i >= layout->first && i - layout->first < layout->local;
  return ovk__stash_add(rows->v->ctx, own ? &rows->own : &rows->off, (ovk__entry){i, j, value});
}

/* Sends all rows where they belong. Collective; errors are agreed. */
static ovk_err deliver(delivery *rows)
{
  ovk_ctx *ctx = rows->v->ctx;
  ovk_gidx *first = ovk__array((size_t)ctx->size + 1, sizeof *first);
  ovk_err err = ovk__agree(
      ctx, first ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d ranks", ctx->size));
  if (!err) err = ovk__layout_gather(ctx, &rows->v->layout, first);
  if (!err) err = ovk__stash_exchange(ctx, first, &rows->off, &rows->own);
  free(first);
  return err;
}

/* Repeated entries sum; an array has none, and keeps -0. */
static void fill(const delivery *rows, ovk__mm_format format)
{
  ovk_vec *v = rows->v;
  if (v->layout.local) memset(v->array, 0, (size_t)v->layout.local * sizeof *v->array);
  for (size_t k = 0; k < rows->own.count; k++) {
    const ovk__entry *entry = &rows->own.entries[k];
    double *x = &v->array[entry->row - v->layout.first];
    *x = format == OVK__MM_ARRAY ? entry->value : *x + entry->value;
  }
}

static ovk_err read_rows(ovk__mm_lines *lines, const ovk__mm_header *header, delivery *rows)
{
  const char *path = lines->path;
  ovk_ctx *ctx = rows->v->ctx;
  const ovk_gidx size = rows->v->layout.global;
  OVK_CHECK(header->cols == 1, ctx, OVK_ERR_ARG, "%s:%lld: a vector has 1 column, not %lld", path,
            (long long)header->lines, (long long)header->cols);
  OVK_CHECK(header->rows == size, ctx, OVK_ERR_ARG, "%s:%lld: has %lld rows, the vector %lld", path,
            (long long)header->lines, (long long)header->rows, (long long)size);
  OVK_TRY(ovk__mm_entries_read(lines, header, add_to_rows, rows));
  return deliver(rows);
}

static ovk_err read_vector(ovk_vec *v, const char *path)
{
  ovk__mm_lines lines;
  ovk__mm_header header;
  OVK_TRY(open_file(v->ctx, path, &lines, &header));
  delivery rows = {.v = v};
  const ovk_err err = read_rows(&lines, &header, &rows);
  if (!err) fill(&rows, header.format);
  ovk__stash_clear(&rows.own);
  ovk__stash_clear(&rows.off);
  ovk__mm_lines_close(&lines);
  return err;
}

ovk_err ovk_vec_read_mm(ovk_vec *v, const char *path)
{
  OVK_CHECK(v, NULL, OVK_ERR_ARG, "v is NULL");
  const double start = MPI_Wtime();
  const ovk_err err = read_vector(v, path);
  ovk__log_add(&v->ctx->log, OVK_EVENT_READ, start);
  return err;
}
