/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "sell": rows sorted by length within windows, see sell_windows.h. Columns are counted
 * from the lowest one of their window, in 16 bits if all of them fit. The format suits short rows
 * of several lengths. */
#include "matrix/formats/cost.h"
#include "matrix/formats/format.h"
#include "matrix/formats/narrow.h"
#include "matrix/formats/sell/sell_rectangle.h"

#include <stdlib.h>

static void sell_destroy(void *self)
{
  ovk__sell *b = self;
  if (!b) return;
  ovk__windows_free(&b->windows);
  free(b->origin);
  ovk__entries_free(&b->entries);
  free(b);
}

/* The lowest column of rows first to end - 1, and the distance of the highest from it. */
static ovk_lidx sell_lowest_column(const ovk__csr *A, ovk_lidx first, ovk_lidx end, ovk_lidx *span)
{
  ovk_lidx lowest = INT32_MAX, highest = 0;
  for (ovk_lidx i = first; i < end; i++) {
    if (A->ptr[i] == A->ptr[i + 1]) continue;
    const ovk_lidx left = A->col[A->ptr[i]], right = A->col[A->ptr[i + 1] - 1];
    if (left < lowest) lowest = left;
    if (right > highest) highest = right;
  }
  *span = lowest <= highest ? highest - lowest : 0;
  return lowest <= highest ? lowest : first;
}

/* Whether columns fit in 16 bits; the lowest column of each window goes to `origin` unless that is
 * NULL. */
static bool sell_is_near(const ovk__csr *A, ovk_lidx *origin)
{
  ovk_lidx span, widest = 0;
  for (ovk_lidx first = 0, end, k = 0; first < A->rows; first = end, k++) {
    end = A->rows - first < OVK__SORT_WINDOW ? A->rows : first + OVK__SORT_WINDOW;
    const ovk_lidx lowest = sell_lowest_column(A, first, end, &span);
    if (origin) origin[k] = lowest;
    if (span > widest) widest = span;
  }
  return widest <= UINT16_MAX;
}

static ovk_err sell_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *self)
{
  ovk__sell *b = self;
  (void)ctx;
  ovk__entries_refill(A, first, &b->windows, &b->entries);
  return OVK_OK;
}

static ovk_err sell_fill(ovk_ctx *ctx, ovk__csr *A, const ovk_lidx *length, ovk__sell *b)
{
  ovk__windows *w = &b->windows;
  OVK_TRY(ovk__windows_make(ctx, A->rows, length, OVK__SELL_CHUNK_HEIGHT, w));
  OVK_NEW_ARRAY(ctx, b->origin, w->n);
  const bool near = sell_is_near(A, b->origin);
  return ovk__entries_make(ctx, A, w, b->origin, near, &b->entries);
}

static ovk_err sell_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **out)
{
  (void)exact;
  ovk_lidx *length;
  OVK_NEW_ARRAY(ctx, length, A->rows);
  for (ovk_lidx i = 0; i < A->rows; i++) length[i] = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  ovk__sell *b = *out = calloc(1, sizeof *b);
  const ovk_err err = b ? sell_fill(ctx, A, length, b)
                        : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  free(length);
  return ovk__format_finish(err, A, sell_destroy, out);
}

static ovk_err sell_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                             void **out)
{
  (void)ctx;
  (void)out;
  enum { ENTRY = 12, ROW = 32 };
  const int64_t nnz = ovk__csr_nnz(A), work = nnz * ENTRY + A->rows * (int64_t)ROW;
  *cost = -1;
  if (work >= limit) return OVK_OK;
  *cost = ovk__cost(A, nnz * ovk__entries_size(sell_is_near(A, NULL)) + A->rows, work);
  return OVK_OK;
}

static ovk_lidx sell_row(const void *self, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__sell *b = self;
  const ovk__entries *e = &b->entries;
  const ovk_lidx origin = b->origin[i / OVK__SORT_WINDOW];
  const ovk__sell_row r = ovk__windows_find(&b->windows, i);
  int64_t k = r.first;
  for (ovk_lidx l = 0; l < r.n; l++, k += r.step) {
    if (col) col[l] = origin + ovk__entries_column(e, e->near, k);
    if (val) val[l] = e->val[k];
  }
  return r.n;
}

