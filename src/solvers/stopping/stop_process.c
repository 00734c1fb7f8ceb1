/* SPDX-License-Identifier: BSD-2-Clause */
/* Stopping rules of the methods for matrices that need not be positive definite, where no inner
 * product must be positive: numbers that doubles cannot work with, and quantities that vanish. */
#include "solvers/steps/step_impl.h"
#include "solvers/stopping/stop.h"

#include <math.h>

bool ovk__stop_product(ovk_solver *S, double value, const char *name, const ovk_vec *u,
                       const ovk_vec *z, const ovk_vec *s)
{
  if (isfinite(value)) return false;
  const char *C = "the preconditioner's output";
  const bool left = S->settings.left;
  const ovk__bad_sum sum = {name,
                            u,
                            s,
                            S->iterations + 1,
                            {{z, left ? "A times a vector, so A does" : C},
                             {s, left ? C : "A times that, so A does"},
                             {u, "the residual"}}};
  ovk__step_keep(S, ovk__stop_diagnose(S, &sum));
  return true;
}

void ovk__stop_vanished(ovk_solver *S, ovk_reason reason, const char *name, double value,
                        double scale)
{
  const char *what = reason == OVK_REASON_BREAKDOWN_LANCZOS ? "the Lanczos process breaks down"
                     : reason == OVK_REASON_BREAKDOWN_BICG  ? "the BiCG process breaks down"
                                                            : "A is singular on the Krylov space";
  ovk__stop(S, reason, "%s: %s = %g in iteration %d, of %g that its factors allow", what, name,
            value, S->iterations + 1, scale);
}
