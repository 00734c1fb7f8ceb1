/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors for a matrix from ovk_mat_reorder(). */
#include "matrix/mat_impl.h"
#include "matrix/vector/vec_impl.h"

#include <ovkrylov/reorder.h>

/* Checks vectors for a change of order: `to` may be written and is not `from`. */
static ovk_err reorder_check_vectors(const ovk_mat *B, const ovk_vec *from, const char *from_name,
                                     const ovk_vec *to, const char *to_name)
{
  OVK_TRY(ovk__vec_check_pair(from, from_name, to, to_name));
  OVK_CHECK(B->order, B->ctx, OVK_ERR_ARG, "B is not from ovk_mat_reorder()");
  OVK_CHECK(!ovk__vec_overlap(from, to), B->ctx, OVK_ERR_ARG, "%s and %s share memory", from_name,
            to_name);
  OVK_CHECK_UNUSED(to, to_name);
  return ovk__layout_check(B->ctx, &B->layout, "B", &from->layout, from_name);
}

ovk_err ovk_mat_to_order(const ovk_mat *B, const ovk_vec *v, ovk_vec *w)
{
  if (!B) return OVK_ERR_ARG;
  OVK_TRY(reorder_check_vectors(B, v, "v", w, "w"));
  for (ovk_lidx i = 0; i < B->layout.local; i++) w->array[i] = v->array[B->order[i]];
  return OVK_OK;
}

ovk_err ovk_mat_from_order(const ovk_mat *B, const ovk_vec *w, ovk_vec *v)
{
  if (!B) return OVK_ERR_ARG;
  OVK_TRY(reorder_check_vectors(B, w, "w", v, "v"));
  for (ovk_lidx i = 0; i < B->layout.local; i++) v->array[B->order[i]] = w->array[i];
  return OVK_OK;
}

const ovk_lidx *ovk_mat_order(const ovk_mat *B)
{
  return B ? B->order : NULL;
}
