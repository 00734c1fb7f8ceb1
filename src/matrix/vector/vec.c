/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors: creation, queries, destruction. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/vector/vec_impl.h"

#include <stdlib.h>

static void vec_free(void *self)
{
  ovk_vec *v = self;
  if (!v->wrapped) free(v->array);
  free(v);
}

/* A vector that uses `array`, or one that it allocates if that is NULL. */
static ovk_err vec_make(ovk_ctx *ctx, const ovk__layout *layout, double *array, bool zeros,
                        ovk_vec **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  ovk_vec *v = malloc(sizeof *v);
  OVK_CHECK(v, ctx, OVK_ERR_MEMORY, "no memory for a vector");
  *v = (ovk_vec){.object = ovk__object_new(ctx, vec_free),
                 .layout = *layout,
                 .array = array,
                 .wrapped = array != NULL};
  *out = v;
  if (!array && zeros) OVK_NEW_ZEROS(ctx, v->array, layout->local);
  if (!array && !zeros) OVK_NEW_ARRAY(ctx, v->array, layout->local);
  return OVK_OK;
}

/* `out` may be NULL on some ranks, which is an error. */
ovk_err ovk__vec_create(ovk_ctx *ctx, const ovk__layout *layout, ovk_vec **out)
{
  OVK_TRY(ovk__layout_check_memory(ctx, layout, sizeof(double), "a vector"));
  const ovk_err err = ovk__agree(ctx, vec_make(ctx, layout, NULL, true, out));
  if (err) ovk_vec_destroy(out);
  return err;
}

ovk_err ovk__vecs_create(ovk_ctx *ctx, const ovk__layout *layout, int n, bool zeros, ovk_vec *out[])
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < n && !err; k++) err = vec_make(ctx, layout, NULL, zeros, &out[k]);
  err = ovk__agree(ctx, err);
  for (int k = 0; err && k < n; k++) ovk_vec_destroy(&out[k]);
  return err;
}

bool ovk__vec_overlap(const ovk_vec *x, const ovk_vec *y)
{
  const uintptr_t x0 = (uintptr_t)x->array, xn = x0 + (size_t)x->layout.local * sizeof *x->array;
  const uintptr_t y0 = (uintptr_t)y->array, yn = y0 + (size_t)y->layout.local * sizeof *y->array;
  return x->layout.local > 0 && y->layout.local > 0 && x0 < yn && y0 < xn;
}

ovk_err ovk_vec_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_vec **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, ovk__layout_check_new(ctx, nlocal, out)));
  ovk__layout layout;
  OVK_TRY(ovk__layout_create(ctx, nlocal, &layout));
  return ovk__vec_create(ctx, &layout, out);
}

/* The vector without its layout. */
static ovk_err vec_wrap(ovk_ctx *ctx, ovk_lidx nlocal, double *array, ovk_vec **out)
{
  const ovk__layout none = {0};
  OVK_TRY(ovk__layout_check_new(ctx, nlocal, out));
  OVK_CHECK(array || nlocal == 0, ctx, OVK_ERR_ARG, "the array for %d rows is NULL", nlocal);
  return vec_make(ctx, &none, array, true, out);
}

ovk_err ovk_vec_wrap(ovk_ctx *ctx, ovk_lidx nlocal, double *array, ovk_vec **out)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk__layout layout;
  const ovk_err err = ovk__layout_agree(ctx, vec_wrap(ctx, nlocal, array, out), nlocal, &layout);
  if (err) {
    ovk_vec_destroy(out);
  } else {
    (*out)->layout = layout;
  }
  return err;
}

ovk_err ovk_vec_duplicate(const ovk_vec *like, ovk_vec **out)
{
  if (!like) return OVK_ERR_ARG;
  return ovk__vec_create(like->ctx, &like->layout, out);
}

void ovk_vec_destroy(ovk_vec **v)
{
  OVK_GIVE_UP(v);
}

ovk_ctx *ovk_vec_ctx(const ovk_vec *v)
{
  return ovk__ctx_of(v);
}

double *ovk_vec_array(ovk_vec *v)
{
  return v ? v->array : NULL;
}

const double *ovk_vec_array_const(const ovk_vec *v)
{
  return v ? v->array : NULL;
}

ovk_lidx ovk_vec_local_size(const ovk_vec *v)
{
  return v ? v->layout.local : 0;
}

ovk_gidx ovk_vec_size(const ovk_vec *v)
{
  return v ? v->layout.global : 0;
}

ovk_gidx ovk_vec_first(const ovk_vec *v)
{
  return v ? v->layout.first : 0;
}
