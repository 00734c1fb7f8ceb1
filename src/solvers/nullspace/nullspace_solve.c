/* SPDX-License-Identifier: BSD-2-Clause */
/* Null spaces in a solve. The null space of A^T is removed from b at the start, and that of A from
 * x at the start and the end. ops/ops_nullspace.c removes the latter from M^-1 r in the
 * iterations. */
#include "solvers/nullspace/nullspace.h"
#include "solvers/ops/ops.h"
#include "solvers/ops/scale.h"

#include <float.h>
#include <math.h>

/* The removal of a larger fraction of b is reported. */
static const double NOTABLE = 1e-10;

/* If no more than this fraction of b is left, that is rounding. */
static const double NOTHING = 16 * DBL_EPSILON;

/* Of the square of x: the rest of x is smaller by a factor of 100. */
static const double NEARLY_ALL = 1 - 1e-4;

/* The space that is removed from b, as no A x has a part in it; NULL: none is known. */
static const ovk__null_space *nullspace_left(const ovk_solver *S)
{
  if (S->left_null.count) return &S->left_null;
  return S->null.count && S->values.null_is_left ? &S->null : NULL;
}

/* The second projection removes the rounding errors of the first. */
static ovk_err nullspace_project_rhs(ovk_solver *S, const ovk__null_space *N)
{
  ovk__split first, second;
  OVK_TRY(ovk__op_project(S, N, S->null_rhs, &first));
  OVK_TRY(ovk__op_project(S, N, S->null_rhs, &second));
  if (!(first.whole > 0) || !isfinite(first.whole)) return OVK_OK;
  S->norms.null_part = fmin(1, sqrt(first.null / first.whole));
  const double left = second.whole - second.null;
  if (left <= NOTHING * NOTHING * first.whole) OVK_TRY(ovk_vec_fill(S->null_rhs, 0));
  if (S->norms.null_part > NOTABLE) {
    ovk__notify(S->ctx,
                "b is not in the range of A: its part in the null space of A^T, %.3g ||b||, was "
                "removed",
                S->norms.null_part);
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_start(ovk_solver *S)
{
  const ovk__null_space *N = nullspace_left(S);
  if (N) {
    OVK_TRY(ovk_vec_copy(S->b, S->null_rhs));
    S->b = S->null_rhs;
    OVK_TRY(nullspace_project_rhs(S, N));
  }
  return ovk__nullspace_end(S);
}

/* The rounding errors of a projection are about eps times the part that it removes. If that part
 * was nearly all of x, they may be as large as the rest, and are removed in turn. */
ovk_err ovk__nullspace_end(ovk_solver *S)
{
  enum { MOST = 32 };
  ovk__split x = {.whole = 1, .null = 1};
  for (int k = 0; S->null.count && k < MOST; k++) {
    if (!(x.null > NEARLY_ALL * x.whole) && !isinf(x.whole)) break;
    OVK_TRY(ovk__op_project(S, &S->null, S->x, &x));
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_action(const void *solver, const ovk_vec *in, ovk_vec *out)
{
  ovk_solver *S = (ovk_solver *)solver;
  OVK_TRY(ovk_vec_copy(in, S->null_rhs));
  OVK_TRY(ovk__op_project(S, &S->null, S->null_rhs, NULL));
  const ovk_err own = ovk__scale_solve(S, S->null_rhs, out);
  /* also after a failure: it is collective */
  const ovk_err sum = ovk__op_project(S, &S->null, out, NULL);
  return own ? own : sum;
}
