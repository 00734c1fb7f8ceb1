/* SPDX-License-Identifier: BSD-2-Clause */
/* Row by row operations on vectors; none communicates. */
#include "core/base/hash64.h"
#include "matrix/vector/vec_impl.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

ovk_err ovk__vec_check_pair(const ovk_vec *x, const char *x_name, const ovk_vec *y,
                            const char *y_name)
{
  ovk_ctx *ctx = OVK_ANY_CTX(x, y);
  OVK_CHECK(x && y, ctx, OVK_ERR_ARG, "%s is NULL", x ? y_name : x_name);
  OVK_CHECK(x->ctx == y->ctx, ctx, OVK_ERR_ARG, "%s belongs to another context", y_name);
  return ovk__layout_check(ctx, &x->layout, x_name, &y->layout, y_name);
}

/* Checks y <- f(x): y may be written, and its array is that of x or does not overlap it. */
static ovk_err vec_check_target(const ovk_vec *x, const char *x_name, const ovk_vec *y,
                                const char *y_name)
{
  OVK_TRY(ovk__vec_check_pair(x, x_name, y, y_name));
  OVK_CHECK(x->array == y->array || !ovk__vec_overlap(x, y), x->ctx, OVK_ERR_ARG,
            "%s and %s share memory, but not row by row", x_name, y_name);
  OVK_CHECK_UNUSED(y, y_name);
  return OVK_OK;
}

/* Checks w <- f(x, y). */
static ovk_err vec_check_target_of_two(const ovk_vec *x, const ovk_vec *y, const ovk_vec *w)
{
  OVK_TRY(vec_check_target(x, "x", w, "w"));
  return vec_check_target(y, "y", w, "w");
}

ovk_err ovk_vec_fill(ovk_vec *v, double value)
{
  if (!v) return OVK_ERR_ARG;
  OVK_CHECK_UNUSED(v, "the vector");
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] = value;
  return OVK_OK;
}

void ovk__vec_fill_random(ovk_vec *v, const int64_t *keys)
{
  for (ovk_lidx i = 0; i < v->layout.local; i++) {
    const int64_t row = keys ? keys[i] : v->layout.first + i;
    v->array[i] = ovk__mix_number((uint64_t)row + 1);
  }
}

/* In two steps, each of them by a power of two in range, where such two exist. */
void ovk__vec_shift(ovk_lidx n, int exponent, const double *in, double *out)
{
  if (exponent > 2 * 1023 || exponent < -2 * 1022) {
    for (ovk_lidx i = 0; i < n; i++) out[i] = ldexp(in[i], exponent);
    return;
  }
  const double half = ldexp(1, exponent / 2), rest = ldexp(1, exponent - exponent / 2);
  for (ovk_lidx i = 0; i < n; i++) out[i] = in[i] * half * rest;
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
  OVK_TRY(ovk__vec_check_pair(x, "x", y, "y"));
  OVK_CHECK_UNUSED(y, "y");
  ovk__vec_copy(x, y);
  return OVK_OK;
}

ovk_err ovk_vec_scale(double a, ovk_vec *v)
{
  if (!v) return OVK_ERR_ARG;
  OVK_CHECK_UNUSED(v, "the vector");
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] *= a;
  return OVK_OK;
}

ovk_err ovk_vec_axpy(double a, const ovk_vec *x, ovk_vec *y)
{
  OVK_TRY(vec_check_target(x, "x", y, "y"));
  cblas_daxpy(x->layout.local, a, x->array, 1, y->array, 1);
  return OVK_OK;
}

ovk_err ovk_vec_aypx(double a, const ovk_vec *x, ovk_vec *y)
{
  OVK_TRY(vec_check_target(x, "x", y, "y"));
  for (ovk_lidx i = 0; i < y->layout.local; i++) y->array[i] = x->array[i] + a * y->array[i];
  return OVK_OK;
}

ovk_err ovk_vec_waxpy(double a, const ovk_vec *x, const ovk_vec *y, ovk_vec *w)
{
  OVK_TRY(vec_check_target_of_two(x, y, w));
  for (ovk_lidx i = 0; i < w->layout.local; i++) w->array[i] = a * x->array[i] + y->array[i];
  return OVK_OK;
}

ovk_err ovk_vec_pointwise_mult(const ovk_vec *x, const ovk_vec *y, ovk_vec *w)
{
  OVK_TRY(vec_check_target_of_two(x, y, w));
  for (ovk_lidx i = 0; i < w->layout.local; i++) w->array[i] = x->array[i] * y->array[i];
  return OVK_OK;
}

ovk_err ovk_vec_pointwise_divide(const ovk_vec *x, const ovk_vec *y, ovk_vec *w)
{
  OVK_TRY(vec_check_target_of_two(x, y, w));
  for (ovk_lidx i = 0; i < w->layout.local; i++) w->array[i] = x->array[i] / y->array[i];
  return OVK_OK;
}

ovk_err ovk_vec_local_dot(const ovk_vec *x, const ovk_vec *y, double *value)
{
  OVK_TRY(ovk__vec_check_pair(x, "x", y, "y"));
  if (!value) return OVK_FAIL(x->ctx, OVK_ERR_ARG, "value is NULL");
  *value = cblas_ddot(x->layout.local, x->array, 1, y->array, 1);
  return OVK_OK;
}
