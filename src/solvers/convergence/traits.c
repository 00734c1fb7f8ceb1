/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of A and of the preconditioner M from a few products: symmetry, singularity and norms.
 * They are measured once a solve has failed. Failures are ignored, as the solve has ended. All
 * ranks have the same numbers. */
#include "core/context/agree.h"
#include "matrix/symmetry/symmetry.h"
#include "solvers/convergence/advice.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"

#include <math.h>
#include <stdio.h>

/* A larger relative asymmetry is not rounding. */
static const double SYMMETRIC = 1e-10;

/* A vector below this fraction of its largest possible norm is 0 up to rounding. */
static const double ZERO = 1e-10;

/* ||A|| ||M^-1|| above this makes no preconditioner in double precision. */
static const double LARGE = 1e30;

/* *norm_v <- ||v||, *norm_w <- ||w||, *sum <- (1, w). Collective; errors are agreed. */
static ovk_err traits_reduce(ovk_solver *S, const ovk_vec *v, const ovk_vec *w, double *norm_v,
                             double *norm_w, double *sum)
{
  double sums[] = {ovk__part_dot(S, v->array, v->array), ovk__part_dot(S, w->array, w->array),
                   ovk__part_sum(S, w->array)};
  OVK_TRY(ovk__dots_total(S, 3, sums, sums));
  *norm_v = sqrt(sums[0]);
  *norm_w = sqrt(sums[1]);
  *sum = sums[2];
  return OVK_OK;
}

/* The asymmetry of an operator, and ||out|| / ||in|| and the sum of out over its largest value for
 * the last vector. */
static ovk_err traits_probe(ovk_solver *S, ovk__operator apply, const void *object,
                            double *asymmetry, double *norm, double *sum)
{
  double norm_in, norm_out, total;
  ovk_vec *in = S->work[OVK__WORK_R], *out = S->work[OVK__WORK_SCRATCH];
  OVK_TRY(ovk__asymmetry(apply, object, in, out, asymmetry));
  OVK_TRY(traits_reduce(S, in, out, &norm_in, &norm_out, &total));
  *norm = norm_in > 0 ? norm_out / norm_in : 0;
  *sum = norm_out > 0 ? fabs(total) / (norm_out * sqrt((double)in->layout.global)) : 0;
  return OVK_OK;
}

/* ||A v|| / (||A|| ||v||), with A v in a work vector; INFINITY if it is not known. */
static double traits_growth(ovk_solver *S, const ovk_vec *v)
{
  double norm_v, norm_Av, sum;
  if (ovk__agree(S->ctx, ovk__mat_action(S->A, v, S->work[OVK__WORK_SCRATCH]))) return INFINITY;
  if (traits_reduce(S, v, S->work[OVK__WORK_SCRATCH], &norm_v, &norm_Av, &sum)) return INFINITY;
  return norm_v > 0 ? norm_Av / (S->values.traits.norm_A * norm_v) : INFINITY;
}

static void traits_measure_operator(ovk_solver *S)
{
  ovk__traits *t = &S->values.traits;
  double sum_M;
  *t =
      (ovk__traits){.measured = true, .A_asymmetry = NAN, .M_asymmetry = NAN, .row_sums = INFINITY};
  if (traits_probe(S, ovk__mat_action, S->A, &t->A_asymmetry, &t->norm_A, &t->column_sums)) return;
  if (S->M_kind == OVK__M_OTHER &&
      traits_probe(S, ovk__precond_action, S->M, &t->M_asymmetry, &t->norm_M, &sum_M)) {
    t->M_asymmetry = NAN;
  }
  if (S->method->A != OVK__A_ANY && t->A_asymmetry > SYMMETRIC) {
    (void)ovk__mat_asymmetric_pair(S->A, S->work[OVK__WORK_R], &t->pair);
  }
  if (S->null.count || S->left_null.count || !(t->norm_A > 0)) return;
  (void)ovk_vec_fill(S->work[OVK__WORK_R], 1);
  t->row_sums = traits_growth(S, S->work[OVK__WORK_R]);
}

unsigned ovk__traits_measure(ovk_solver *S)
{
  ovk__traits *t = &S->values.traits;
  const bool needs_symmetry = S->method->A != OVK__A_ANY;
  if (!t->measured) traits_measure_operator(S);
  t->small_Ax = t->norm_A > 0 ? traits_growth(S, S->x) : INFINITY;
  unsigned facts = t->A_asymmetry <= SYMMETRIC ? OVK__FACT_SYMMETRIC : 0;
  if (needs_symmetry && t->A_asymmetry > SYMMETRIC) facts |= OVK__FACT_ASYMMETRIC;
  if (needs_symmetry && t->M_asymmetry > SYMMETRIC) facts |= OVK__FACT_ASYMMETRIC_M;
  if (t->row_sums < ZERO) {
    facts |= t->column_sums < ZERO ? OVK__FACT_CONSTANT : OVK__FACT_ROW_SUMS;
  }
  if (t->small_Ax < ZERO) facts |= OVK__FACT_SMALL_AX;
  if (isfinite(t->norm_A) && t->norm_M * t->norm_A > LARGE) facts |= OVK__FACT_LARGE_M;
  return facts;
}

void ovk__traits_write(const ovk_solver *S, unsigned facts, char *text, size_t size)
{
  const ovk__traits *t = &S->values.traits;
  text[0] = '\0';
  if (facts & OVK__FACT_ASYMMETRIC && t->pair.entry != t->pair.mirrored) {
    snprintf(text, size, ": row %lld, column %lld is %.12g, but row %lld, column %lld is %.12g",
             (long long)t->pair.row, (long long)t->pair.col, t->pair.entry, (long long)t->pair.col,
             (long long)t->pair.row, t->pair.mirrored);
  } else if (facts & OVK__FACT_ASYMMETRIC) {
    snprintf(text, size, ": (u, A v) and (v, A u) differ by %.2g ||u|| ||A v||", t->A_asymmetry);
  } else if (facts & OVK__FACT_ASYMMETRIC_M) {
    snprintf(text, size, ": (u, M^-1 v) and (v, M^-1 u) differ by %.2g ||u|| ||M^-1 v||",
             t->M_asymmetry);
  } else if (facts & OVK__FACT_SMALL_AX) {
    snprintf(text, size, ", as ||A x|| is %.2g ||A|| ||x||", t->small_Ax);
  }
}
