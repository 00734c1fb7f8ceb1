/* SPDX-License-Identifier: BSD-2-Clause */
/* Likely causes of a failed solve: A or C is not symmetric, or A is singular. Checked once a solve
 * has ended, not by the stopping rules. */
#include "matrix/asymmetry.h"
#include "solvers/kernels/updates.h"
#include "solvers/stopping/stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A larger relative asymmetry is not rounding. */
static const double SYMMETRIC = 1e-10;

/* Below this fraction of ||A|| ||x||, ||A x|| indicates that A is singular. */
static const double SINGULAR = 1e-10;

/* A hint costs up to five products: too much after a solve that was limited to fewer iterations
 * than this, where maxit may have been intended to end it. */
enum { MANY_ITERATIONS = 100 };

/* NaN, Inf and a monitor's stop have reasons of their own. */
static bool is_useful(const ovk_solver *S)
{
  switch (S->reason) {
  case OVK_REASON_MAXIT:
    return S->iterations >= MANY_ITERATIONS;
  case OVK_REASON_BREAKDOWN_INDEFINITE_A:
  case OVK_REASON_BREAKDOWN_INDEFINITE_M:
  case OVK_REASON_DIVERGED:
  case OVK_REASON_BREAKDOWN_LANCZOS:
  case OVK_REASON_BREAKDOWN_BICG:
  case OVK_REASON_STAGNATED:
  case OVK_REASON_STAGNATED_RESTART:
    return true;
  default:
    return false;
  }
}

/* norm_v <- ||v||, norm_w <- ||w||. Collective; errors are agreed. */
static ovk_err norms(ovk_solver *S, const ovk_vec *v, const ovk_vec *w, double *norm_v,
                     double *norm_w)
{
  const ovk_lidx n = v->layout.local;
  double squares[2] = {ovk__dot(n, v->array, v->array), ovk__dot(n, w->array, w->array)};
  OVK_TRY(ovk__stop_reduce(S, squares, 2, MPI_SUM));
  *norm_v = sqrt(squares[0]);
  *norm_w = sqrt(squares[1]);
  return OVK_OK;
}

/* Sets S->hint and S->norm_A. Failures are ignored: the solve has ended. All ranks have the same
 * numbers. */
static void check_symmetry(ovk_solver *S)
{
  double A = 0, C = 0, norm_v, norm_Av;
  ovk_vec *in = S->work[0], *out = S->work[1];
  if (ovk__asymmetry(ovk__mat_action, S->A, in, out, &A)) return;
  const bool general = S->method->A == OVK__A_ANY;
  if (A > SYMMETRIC && !general) {
    snprintf(S->hint, sizeof S->hint,
             "; A is not symmetric, as the method needs it to be: (u, A v) and (v, A u) differ by "
             "%.2g ||u|| ||A v||",
             A);
    return;
  }
  if (norms(S, in, out, &norm_v, &norm_Av)) return;
  if (norm_v > 0) S->norm_A = norm_Av / norm_v;
  if (general || S->C != OVK__C_OTHER || ovk__asymmetry(ovk__precond_action, S->M, in, out, &C))
    return;
  if (C > SYMMETRIC) {
    snprintf(S->hint, sizeof S->hint,
             "; the preconditioner is not symmetric, as the method needs it to be: (u, C^-1 v) and "
             "(v, C^-1 u) differ by %.2g ||u|| ||C^-1 v||",
             C);
  }
}

/* If b is not in the range of A, x grows along the null space of A until only rounding is left.
 * That depends on b, so each failed solve checks it. */
static void check_singular(ovk_solver *S)
{
  double norm_x, norm_Ax;
  ovk_vec *Ax = S->work[1];
  if (ovk__agree(S->ctx, ovk__mat_action(S->A, S->x, Ax))) return;
  if (norms(S, S->x, Ax, &norm_x, &norm_Ax)) return;
  const double bound = S->norm_A * norm_x;
  if (!(norm_Ax < SINGULAR * bound)) return;
  const size_t end = strlen(S->message);
  snprintf(S->message + end, sizeof S->message - end,
           "; A is singular or nearly so, as ||A x|| is %.2g ||A|| ||x||, and b may have a part "
           "that no A x has",
           norm_Ax / bound);
}

void ovk__stop_hint(ovk_solver *S)
{
  if (!is_useful(S)) return;
  if (!S->hint_checked) check_symmetry(S);
  S->hint_checked = true;
  const size_t end = strlen(S->message);
  snprintf(S->message + end, sizeof S->message - end, "%s", S->hint);
  if (!S->hint[0] && S->norm_A > 0) check_singular(S);
}
