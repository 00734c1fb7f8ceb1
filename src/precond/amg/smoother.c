/* SPDX-License-Identifier: BSD-2-Clause */
/* Chebyshev smoothing of the fourth kind:
 * d_k = (2 k - 3) / (2 k + 1) d_k-1 + (8 k - 4) / ((2 k + 1) lambda) D^-1 r, x <- x + d_k,
 * r <- r - A d_k. */
#include "precond/amg/smoother.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/spectrum.h"

#include <math.h>
#include <ovkrylov/plugin/poll.h>
#include <stdlib.h>

/* The largest Ritz value lies inside the spectrum: the factor that makes a bound of it. */
static const double ABOVE = 1.1;

/* Rounds up to 6 bits, so that different roundings of the same number give the same. */
static double smoother_round_up(double value)
{
  int exponent;
  const double fraction = frexp(value, &exponent);
  return ldexp(ceil(fraction * 64) / 64, exponent);
}

/* z <- D^-1 r */
static ovk_err smoother_scale(const void *state, const ovk_vec *r, ovk_vec *z)
{
  const ovk__amg_smoother *S = state;
  for (ovk_lidx i = 0; i < r->layout.local; i++) z->array[i] = S->inverse[i] * r->array[i];
  return OVK_OK;
}

static ovk_err smoother_invert(ovk__amg_smoother *S, int level, const ovk_vec *d)
{
  for (ovk_lidx i = 0; i < d->layout.local; i++) {
    S->inverse[i] = 1 / d->array[i];
    OVK_CHECK(d->array[i] > 0 && S->inverse[i] > 0 && isfinite(S->inverse[i]), d->ctx,
              OVK_ERR_INDEFINITE, "amg needs a positive diagonal: row %lld of level %d has %g",
              (long long)(d->layout.first + i), level, d->array[i]);
  }
  return OVK_OK;
}

static ovk_err smoother_allocate(const ovk_mat *A, ovk__amg_smoother *S)
{
  OVK_NEW_ARRAY(A->ctx, S->inverse, A->layout.local);
  OVK_NEW_ARRAY(A->ctx, S->d, A->layout.local);
  OVK_NEW_ARRAY(A->ctx, S->t, A->layout.local);
  return OVK_OK;
}

static ovk_err smoother_find_bound(ovk__amg_smoother *S, int level,
                                   ovk_vec *const work[OVK__SPECTRUM_VECTORS])
{
  ovk_ctx *ctx = S->A->ctx;
  double lambda_min, lambda_max;
  OVK_TRY(ovk_mat_diagonal(S->A, work[0]));
  OVK_TRY(ovk__agree(ctx, smoother_invert(S, level, work[0])));
  OVK_TRY(ovk__spectrum(ovk__mat_action, S->A, smoother_scale, S, work, &lambda_min, &lambda_max));
  if (S->A->layout.global == 0) lambda_max = 1; /* any bound will do */
  OVK_CHECK(lambda_max > 0 && isfinite(lambda_max), ctx, OVK_ERR_INDEFINITE,
            "amg needs a positive definite matrix: the largest Ritz value of level %d is %g", level,
            lambda_max);
  S->largest = smoother_round_up(lambda_max);
  S->lambda = ABOVE * S->largest;
  return OVK_OK;
}

ovk_err ovk__amg_smoother_create(const ovk_mat *A, int level, int degree, ovk__amg_smoother *out)
{
  ovk_vec *work[OVK__SPECTRUM_VECTORS] = {NULL};
  *out = (ovk__amg_smoother){.A = A, .degree = degree};
  ovk_err err = ovk__agree(A->ctx, smoother_allocate(A, out));
  for (int k = 0; k < OVK__SPECTRUM_VECTORS && !err; k++) err = ovk_mat_create_vec(A, &work[k]);
  if (!err) err = smoother_find_bound(out, level, work);
  for (int k = 0; k < OVK__SPECTRUM_VECTORS; k++) ovk_vec_destroy(&work[k]);
  return err;
}

void ovk__amg_smoother_free(ovk__amg_smoother *S)
{
  free(S->inverse);
  free(S->d);
  free(S->t);
  *S = (ovk__amg_smoother){0};
}

/* d <- old d + new D^-1 r; x <- x + d, where x starts at 0 in the first step from zero. */
static void smoother_step(const ovk__amg_smoother *S, int k, bool from_zero, const double *r,
                          double *x, ovk_poll poll)
{
  const double last = k == 1 ? 0 : (2. * k - 3) / (2. * k + 1);
  const double next = (8. * k - 4) / ((2. * k + 1) * S->lambda);
  const bool first = k == 1, set = first && from_zero;
  const ovk_lidx n = S->A->layout.local;
  double *d = S->d;
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx j = i; j < end; j++) {
      d[j] = (first ? 0 : last * d[j]) + next * S->inverse[j] * r[j];
      x[j] = set ? d[j] : x[j] + d[j];
    }
    ovk_poll_call(poll);
  }
}

/* out <- r - A v */
static ovk_err smoother_subtract(const ovk__amg_smoother *S, const double *r, const double *v,
                                 double *out, ovk_poll poll)
{
  double unused;
  const ovk_lidx n = S->A->layout.local;
  const ovk_err err = ovk__mat_mult_arrays(S->A, v, S->t, poll, &unused);
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx j = i; j < end; j++) out[j] = r[j] - S->t[j];
    ovk_poll_call(poll);
  }
  return err;
}

/* A product that fails on this rank is followed by the others, in which all ranks take part. */
ovk_err ovk__amg_smooth_from_zero(const ovk__amg_smoother *S, const double *b, double *x, double *r,
                                  ovk_poll poll)
{
  ovk_err err = OVK_OK;
  for (int k = 1; k <= S->degree; k++) {
    smoother_step(S, k, true, k == 1 ? b : r, x, poll);
    const ovk_err product = smoother_subtract(S, k == 1 ? b : r, S->d, r, poll);
    if (!err) err = product;
  }
  return err;
}

ovk_err ovk__amg_smooth(const ovk__amg_smoother *S, const double *b, double *x, double *r,
                        ovk_poll poll)
{
  ovk_err err = smoother_subtract(S, b, x, r, poll);
  for (int k = 1; k <= S->degree; k++) {
    smoother_step(S, k, false, r, x, poll);
    if (k == S->degree) break;
    const ovk_err product = smoother_subtract(S, r, S->d, r, poll);
    if (!err) err = product;
  }
  return err;
}

int64_t ovk__amg_smoother_bytes(const ovk__amg_smoother *S)
{
  return S->A ? 3 * S->A->layout.local * (int64_t)sizeof *S->inverse : 0;
}
