/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads vectors from Matrix Market files: the columns of a file, or its only one. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/assembly/stash.h"
#include "matrix/io/mm_entries.h"
#include "matrix/mat_impl.h"
#include "matrix/vector/multivec_impl.h"
#include "matrix/vector/vec_impl.h"

#include <limits.h>
#include <ovkrylov/io.h>
#include <stdlib.h>

/* Entries of columns, by the rank that parses them. */
typedef struct parsed {
  ovk_ctx *ctx;
  ovk__stash entries;
} parsed;

static ovk_err parsed_keep(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  parsed *p = arg;
  return ovk__stash_add(p->ctx, &p->entries, (ovk__entry){i, j, value});
}

/* Repeated entries are summed in the order of the file; an array has none, and its -0 are kept. */
static void mm_columns_fill(const ovk__layout *layout, const ovk__neighbor_messages *arrived,
                            const ovk__mm_header *header, double *columns)
{
  const int64_t n = layout->local;
  const ovk__entry *entry = arrived->items;
  for (int64_t i = 0; i < n * header->cols; i++) columns[i] = 0;
  for (size_t k = 0; k < arrived->total; k++, entry++) {
    double *x = &columns[entry->col * n + (entry->row - layout->first)];
    *x = header->format == OVK__MM_ARRAY ? entry->value : *x + entry->value;
  }
}

static ovk_err mm_columns_check_rows(const ovk__layout *layout, const ovk__mm_lines *lines,
                                     const ovk__mm_header *header, const char *of)
{
  OVK_CHECK(header->rows == layout->global, lines->ctx, OVK_ERR_ARG,
            "%s:%lld: has %lld rows, the %s %lld", lines->path, (long long)header->lines,
            (long long)header->rows, of, (long long)layout->global);
  return OVK_OK;
}

/* columns <- the columns of the file, one after the other. Each rank parses a share of the file and
 * sends its entries to their ranks. */
static ovk_err mm_columns_read(ovk__mm_lines *lines, const ovk__mm_header *header,
                               const ovk__layout *layout, double *columns)
{
  parsed p = {.ctx = lines->ctx};
  ovk__neighbor_messages arrived = {0};
  ovk_gidx *first = NULL;
  ovk_err err = ovk__mm_entries_read(lines, header, parsed_keep, &p);
  if (!err) err = ovk__layout_gather(p.ctx, layout, &first);
  if (!err) err = ovk__stash_exchange(p.ctx, OVK_OK, first, &p.entries, &arrived);
  if (!err) mm_columns_fill(layout, &arrived, header, columns);
  ovk__stash_clear(&p.entries);
  ovk__neighbor_messages_free(&arrived);
  free(first);
  return err;
}

static ovk_err mm_vector_read(void *object, ovk__mm_lines *lines, const ovk__mm_header *header)
{
  ovk_vec *v = object;
  OVK_CHECK(header->cols == 1, v->ctx, OVK_ERR_ARG, "%s:%lld: a vector has 1 column, not %lld",
            lines->path, (long long)header->lines, (long long)header->cols);
  OVK_TRY(mm_columns_check_rows(&v->layout, lines, header, "vector"));
  return mm_columns_read(lines, header, &v->layout, v->array);
}

ovk_err ovk_vec_read_mm(ovk_vec *v, const char *path)
{
  OVK_CHECK(v, NULL, OVK_ERR_ARG, "v is NULL");
  return ovk__mm_read(v->ctx, path, mm_vector_read, v);
}

static ovk_err mm_multivec_fill(ovk__mm_lines *lines, const ovk__mm_header *header, ovk_multivec *X,
                                double **columns)
{
  const ovk_lidx n = X->layout.local;
  ovk_err err = OVK_OK;
  *columns = ovk__array((size_t)n * (size_t)X->columns, sizeof **columns);
  if (!*columns) {
    err = OVK_FAIL(lines->ctx, OVK_ERR_MEMORY, "no memory for %d columns of %d rows", X->columns,
                   (int)n);
  }
  OVK_TRY(ovk__agree(lines->ctx, err));
  OVK_TRY(mm_columns_read(lines, header, &X->layout, *columns));
  return ovk__agree(lines->ctx, ovk_multivec_set(X, 0, X->columns, *columns, n));
}

/* A multivector to read, for the rows of A. */
typedef struct mm_multivec {
  const ovk_mat *A;
  ovk_multivec *X;
} mm_multivec;

static ovk_err mm_multivec_read(void *object, ovk__mm_lines *lines, const ovk__mm_header *header)
{
  mm_multivec *m = object;
  double *columns = NULL;
  OVK_CHECK(header->cols >= 1 && header->cols <= INT_MAX, lines->ctx, OVK_ERR_ARG,
            "%s:%lld: has %lld columns, but there must be 1 to %d", lines->path,
            (long long)header->lines, (long long)header->cols, INT_MAX);
  OVK_TRY(mm_columns_check_rows(&m->A->layout, lines, header, "matrix"));
  OVK_TRY(ovk_mat_create_multivec(m->A, (int)header->cols, &m->X));
  const ovk_err err = mm_multivec_fill(lines, header, m->X, &columns);
  free(columns);
  return err;
}

ovk_err ovk_multivec_read_mm(const ovk_mat *A, const char *path, ovk_multivec **out)
{
  OVK_CHECK(A, NULL, OVK_ERR_ARG, "A is NULL");
  OVK_CHECK_ALL(out, A->ctx, OVK_ERR_ARG, "out is NULL");
  mm_multivec m = {.A = A};
  const ovk_err err = ovk__mm_read(A->ctx, path, mm_multivec_read, &m);
  if (err) ovk_multivec_destroy(&m.X);
  *out = m.X;
  return err;
}
