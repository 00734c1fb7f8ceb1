/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributed vectors. */
#include "core/mem.h"
#include "matrix/vec_impl.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ovk_err check_new(ovk_ctx *ctx, ovk_lidx nlocal, ovk_vec **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(nlocal >= 0, ctx, OVK_ERR_ARG, "a vector cannot have %d rows on a rank", nlocal);
  return OVK_OK;
}

/* A vector over `array`, or over zeros of its own where that is NULL. */
static ovk_err make(ovk_ctx *ctx, const ovk__layout *layout, double *array, ovk_vec **out)
{
  ovk_vec *v = malloc(sizeof *v);
  OVK_CHECK(v, ctx, OVK_ERR_MEMORY, "no memory for a vector");
  *v = (ovk_vec){.ctx = ctx, .layout = *layout, .array = array, .wrapped = array != NULL};
  *out = v;
  if (!array) OVK_NEW_ZEROS(ctx, v->array, layout->local);
  return OVK_OK;
}

static ovk_err make_agreed(ovk_ctx *ctx, const ovk__layout *layout, double *array, ovk_vec **out)
{
  const ovk_err err = ovk__agree(ctx, make(ctx, layout, array, out));
  if (err) ovk_vec_destroy(out);
  return err;
}

ovk_err ovk__vec_create(ovk_ctx *ctx, const ovk__layout *layout, ovk_vec **out)
{
  *out = NULL;
  return make_agreed(ctx, layout, NULL, out);
}

bool ovk__vec_overlap(const ovk_vec *x, const ovk_vec *y)
{
  return x->layout.local > 0 && x->array == y->array;
}

ovk_err ovk_vec_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_vec **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_new(ctx, nlocal, out)));
  ovk__layout layout;
  OVK_TRY(ovk__layout_create(ctx, nlocal, &layout));
  return ovk__vec_create(ctx, &layout, out);
}

static ovk_err check_wrap(ovk_ctx *ctx, ovk_lidx nlocal, const double *array, ovk_vec **out)
{
  OVK_TRY(check_new(ctx, nlocal, out));
  OVK_CHECK(array || nlocal == 0, ctx, OVK_ERR_ARG, "the array for %d rows is NULL", nlocal);
  return OVK_OK;
}

ovk_err ovk_vec_wrap(ovk_ctx *ctx, ovk_lidx nlocal, double *array, ovk_vec **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_wrap(ctx, nlocal, array, out)));
  ovk__layout layout;
  OVK_TRY(ovk__layout_create(ctx, nlocal, &layout));
  return make_agreed(ctx, &layout, array, out);
}

ovk_err ovk_vec_duplicate(const ovk_vec *like, ovk_vec **out)
{
  if (!like) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(like->ctx, check_new(like->ctx, like->layout.local, out)));
  return ovk__vec_create(like->ctx, &like->layout, out);
}

void ovk_vec_destroy(ovk_vec **v)
{
  if (!v || !*v) return;
  if (!(*v)->wrapped) free((*v)->array);
  free(*v);
  *v = NULL;
}

ovk_ctx *ovk_vec_ctx(const ovk_vec *v)
{
  return v->ctx;
}

double *ovk_vec_array(ovk_vec *v)
{
  return v->array;
}

const double *ovk_vec_array_const(const ovk_vec *v)
{
  return v->array;
}

ovk_lidx ovk_vec_local_size(const ovk_vec *v)
{
  return v->layout.local;
}

ovk_gidx ovk_vec_size(const ovk_vec *v)
{
  return v->layout.global;
}

ovk_gidx ovk_vec_first(const ovk_vec *v)
{
  return v->layout.first;
}

ovk_err ovk_vec_fill(ovk_vec *v, double value)
{
  if (!v) return OVK_ERR_ARG;
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] = value;
  return OVK_OK;
}

static ovk_err check_pair(const ovk_vec *x, const ovk_vec *y)
{
  if (!x || !y) return OVK_ERR_ARG;
  return ovk__layout_check(x->ctx, &x->layout, "x", &y->layout, "y");
}

ovk_err ovk_vec_copy(const ovk_vec *x, ovk_vec *y)
{
  OVK_TRY(check_pair(x, y));
  if (x->layout.local) memmove(y->array, x->array, (size_t)x->layout.local * sizeof *x->array);
  return OVK_OK;
}

ovk_err ovk_vec_axpy(double a, const ovk_vec *x, ovk_vec *y)
{
  OVK_TRY(check_pair(x, y));
  cblas_daxpy(x->layout.local, a, x->array, 1, y->array, 1);
  return OVK_OK;
}

ovk_err ovk_vec_local_dot(const ovk_vec *x, const ovk_vec *y, double *value)
{
  OVK_TRY(check_pair(x, y));
  if (!value) return OVK_FAIL(x->ctx, OVK_ERR_ARG, "value is NULL");
  *value = cblas_ddot(x->layout.local, x->array, 1, y->array, 1);
  return OVK_OK;
}

ovk_err ovk_vec_norm(const ovk_vec *x, double *value)
{
  if (!x) return OVK_ERR_ARG;
  ovk_ctx *ctx = x->ctx;
  OVK_TRY(ovk__agree(ctx, value ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_ARG, "value is NULL")));
  const double mine = cblas_dnrm2(x->layout.local, x->array, 1);
  /* A NaN is lost in MPI_MAX but not in the sum below. */
  double most;
  OVK_TRY_MPI(ctx, MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, ovk_ctx_comm(ctx)));
  const double scale = most > 0 && isfinite(most) ? most : 1;
  const double part = (mine / scale) * (mine / scale);
  double sum;
  OVK_TRY_MPI(ctx, MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(ctx)));
  *value = scale * sqrt(sum);
  return OVK_OK;
}
