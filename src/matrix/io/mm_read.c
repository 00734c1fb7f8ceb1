/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads matrices from Matrix Market files. */
#include "core/context/agree.h"
#include "core/memory_limit.h"
#include "matrix/io/mm_entries.h"
#include "matrix/mat_impl.h"

#include <ovkrylov/io.h>
#include <stdbool.h>
#include <stdio.h>

static ovk_err check_shape(ovk_ctx *ctx, const char *path, const ovk__mm_header *header)
{
  OVK_CHECK(header->object == OVK__MM_MATRIX, ctx, OVK_ERR_ARG,
            "%s:1: this is a vector, not a matrix", path);
  OVK_CHECK(header->rows == header->cols, ctx, OVK_ERR_ARG,
            "%s:%lld: not square: %lld rows, %lld columns", path, (long long)header->lines,
            (long long)header->rows, (long long)header->cols);
  return OVK_OK;
}

/* A nonsingular matrix has an entry in each row; with a symmetry, one entry in the file may be two.
 */
static bool has_empty_rows(const ovk__mm_header *header)
{
  const int64_t n = header->rows;
  if (header->format == OVK__MM_ARRAY) return false;
  return header->entries < (header->symmetry == OVK__MM_GENERAL ? n : n / 2 + n % 2);
}

/* Whether the file is too short: an entry takes at least two bytes, except for the newline of the
 * last. */
static bool is_cut_off(const ovk__mm_header *header)
{
  return header->entries > (header->size - header->data) / 2 + 1;
}

/* Checks the memory for row pointers and entries; not for an array's, as its zeros are skipped. */
static ovk_err mm_read_check_room(ovk_ctx *ctx, const char *path, const ovk__mm_header *header)
{
  char what[OVK__MESSAGE_SIZE / 2];
  const double rows = (double)header->rows, entries = (double)header->entries;
  const bool array = header->format == OVK__MM_ARRAY, general = header->symmetry == OVK__MM_GENERAL;
  const double stored = array ? 0 : general || entries < rows ? entries : 2 * entries - rows;
  const double all = rows * sizeof(int64_t) + stored * (sizeof(ovk_lidx) + sizeof(double));
  snprintf(what, sizeof what, "%s:%lld: %lld rows, %lld entries", path, (long long)header->lines,
           (long long)header->rows, (long long)header->entries);
  return ovk__memory_check(ctx, what, all / ovk_ctx_size(ctx), all);
}

static ovk_err mm_read_ignore(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  (void)arg, (void)i, (void)j, (void)value;
  return OVK_OK;
}

/* A matrix that will be refused is not stored, since a few bytes can announce any number of rows.
 * But its lines are parsed, as the error of a bad line is more helpful. */
static ovk_err mm_read_refuse(const char *path, ovk__mm_lines *lines, const ovk__mm_header *header)
{
  OVK_TRY(ovk__mm_entries_read(lines, header, mm_read_ignore, NULL));
  return OVK_FAIL(lines->ctx, OVK_ERR_ARG,
                  "%s:%lld: singular: %lld rows, but %lld entries%s, so that some rows have none",
                  path, (long long)header->lines, (long long)header->rows,
                  (long long)header->entries,
                  header->symmetry == OVK__MM_GENERAL ? "" : " and those that symmetry implies");
}

static ovk_err add_to_matrix(void *A, ovk_gidx i, ovk_gidx j, double value)
{
  return ovk_mat_add(A, i, j, value);
}

/* A matrix to read. */
typedef struct mm_matrix {
  const char *format;
  ovk_mat *A; /* after a failure it may be partly filled */
} mm_matrix;

/* Reads all entries without assembling. */
static ovk_err mm_read_matrix(void *object, ovk__mm_lines *lines, const ovk__mm_header *header)
{
  mm_matrix *m = object;
  ovk_ctx *ctx = lines->ctx;
  const char *path = lines->path;
  ovk_lidx nlocal;
  OVK_TRY(check_shape(ctx, path, header));
  if (has_empty_rows(header) || is_cut_off(header)) return mm_read_refuse(path, lines, header);
  OVK_TRY(ovk__layout_even(ctx, header->rows, &nlocal));
  OVK_TRY(mm_read_check_room(ctx, path, header));
  OVK_TRY(ovk_mat_create(ctx, nlocal, &m->A));
  OVK_TRY(ovk_mat_set_format(m->A, m->format ? m->format : "auto"));
  return ovk__mm_entries_read(lines, header, add_to_matrix, m->A);
}

ovk_err ovk_mat_read_mm(ovk_ctx *ctx, const char *path, const char *format, ovk_mat **out)
{
  OVK_CHECK(ctx, NULL, OVK_ERR_ARG, "ctx is NULL");
  OVK_CHECK_ALL(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  mm_matrix m = {.format = format};
  ovk_err err = ovk__mm_read(ctx, path, mm_read_matrix, &m);
  if (!err) err = ovk_mat_assemble(m.A);
  if (err) ovk_mat_destroy(&m.A);
  *out = m.A;
  return err;
}
