/* SPDX-License-Identifier: BSD-2-Clause */
/* Bounds of the rounding errors of conjugate gradients. */
#include "solvers/ops/rounding.h"
#include "solvers/ops/ops_impl.h"

#include <float.h>
#include <math.h>

/* The unit roundoff. */
static const double EPS = DBL_EPSILON / 2;

/* Makes up for the rounding errors of the totals and of the bounds themselves. */
static const double SAFETY = 1.01;

/* The same on all ranks. */
static bool rounding_is_of_use(const ovk_solver *S, bool x_is_zero)
{
  const bool plain = !S->exact && !S->null.count && !S->left_null.count && !S->guesses;
  return x_is_zero && plain && !S->best.used && S->A->state == OVK__MAT_SHELL &&
         S->opts.norm == OVK_NORM_PRECONDITIONED;
}

/* The square of the Frobenius norm of this rank's part of a diagonal M^-1. */
static double rounding_diagonal(const ovk_solver *S)
{
  double squares = 0;
  if (!S->D.d) return 0;
  for (ovk_lidx i = 0; i < rows(S); i++) {
    const double d = S->D.d[S->D.constant ? 0 : i];
    squares += d * d;
  }
  return squares;
}

void ovk__rounding_parts(ovk_solver *S, bool x_is_zero, double parts[OVK__ROUNDING_SUMS])
{
  double square = INFINITY;
  parts[OVK__ROUNDING_PRODUCT] = parts[OVK__ROUNDING_DIAGONAL] = 0;
  if (!rounding_is_of_use(S, x_is_zero)) return;
  if (S->A->ops.rounding) {
    const unsigned before = S->ctx->message_count;
    const ovk_err err = S->A->ops.rounding(S->A->user, &square);
    ovk__op_record_error(S, ovk__user_failed(S->ctx, before, err, "the shell operator's rounding"));
  }
  parts[OVK__ROUNDING_PRODUCT] = square;
  parts[OVK__ROUNDING_DIAGONAL] = rounding_diagonal(S);
}

void ovk__rounding_take_totals(ovk_solver *S, const double totals[OVK__ROUNDING_SUMS])
{
  const double square = totals[OVK__ROUNDING_PRODUCT];
  S->rounding = (ovk__rounding){.product = isfinite(square) ? SAFETY * sqrt(square) : 0,
                                .diagonal = SAFETY * sqrt(totals[OVK__ROUNDING_DIAGONAL]),
                                .gap = INFINITY};
}

void ovk__rounding_start(ovk_solver *S)
{
  ovk__rounding *B = &S->rounding;
  if (!(B->product > 0)) return;
  B->p = SAFETY * sqrt(S->norms.rr);
  B->r = SAFETY * sqrt(S->norms.plain_bb);
  B->x = B->gap = 0;
}

/* The errors of a step: that of A p, times alpha; of r - alpha s, at most EPS (||r|| + ||alpha
 * s||); of x + alpha p, at most EPS (||x|| + ||alpha p||), times A. */
void ovk__rounding_step(ovk_solver *S, double alpha, double gamma, double zz, double beta)
{
  ovk__rounding *B = &S->rounding;
  if (!(B->product > 0)) return;
  const double norm_z = sqrt(zz), step = SAFETY * fabs(alpha) * B->p;
  B->x += step;
  B->r += B->product * step;
  B->gap += SAFETY * EPS * (B->product * (B->x + 3 * step) + B->r);
  B->least_r = fabs(gamma) / (SAFETY * norm_z); /* (r, z) <= ||r|| ||z|| */
  B->p = SAFETY * (norm_z + fabs(beta) * B->p);
}
