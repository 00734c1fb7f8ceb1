/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries in the order of products: allocation and filling. */
#include "matrix/formats/sell/sell_entries.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void ovk__entries_free(ovk__entries *e)
{
  free(e->near);
  free(e->far);
  free(e->val);
  *e = (ovk__entries){0};
}

/* The entries of a window's rows as they are in A, over which they are written anew. */
typedef struct window_copy {
  ovk_lidx *col;
  double *val;
  int64_t begin; /* of the first, in A */
} window_copy;

static int64_t most_in_window(const ovk__csr *A, const ovk__windows *w)
{
  int64_t most = 0;
  for (ovk_lidx window = 0; window < w->n; window++) {
    const int64_t n = A->ptr[ovk__window_end(w, window)] - A->ptr[ovk__window_first(window)];
    if (n > most) most = n;
  }
  return most;
}

static ovk_err allocate(ovk_ctx *ctx, const ovk__csr *A, const ovk__windows *w, window_copy *copy)
{
  const int64_t most = most_in_window(A, w);
  OVK_NEW_ARRAY(ctx, copy->col, most);
  OVK_NEW_ARRAY(ctx, copy->val, most);
  return OVK_OK;
}

static void take_window(const ovk__csr *A, ovk_lidx first, ovk_lidx end, window_copy *copy)
{
  copy->begin = A->ptr[first];
  const size_t n = (size_t)(A->ptr[end] - copy->begin);
  if (n == 0) return;
  memcpy(copy->col, A->col + copy->begin, n * sizeof *copy->col);
  memcpy(copy->val, A->val + copy->begin, n * sizeof *copy->val);
}

/* Writes n entries from the place `from` of a window on, columns counted from `origin`, to the
 * entries from k on. */
static inline void write_row(const window_copy *copy, int64_t from, ovk_lidx n, ovk_lidx origin,
                             const ovk__entries *e, int64_t k)
{
  const ovk_lidx *col = copy->col + from;
  if (n) memcpy(e->val + k, copy->val + from, (size_t)n * sizeof *e->val);
  if (e->near) {
    for (ovk_lidx l = 0; l < n; l++) e->near[k + l] = (uint16_t)(col[l] - origin);
  } else {
    for (ovk_lidx l = 0; l < n; l++) e->far[k + l] = col[l] - origin;
  }
}

/* Writing never gets ahead of reading A: there are at most as many of them
 * up to a window's end as A has up to there. */
static void write_all(const ovk__csr *A, const ovk__windows *w, const ovk_lidx *length,
                      const ovk_lidx *origin, window_copy *copy, const ovk__entries *e)
{
  int64_t k = 0;
  for (ovk_lidx window = 0; window < w->n; window++) {
    const ovk_lidx first = ovk__window_first(window), end = ovk__window_end(w, window);
    take_window(A, first, end, copy);
    for (ovk_lidx place = first; place < end; place++) {
      const ovk_lidx i = first + w->row[place];
      const int64_t from = A->ptr[i + 1] - length[i] - copy->begin;
      write_row(copy, from, length[i], origin ? origin[window] : first, e, k);
      k += length[i];
    }
  }
}

/* Frees what n entries do not need. */
static ovk_err fit(ovk_ctx *ctx, int64_t n, ovk__entries *e)
{
  const size_t room = n ? (size_t)n : 1;
  uint16_t *near = e->near ? realloc(e->near, room * sizeof *near) : NULL;
  if (near) e->near = near;
  ovk_lidx *far = e->far ? realloc(e->far, room * sizeof *far) : NULL;
  if (far) e->far = far;
  double *val = realloc(e->val, room * sizeof *val);
  if (val) e->val = val;
  OVK_CHECK((near || far) && val, ctx, OVK_ERR_MEMORY, "no memory for %zu matrix entries", room);
  return OVK_OK;
}

ovk_err ovk__entries_make(ovk_ctx *ctx, ovk__csr *A, const ovk__windows *w, const ovk_lidx *length,
                          const ovk_lidx *origin, bool near, ovk__entries *out)
{
  const int64_t n = w->entry[w->n];
  window_copy copy = {0};
  *out = (ovk__entries){0};
  ovk_err err = allocate(ctx, A, w, &copy);
  if (!err) {
    *out = (ovk__entries){near ? (uint16_t *)A->col : NULL, near ? NULL : A->col, A->val};
    write_all(A, w, length, origin, &copy, out);
    A->col = NULL;
    A->val = NULL;
    err = fit(ctx, n, out);
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

static void take_values(void *arg, ovk_lidx i, ovk_lidx n, int64_t k)
{
  const both *b = arg;
  const int64_t at = b->A->ptr[i - b->first + 1] - n;
  if (n) memcpy(b->e->val + k, b->A->val + at, (size_t)n * sizeof *b->e->val);
}

void ovk__entries_refill(const ovk__csr *A, ovk_lidx first, const ovk__windows *w, ovk__entries *e)
{
  ovk__windows_for_each(w, first, first + A->rows, take_values, &(both){e, A, first, NULL});
}

static void give_entries(void *arg, ovk_lidx i, ovk_lidx n, int64_t k)
{
  const both *b = arg;
  const ovk_lidx window = i / OVK__WINDOW;
  const ovk_lidx origin = b->origin ? b->origin[window] : ovk__window_first(window);
  const int64_t at = b->A->ptr[i - b->first + 1] - n;
  for (ovk_lidx l = 0; l < n; l++) {
    b->A->col[at + l] = origin + ovk__entries_column(b->e, b->e->near, k + l);
  }
  if (n && b->A->val) memcpy(b->A->val + at, b->e->val + k, (size_t)n * sizeof *b->e->val);
}

void ovk__entries_unfold(const ovk__entries *e, const ovk__windows *w, const ovk_lidx *origin,
                         ovk_lidx first, ovk__csr *A)
{
  ovk__windows_for_each(w, first, first + A->rows, give_entries, &(both){e, A, first, origin});
}