static void sell_lengths(const void *self, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  ovk__windows_lengths(&((const ovk__sell *)self)->windows, first, rows, length);
}

static ovk_err sell_unfold(ovk_ctx *ctx, const void *self, ovk_lidx first, ovk__csr *out)
{
  const ovk__sell *b = self;
  (void)ctx;
  ovk__entries_unfold(&b->entries, &b->windows, b->origin, first, out);
  return OVK_OK;
}

/* The diagonal of a block. */
typedef struct sell_diagonal_of {
  const ovk__sell *b;
  double *d;
} sell_diagonal_of;

static void sell_diagonal_row(void *arg, ovk_lidx i, ovk__sell_row row)
{
  const sell_diagonal_of *s = arg;
  const ovk__entries *e = &s->b->entries;
  const ovk_lidx col = i - s->b->origin[i / OVK__SORT_WINDOW];
  int64_t k = row.first;
  s->d[i] = 0;
  for (ovk_lidx l = 0; l < row.n; l++, k += row.step) {
    if (ovk__entries_column(e, e->near, k) != col) continue;
    s->d[i] = ovk__entries_value(e, k);
    return;
  }
}

static void sell_diagonal(const void *self, double *d)
{
  const ovk__sell *b = self;
  ovk__windows_for_each(&b->windows, 0, b->windows.rows, sell_diagonal_row,
                        &(sell_diagonal_of){b, d});
}

static int64_t sell_bytes(const void *self)
{
  const ovk__sell *b = self;
  const ovk__windows *w = &b->windows;
  return ovk__entries_bytes(&b->entries, w->entry[w->n]) + w->n * (int64_t)sizeof *b->origin +
         ovk__windows_bytes(w);
}

static ovk_err sell_copy_narrow(ovk_ctx *ctx, const void *self, void *out)
{
  const ovk__sell *from = self;
  ovk__sell *b = out;
  const ovk__windows *w = &from->windows;
  OVK_TRY(ovk__windows_copy(ctx, w, &b->windows));
  OVK_NEW_COPY(ctx, b->origin, from->origin, w->n);
  return ovk__entries_copy_narrow(ctx, &from->entries, w->entry[w->n], &b->entries);
}

ovk_err ovk__sell_rectangle_create(ovk_ctx *ctx, ovk__csr *A, ovk__sell **out)
{
  void *block = NULL;
  const ovk_err err = sell_build(ctx, A, true, &block);
  ovk__sell *b = *out = block;
  if (err) return err;
  ovk__entries *e = &b->entries;
  OVK_TRY(ovk__narrow_values(ctx, e->val, (size_t)b->windows.entry[b->windows.n], &e->narrow));
  free(e->val);
  e->val = NULL;
  return OVK_OK;
}

void ovk__sell_rectangle_destroy(ovk__sell **A)
{
  sell_destroy(*A);
  *A = NULL;
}

int64_t ovk__sell_rectangle_bytes(const ovk__sell *A)
{
  return sell_bytes(A);
}

static const ovk__format sell_float = {OVK__FLOAT_FORMAT(
    "sell", ovk__sell, &ovk__sell_products_float, sell_destroy, sell_diagonal, sell_bytes)};

const ovk__format ovk__format_sell = {
    .name = "sell",
    .summary = "SELL-C-sigma: rows sorted by length within windows; 10 or 12 bytes an entry",
    .estimate = sell_estimate,
    .build = sell_build,
    .lengths = sell_lengths,
    .unfold = sell_unfold,
    .refill = sell_refill,
    .narrow = &sell_float,
    .copy_narrow = sell_copy_narrow,
    .destroy = sell_destroy,
    .products = &ovk__sell_products,
    .diagonal = sell_diagonal,
    .row = sell_row,
    .bytes = sell_bytes,
};
