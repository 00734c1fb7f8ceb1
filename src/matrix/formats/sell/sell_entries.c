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

void ovk__entries_refill(const ovk__csr *A, const ovk__windows *w, ovk__entries *e)
{
  double *to = e->val;
  for (ovk_lidx window = 0; window < w->n; window++) {
    const ovk_lidx first = ovk__window_first(window);
    const uint8_t *row = w->row + first;
    for (int64_t r = w->run[window]; r < w->run[window + 1]; r++) {
      const ovk_lidx length = w->runs[r].length;
      for (ovk_lidx k = 0; k < w->runs[r].rows && length; k++, to += length) {
        memcpy(to, A->val + A->ptr[first + row[k] + 1] - length, (size_t)length * sizeof *to);
      }
      row += w->runs[r].rows;
    }
  }
}

int64_t ovk__entries_size(const ovk__entries *e)
{
  return (int64_t)(sizeof *e->val + (e->near ? sizeof *e->near : sizeof *e->far));
}
