/* SPDX-License-Identifier: BSD-2-Clause */
/* Inner products, norms and extrema of vectors over all ranks. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/vector/vec_impl.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

static ovk_err dot_check(const ovk_vec *x, const ovk_vec *y, const double *dot)
{
  OVK_TRY(ovk__vec_check_pair(x, "x", y, "y"));
  OVK_CHECK(dot, x->ctx, OVK_ERR_ARG, "dot is NULL");
  return OVK_OK;
}

ovk_err ovk_vec_dot(const ovk_vec *x, const ovk_vec *y, double *dot)
{
  ovk_ctx *ctx = OVK_ANY_CTX(x, y);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, dot_check(x, y, dot)));
  double sum = cblas_ddot(x->layout.local, x->array, 1, y->array, 1);
  OVK_TRY(ovk__total(ctx, &sum, 1, MPI_SUM));
  *dot = sum;
  return OVK_OK;
}

/* *sums <- room for n sums */
static ovk_err mdot_check(ovk_ctx *ctx, const ovk_vec *x, int n, ovk_vec *const y[],
                          const double *dots, double **sums)
{
  OVK_CHECK(x, ctx, OVK_ERR_ARG, "x is NULL");
  OVK_CHECK(n >= 0, ctx, OVK_ERR_ARG, "the number of vectors is %d, but must be >= 0", n);
  OVK_CHECK(y || n == 0, ctx, OVK_ERR_ARG, "y is NULL, for %d vectors", n);
  OVK_CHECK(dots || n == 0, ctx, OVK_ERR_ARG, "dots is NULL, for %d vectors", n);
  for (int k = 0; k < n; k++) OVK_TRY(ovk__vec_check_pair(x, "x", y[k], "a vector of y"));
  *sums = ovk__array((size_t)n, sizeof **sums);
  OVK_CHECK(*sums, ctx, OVK_ERR_MEMORY, "no memory for %d inner products", n);
  return OVK_OK;
}

static ovk_err mdot_total(const ovk_vec *x, int n, ovk_vec *const y[], double *dots, double *sums)
{
  for (int k = 0; k < n; k++) {
    sums[k] = cblas_ddot(x->layout.local, x->array, 1, y[k]->array, 1);
  }
  OVK_TRY(ovk__total(x->ctx, sums, n, MPI_SUM));
  for (int k = 0; k < n; k++) dots[k] = sums[k];
  return OVK_OK;
}

ovk_err ovk_vec_mdot(const ovk_vec *x, int n, ovk_vec *const y[], double *dots)
{
  ovk_ctx *ctx = OVK_ANY_CTX(x, n > 0 && y ? y[0] : NULL);
  if (!ctx) return OVK_ERR_ARG;
  double *sums = NULL;
  ovk_err err = ovk__agree(ctx, mdot_check(ctx, x, n, y, dots, &sums));
  if (!err) err = ovk__agree_number(ctx, "numbers of vectors", n);
  if (!err && n > 0) err = mdot_total(x, n, y, dots, sums);
  free(sums);
  return err;
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

ovk_err ovk_vec_norm1(const ovk_vec *x, double *value)
{
  if (!x) return OVK_ERR_ARG;
  OVK_CHECK_ALL(value, x->ctx, OVK_ERR_ARG, "value is NULL");
  double sum = 0;
  for (ovk_lidx i = 0; i < x->layout.local; i++) sum += fabs(x->array[i]);
  OVK_TRY(ovk__total(x->ctx, &sum, 1, MPI_SUM));
  *value = sum;
  return OVK_OK;
}

/* *value <- the maximum of `mine` over the ranks, NaN if `has_nan` on any rank: MPI_MAX alone may
 * lose a NaN. Collective. */
static ovk_err vec_total_max(ovk_ctx *ctx, double mine, bool has_nan, double *value)
{
  double both[2] = {mine, has_nan};
  OVK_TRY(ovk__total(ctx, both, 2, MPI_MAX));
  *value = both[1] > 0 ? NAN : both[0];
  return OVK_OK;
}

ovk_err ovk_vec_norm_inf(const ovk_vec *x, double *value)
{
  if (!x) return OVK_ERR_ARG;
  OVK_CHECK_ALL(value, x->ctx, OVK_ERR_ARG, "value is NULL");
  double most = 0;
  bool has_nan = false;
  for (ovk_lidx i = 0; i < x->layout.local; i++) {
    if (fabs(x->array[i]) > most) most = fabs(x->array[i]);
    has_nan |= isnan(x->array[i]);
  }
  return vec_total_max(x->ctx, most, has_nan, value);
}

/* *value <- the maximum of sign x over the rows of all ranks */
static ovk_err vec_signed_max(const ovk_vec *x, double sign, double *value)
{
  double most = -INFINITY;
  bool has_nan = false;
  for (ovk_lidx i = 0; i < x->layout.local; i++) {
    if (sign * x->array[i] > most) most = sign * x->array[i];
    has_nan |= isnan(x->array[i]);
  }
  return vec_total_max(x->ctx, most, has_nan, value);
}

ovk_err ovk_vec_max(const ovk_vec *x, double *value)
{
  if (!x) return OVK_ERR_ARG;
  OVK_CHECK_ALL(value, x->ctx, OVK_ERR_ARG, "value is NULL");
  return vec_signed_max(x, 1, value);
}

ovk_err ovk_vec_min(const ovk_vec *x, double *value)
{
  if (!x) return OVK_ERR_ARG;
  OVK_CHECK_ALL(value, x->ctx, OVK_ERR_ARG, "value is NULL");
  OVK_TRY(vec_signed_max(x, -1, value));
  *value = -*value;
  return OVK_OK;
}
