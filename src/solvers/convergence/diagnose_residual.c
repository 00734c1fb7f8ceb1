/* SPDX-License-Identifier: BSD-2-Clause */
/* The origin of a residual whose square is NaN or Inf. */
#include "solvers/convergence/diagnose.h"
#include "solvers/ops/ops_impl.h"

/* (r, z), or (z, z), of z = M^-1 r is NaN or Inf, where r may be. */
static ovk_err diagnose_image(ovk_solver *S, const ovk_vec *r, const ovk_vec *z)
{
  const bool natural = S->opts.norm == OVK_NORM_NATURAL;
  return ovk__diagnose_value(
      S, &(ovk__bad_sum){natural ? "(r, M^-1 r)" : "(M^-1 r, M^-1 r)",
                         natural ? r : z,
                         z,
                         S->counts.iterations,
                         {{r, "the residual r"}, {z, "the preconditioner's output"}}});
}

ovk_err ovk__diagnose_image_of(ovk_solver *S, const ovk_vec *v)
{
  ovk__op_apply(S, v, S->work[OVK__WORK_SCRATCH], ovk_poll_none());
  return diagnose_image(S, v, S->work[OVK__WORK_SCRATCH]);
}

ovk_err ovk__diagnose_residual(ovk_solver *S, const char *x_name)
{
  const ovk_vec *r = S->work[OVK__WORK_R];
  return ovk__diagnose_value(S, &(ovk__bad_sum){"(b - A x, b - A x)",
                                                r,
                                                r,
                                                S->counts.iterations,
                                                {{S->x, x_name}, {r, "the product A x"}}});
}

ovk_err ovk__diagnose_recurrence(ovk_solver *S, const ovk_vec *z)
{
  const ovk_vec *r = S->work[OVK__WORK_R];
  if (S->opts.norm == OVK_NORM_UNPRECONDITIONED) {
    return ovk__diagnose_value(
        S, &(ovk__bad_sum){"(r, r)", r, r, S->counts.iterations, {{r, "the residual r"}}});
  }
  if (!S->D.d) return diagnose_image(S, r, z);
  ovk__op_apply(S, r, S->check[2], ovk_poll_none()); /* was not stored */
  return diagnose_image(S, r, S->check[2]);
}
