/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries in the order of products: allocation and filling. */
#include "matrix/formats/sell/sell_entries.h"
#include "base/mem.h"

#include <stdlib.h>

ovk_err ovk__entries_make(ovk_ctx *ctx, int64_t n, bool near, ovk__entries *out)
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

void ovk__entries_copy(const ovk__csr *A, ovk_lidx i, ovk_lidx n, ovk_lidx origin, ovk__entries *e,
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

int64_t ovk__entries_size(const ovk__entries *e)
{
  return (int64_t)(sizeof *e->val + (e->near ? sizeof *e->near : sizeof *e->far));
}
