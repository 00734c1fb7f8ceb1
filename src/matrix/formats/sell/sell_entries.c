/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries in the order of products: allocation and filling. */
#include "matrix/formats/sell/sell_entries.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static ovk_err allocate(ovk_ctx *ctx, int64_t n, bool near, ovk__entries *out)
{
  *out = (ovk__entries){0};
  if (near) {
    OVK_NEW_ARRAY(ctx, out->near, n);
  } else {
    OVK_NEW_ARRAY(ctx, out->far, n);
  }
  OVK_NEW_ARRAY(ctx, out->val, n);
  return OVK_OK;
}

void ovk__entries_free(ovk__entries *e)
{
  free(e->near);
  free(e->far);
  free(e->val);
  *e = (ovk__entries){0};
}

/* Copies the last n entries of row i of A to the entries from k on, columns counted from `origin`.
 */
static void copy_row(const ovk__csr *A, ovk_lidx i, ovk_lidx n, ovk_lidx origin, ovk__entries *e,
                     int64_t k)
{
  for (int64_t l = A->ptr[i + 1] - n; l < A->ptr[i + 1]; l++, k++) {
    e->val[k] = A->val[l];
    if (e->near) {
      e->near[k] = (uint16_t)(A->col[l] - origin);
    } else {
      e->far[k] = A->col[l] - origin;
    }
  }
}

ovk_err ovk__entries_make(ovk_ctx *ctx, const ovk__csr *A, const ovk__windows *w,
                          const ovk_lidx *length, const ovk_lidx *origin, bool near,
                          ovk__entries *out)
{
  OVK_TRY(allocate(ctx, w->entry[w->n], near, out));
  int64_t k = 0;
  for (ovk_lidx window = 0; window < w->n; window++) {
    const ovk_lidx first = ovk__window_first(window), end = ovk__window_end(w, window);
    for (ovk_lidx place = first; place < end; place++) {
      const ovk_lidx i = first + w->row[place];
      copy_row(A, i, length[i], origin ? origin[window] : first, out, k);
      k += length[i];
    }
  }
  return OVK_OK;
}

/* The entries of rows, in the order of windows and in CSR. */
typedef struct both {
  const ovk__entries *e;
  const ovk__csr *A;
  const ovk_lidx *origin;
} both;

static void take_values(void *arg, ovk_lidx i, ovk_lidx n, int64_t k)
{
  const both *b = arg;
  if (n) memcpy(b->e->val + k, b->A->val + b->A->ptr[i + 1] - n, (size_t)n * sizeof *b->e->val);
}

void ovk__entries_refill(const ovk__csr *A, const ovk__windows *w, ovk__entries *e)
{
  ovk__windows_for_each(w, take_values, &(both){e, A, NULL});
}

static void count(void *arg, ovk_lidx i, ovk_lidx n, int64_t k)
{
  int64_t *ptr = arg;
  (void)k;
  ptr[i + 1] = n;
}

void ovk__entries_count(const ovk__windows *w, int64_t *ptr)
{
  ptr[0] = 0;
  ovk__windows_for_each(w, count, ptr);
}

static void give_entries(void *arg, ovk_lidx i, ovk_lidx n, int64_t k)
{
  const both *b = arg;
  const ovk_lidx window = i / OVK__WINDOW;
  const ovk_lidx origin = b->origin ? b->origin[window] : ovk__window_first(window);
  const int64_t at = b->A->ptr[i + 1] - n;
  for (ovk_lidx l = 0; l < n; l++) {
    b->A->col[at + l] = origin + ovk__entries_column(b->e, b->e->near, k + l);
  }
  if (n && b->A->val) memcpy(b->A->val + at, b->e->val + k, (size_t)n * sizeof *b->e->val);
}

void ovk__entries_unfold(const ovk__entries *e, const ovk__windows *w, const ovk_lidx *origin,
                         ovk__csr *A)
{
  ovk__windows_for_each(w, give_entries, &(both){e, A, origin});
}

int64_t ovk__entries_size(const ovk__entries *e)
{
  return (int64_t)(sizeof *e->val + (e->near ? sizeof *e->near : sizeof *e->far));
}
