/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries in the order of products: allocation and filling. */
#include "matrix/formats/sell/sell_entries.h"
#include "core/context/mem.h"
#include "matrix/formats/narrow.h"

#include <stdlib.h>
#include <string.h>

void ovk__entries_free(ovk__entries *e)
{
  free(e->near);
  free(e->far);
  free(e->val);
  free(e->narrow);
  *e = (ovk__entries){0};
}

/* The entries of a window's rows as they are in A, over which the new ones are written, columns
 * counted from `origin`. */
typedef struct window_copy {
  const ovk__csr *A;
  const ovk__entries *e;
  ovk_lidx *col;
  double *val;
  int64_t begin; /* of the first, in A */
  ovk_lidx origin;
} window_copy;

static int64_t sell_most_in_window(const ovk__csr *A, const ovk__windows *w)
{
  int64_t most = 0;
  for (ovk_lidx window = 0; window < w->n; window++) {
    const int64_t n = A->ptr[ovk__window_end(w, window)] - A->ptr[ovk__window_first(window)];
    if (n > most) most = n;
  }
  return most;
}

static ovk_err sell_entries_allocate(ovk_ctx *ctx, const ovk__csr *A, const ovk__windows *w,
                                     window_copy *copy)
{
  const int64_t most = sell_most_in_window(A, w);
  OVK_NEW_ARRAY(ctx, copy->col, most);
  OVK_NEW_ARRAY(ctx, copy->val, most);
  return OVK_OK;
}

static void sell_copy_window(ovk_lidx first, ovk_lidx end, window_copy *copy)
{
  const ovk__csr *A = copy->A;
  copy->begin = A->ptr[first];
  const size_t n = (size_t)(A->ptr[end] - copy->begin);
  if (n == 0) return;
  memcpy(copy->col, A->col + copy->begin, n * sizeof *copy->col);
  memcpy(copy->val, A->val + copy->begin, n * sizeof *copy->val);
}

static void sell_write_row(void *arg, ovk_lidx i, ovk__sell_row row)
{
  const window_copy *copy = arg;
  const ovk__entries *e = copy->e;
  const int64_t from = copy->A->ptr[i + 1] - row.n - copy->begin;
  int64_t k = row.first;
  for (ovk_lidx l = 0; l < row.n; l++, k += row.step) {
    const ovk_lidx col = copy->col[from + l] - copy->origin;
    e->val[k] = copy->val[from + l];
    if (e->near) {
      e->near[k] = (uint16_t)col;
    } else {
      e->far[k] = col;
    }
  }
}

/* Writing never gets ahead of reading A: up to the end of a window it has no more entries than
 * A. */
static void sell_write_all(const ovk__windows *w, const ovk_lidx *origin, window_copy *copy)
{
  for (ovk_lidx window = 0; window < w->n; window++) {
    const ovk_lidx first = ovk__window_first(window), end = ovk__window_end(w, window);
    sell_copy_window(first, end, copy);
    copy->origin = origin ? origin[window] : first;
    ovk__windows_for_each(w, first, end, sell_write_row, copy);
  }
}

/* Frees the memory beyond n entries. */
static ovk_err sell_entries_fit(ovk_ctx *ctx, int64_t n, ovk__entries *e)
{
  const size_t room = n ? (size_t)n : 1;
  if (e->near) OVK_RESIZE(ctx, e->near, room);
  if (e->far) OVK_RESIZE(ctx, e->far, room);
  OVK_RESIZE(ctx, e->val, room);
  return OVK_OK;
}

ovk_err ovk__entries_make(ovk_ctx *ctx, ovk__csr *A, const ovk__windows *w, const ovk_lidx *origin,
                          bool near, ovk__entries *out)
{
  const int64_t n = w->entry[w->n];
  window_copy copy = {.A = A, .e = out};
  *out = (ovk__entries){0};
  ovk_err err = sell_entries_allocate(ctx, A, w, &copy);
  if (!err) {
    *out = (ovk__entries){near ? (uint16_t *)A->col : NULL, near ? NULL : A->col, A->val, NULL};
    sell_write_all(w, origin, &copy);
    A->col = NULL;
    A->val = NULL;
    err = sell_entries_fit(ctx, n, out);
  }
  free(copy.col);
  free(copy.val);
  return err;
}

/* The entries of rows, in the order of windows and in CSR, there from row `first` on. */
typedef struct both {
  const ovk__entries *e;
  const ovk__csr *A;
  ovk_lidx first;
  const ovk_lidx *origin;
} both;

static void sell_take_values(void *arg, ovk_lidx i, ovk__sell_row row)
{
  const both *b = arg;
  const double *val = b->A->val + (b->A->ptr[i - b->first + 1] - row.n);
  int64_t k = row.first;
  for (ovk_lidx l = 0; l < row.n; l++, k += row.step) b->e->val[k] = val[l];
}

void ovk__entries_refill(const ovk__csr *A, ovk_lidx first, const ovk__windows *w, ovk__entries *e)
{
  ovk__windows_for_each(w, first, first + A->rows, sell_take_values, &(both){e, A, first, NULL});
}

static void sell_give_entries(void *arg, ovk_lidx i, ovk__sell_row row)
{
  const both *b = arg;
  const ovk_lidx window = i / OVK__SORT_WINDOW;
  const ovk_lidx origin = b->origin ? b->origin[window] : ovk__window_first(window);
  int64_t at = b->A->ptr[i - b->first + 1] - row.n, k = row.first;
  for (ovk_lidx l = 0; l < row.n; l++, at++, k += row.step) {
    b->A->col[at] = origin + ovk__entries_column(b->e, b->e->near, k);
    if (b->A->val) b->A->val[at] = b->e->val[k];
  }
}

void ovk__entries_unfold(const ovk__entries *e, const ovk__windows *w, const ovk_lidx *origin,
                         ovk_lidx first, ovk__csr *A)
{
  ovk__windows_for_each(w, first, first + A->rows, sell_give_entries, &(both){e, A, first, origin});
}

ovk_err ovk__entries_copy_narrow(ovk_ctx *ctx, const ovk__entries *e, int64_t n, ovk__entries *out)
{
  *out = (ovk__entries){0};
  if (e->near) {
    OVK_NEW_COPY(ctx, out->near, e->near, n);
  } else {
    OVK_NEW_COPY(ctx, out->far, e->far, n);
  }
  return ovk__narrow_values(ctx, e->val, (size_t)n, &out->narrow);
}
