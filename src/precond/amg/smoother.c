/* SPDX-License-Identifier: BSD-2-Clause */
/* Chebyshev smoothing of the fourth kind: with d_0 = 0,
 * d_k = (2 k - 3) / (2 k + 1) d_k-1 + (8 k - 4) / ((2 k + 1) lambda) D^-1 (b - A x), x <- x + d_k.
 */
#include "precond/amg/smoother.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/polynomial.h"
#include "precond/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest Ritz value lies inside the spectrum: the factor that makes a bound of it. */
static const double ABOVE = 1.1;

/* Ritz values of a semidefinite matrix are not below this fraction of the largest, negated. */
static const double ZERO = 1e-8;

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

static const char *smoother_advise(const ovk_vec *d)
{
  for (ovk_lidx i = 0; i < d->layout.local; i++) {
    if (!(d->array[i] < 0)) return "";
  }
  return ": all entries of the diagonal of this rank are negative, so scale A by -1";
}

static ovk_err smoother_invert(ovk__amg_smoother *S, int level, const ovk_vec *d)
{
  for (ovk_lidx i = 0; i < d->layout.local; i++) {
    S->inverse[i] = 1 / d->array[i];
    OVK_CHECK(d->array[i] > 0 && S->inverse[i] > 0 && isfinite(S->inverse[i]), d->ctx,
              OVK_ERR_INDEFINITE, "amg needs a positive diagonal: row %lld of level %d has %g%s",
              (long long)(d->layout.first + i), level, d->array[i], smoother_advise(d));
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

/* For the values of `symmetric`. */
static ovk_err smoother_find_bound(ovk__amg_smoother *S, const ovk_mat *symmetric, int level,
                                   ovk_vec *const work[OVK__SPECTRUM_VECTORS])
{
  ovk_ctx *ctx = S->A->ctx;
  double lambda_min, lambda_max;
  OVK_TRY(ovk_mat_diagonal(symmetric, work[0]));
  OVK_TRY(ovk__agree(ctx, smoother_invert(S, level, work[0])));
  OVK_TRY(ovk__spectrum(ovk__mat_action, symmetric, smoother_scale, S, symmetric->keys, work,
                        &lambda_min, &lambda_max));
  if (S->A->layout.global == 0) lambda_max = 1; /* any bound will do */
  OVK_CHECK(lambda_max > 0 && isfinite(lambda_max), ctx, OVK_ERR_INDEFINITE,
            "amg needs a positive definite matrix: the largest Ritz value of level %d is %g", level,
            lambda_max);
  OVK_CHECK(lambda_min >= -ZERO * lambda_max, ctx, OVK_ERR_INDEFINITE,
            "amg needs a positive definite matrix: the smallest Ritz value of level %d is %g, the "
            "largest %g",
            level, lambda_min, lambda_max);
  S->largest = smoother_round_up(lambda_max);
  S->lambda = ABOVE * S->largest;
  return OVK_OK;
}

ovk_err ovk__amg_smoother_create(const ovk_mat *A, const ovk_mat *S, int level, int degree,
                                 ovk__amg_smoother *out)
{
  ovk_vec *work[OVK__SPECTRUM_VECTORS] = {NULL};
  *out = (ovk__amg_smoother){.A = A, .width = 1, .degree = degree};
  ovk_err err = ovk__agree(A->ctx, smoother_allocate(A, out));
  for (int k = 0; k < OVK__SPECTRUM_VECTORS && !err; k++) err = ovk_mat_create_vec(A, &work[k]);
  if (!err) err = smoother_find_bound(out, S, level, work);
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

/* Step k from the iterate in *here, which it exchanges with *there. */
static ovk_err smoother_step(const ovk__amg_smoother *S, int k, ovk__last_correction last,
                             const double *b, double **here, double **there, ovk_poll poll)
{
  ovk__polynomial_step step = {.width = S->width,
                               .beta = (2. * k - 3) / (2. * k + 1),
                               .alpha = (8. * k - 4) / ((2. * k + 1) * S->lambda),
                               .inverse = S->inverse,
                               .r = b,
                               .z = *here,
                               .last = last,
                               .p = S->d,
                               .ends = k == S->degree};
  double *next = *there;
  const ovk_err err = ovk__polynomial_advance(S->A, &step, next, poll);
  *there = *here;
  *here = next;
  return err;
}

/* The last iterate is in x. A product that fails on this rank is followed by the others, in which
 * all ranks take part. */
ovk_err ovk__amg_smooth_from_zero(const ovk__amg_smoother *S, const double *b, double *x,
                                  ovk_poll poll)
{
  const bool odd = S->degree % 2;
  double *here = odd ? x : S->t, *there = odd ? S->t : x;
  ovk_err err = OVK_OK;
  ovk__polynomial_start(S->A->layout.local, S->width, 4 / (3 * S->lambda), S->inverse, b, here,
                        poll);
  for (int k = 2; k <= S->degree; k++) {
    const ovk__last_correction last = k == 2 ? OVK__CORRECTION_IS_Z : OVK__CORRECTION_IN_P;
    const ovk_err step = smoother_step(S, k, last, b, &here, &there, poll);
    if (!err) err = step;
  }
  const ovk_err residual = ovk__polynomial_residual(S->A, S->width, b, x, S->t, poll);
  return err ? err : residual;
}

ovk_err ovk__amg_smooth(const ovk__amg_smoother *S, const double *b, double *x, ovk_poll poll)
{
  const size_t n = (size_t)S->A->layout.local * (size_t)S->width;
  double *here = x, *there = S->t;
  ovk_err err = OVK_OK;
  for (int k = 1; k <= S->degree; k++) {
    const ovk__last_correction last = k == 1 ? OVK__CORRECTION_NONE : OVK__CORRECTION_IN_P;
    const ovk_err step = smoother_step(S, k, last, b, &here, &there, poll);
    if (!err) err = step;
  }
  if (here != x && n) memcpy(x, here, n * sizeof *x);
  return err;
}

int64_t ovk__amg_smoother_bytes(const ovk__amg_smoother *S)
{
  return S->A ? 3 * (int64_t)S->A->layout.local * (int64_t)sizeof *S->inverse : 0;
}
