/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of vectors and orthonormal bases. */
#include "matrix/vector/vec_list.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/vector/vec_exact.h"

#include <math.h>
#include <stdlib.h>

ovk_err ovk__vec_list_create(ovk_ctx *ctx, const ovk__layout *layout, int n, ovk__vec_list *out)
{
  *out = (ovk__vec_list){.vec = ovk__zeros((size_t)n, sizeof *out->vec)};
  ovk_err err = ovk__agree(
      ctx, out->vec ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d vectors", n));
  while (!err && out->count < n) err = ovk__vec_create(ctx, layout, &out->vec[out->count++]);
  if (err) ovk__vec_list_clear(out);
  return err;
}

void ovk__vec_list_shorten(ovk__vec_list *list, int n)
{
  while (list->count > n) ovk_vec_destroy(&list->vec[--list->count]);
}

void ovk__vec_list_clear(ovk__vec_list *list)
{
  ovk__vec_list_shorten(list, 0);
  free(list->vec);
  *list = (ovk__vec_list){0};
}

static void vec_list_divide(ovk_vec *v, double by)
{
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] /= by;
}

ovk_err ovk__vec_orthonormalize(ovk_vec *const *basis, int k, double *norm, double *left)
{
  ovk_vec *v = basis[k];
  double part;
  *left = 0;
  OVK_TRY(ovk__vec_exact_norm(v, norm));
  if (!(*norm > 0) || !isfinite(*norm)) return OVK_OK;
  vec_list_divide(v, *norm);
  for (int q = 0; q < 2 * k; q++) {
    OVK_TRY(ovk__vec_exact_dot(basis[q % k], v, &part));
    OVK_TRY(ovk_vec_axpy(-part, basis[q % k], v));
  }
  OVK_TRY(ovk__vec_exact_norm(v, left));
  if (*left > 0) vec_list_divide(v, *left);
  return OVK_OK;
}

ovk_err ovk__vec_extend_basis(ovk_vec *const *basis, int k, const char *name)
{
  ovk_ctx *ctx = basis[k]->ctx;
  double norm, left;
  OVK_TRY(ovk__vec_orthonormalize(basis, k, &norm, &left));
  OVK_CHECK(norm > 0 && isfinite(norm), ctx, OVK_ERR_ARG, "%s has the norm %g", name, norm);
  OVK_CHECK(!ovk__vec_depends(left), ctx, OVK_ERR_ARG,
            "%s depends linearly on the vectors before it: %g of its norm is independent", name,
            left);
  return OVK_OK;
}
