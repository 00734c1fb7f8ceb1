/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributed vectors. */
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "core/memory_limit.h"
#include "matrix/vector/vec_impl.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ovk_err check_new(ovk_ctx *ctx, ovk_lidx nlocal, ovk_vec **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(nlocal >= 0, ctx, OVK_ERR_ARG, "a vector cannot have %d rows on a rank", nlocal);
  return OVK_OK;
}

static void destroy(void *self)
{
  ovk_vec *v = self;
  if (!v->wrapped) free(v->array);
  free(v);
}

/* A vector that uses `array`, or zeros that it allocates if that is NULL. */
static ovk_err make(ovk_ctx *ctx, const ovk__layout *layout, double *array, ovk_vec **out)
{
  ovk_vec *v = malloc(sizeof *v);
  OVK_CHECK(v, ctx, OVK_ERR_MEMORY, "no memory for a vector");
  *v = (ovk_vec){.object = ovk__object_new(ctx, destroy),
                 .layout = *layout,
                 .array = array,
                 .wrapped = array != NULL};
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
  char what[64];
  const double each = sizeof(double);
  snprintf(what, sizeof what, "a vector of %lld rows", (long long)layout->global);
  OVK_TRY(ovk__memory_check(ctx, what, each * layout->local, each * (double)layout->global));
  return make_agreed(ctx, layout, NULL, out);
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
  if (!v) return;
  ovk_vec *given = *v;
  *v = NULL;
  ovk__release(given);
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

ovk_err ovk_vec_fill(ovk_vec *v, double value)
{
  if (!v) return OVK_ERR_ARG;
  OVK_CHECK_UNUSED(v, "the vector");
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] = value;
  return OVK_OK;
}

void ovk__vec_fill_random(ovk_vec *v)
{
  for (ovk_lidx i = 0; i < v->layout.local; i++) {
    v->array[i] = ovk__mix_number((uint64_t)(v->layout.first + i) + 1);
  }
}

static ovk_err check_pair(const ovk_vec *x, const ovk_vec *y)
{
  ovk_ctx *ctx = OVK_ANY_CTX(x, y);
  OVK_CHECK(x && y, ctx, OVK_ERR_ARG, "%s is NULL", x ? "y" : "x");
  OVK_CHECK_HANDLE(ctx, y);
  return ovk__layout_check(x->ctx, &x->layout, "x", &y->layout, "y");
}

void ovk__vec_copy(const ovk_vec *x, ovk_vec *y)
{
  if (x->layout.local) memmove(y->array, x->array, (size_t)x->layout.local * sizeof *x->array);
}

void ovk__vec_zero(ovk_vec *v)
{
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] = 0;
}

ovk_err ovk_vec_copy(const ovk_vec *x, ovk_vec *y)
{
  OVK_TRY(check_pair(x, y));
  OVK_CHECK_UNUSED(y, "y");
  ovk__vec_copy(x, y);
  return OVK_OK;
}

ovk_err ovk_vec_axpy(double a, const ovk_vec *x, ovk_vec *y)
{
  OVK_TRY(check_pair(x, y));
  OVK_CHECK(x->array == y->array || !ovk__vec_overlap(x, y), x->ctx, OVK_ERR_ARG,
            "x and y share memory, but not row by row");
  OVK_CHECK_UNUSED(y, "y");
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

static ovk_err check_dot(const ovk_vec *x, const ovk_vec *y, const double *dot)
{
  OVK_TRY(check_pair(x, y));
  OVK_CHECK(dot, x->ctx, OVK_ERR_ARG, "dot is NULL");
  return OVK_OK;
}

ovk_err ovk_vec_dot(const ovk_vec *x, const ovk_vec *y, double *dot)
{
  ovk_ctx *ctx = OVK_ANY_CTX(x, y);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_dot(x, y, dot)));
  double sum = cblas_ddot(x->layout.local, x->array, 1, y->array, 1);
  OVK_TRY(ovk__total(ctx, &sum, 1, MPI_SUM));
  *dot = sum;
  return OVK_OK;
}

ovk_err ovk_vec_norm(const ovk_vec *x, double *value)
{
  if (!x) return OVK_ERR_ARG;
  ovk_ctx *ctx = x->ctx;
  OVK_CHECK_ALL(value, ctx, OVK_ERR_ARG, "value is NULL");
  const double mine = cblas_dnrm2(x->layout.local, x->array, 1);
  /* MPI_MAX may lose a NaN; the sum below does not. */
  double most = mine;
  const ovk_err first = ovk__total(ctx, &most, 1, MPI_MAX); /* others wait in the second one */
  const double scale = most > 0 && isfinite(most) ? most : 1;
  double sum = (mine / scale) * (mine / scale);
  const ovk_err second = ovk__total(ctx, &sum, 1, MPI_SUM);
  *value = scale * sqrt(sum);
  return first ? first : second;
}
