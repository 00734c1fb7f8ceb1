/* SPDX-License-Identifier: BSD-2-Clause */
/* The residual r = b - A x in S->work[OVK__WORK_R] where a method starts and ends, and its global
 * squares. Collective; failures of a product or of the preconditioner on any rank are errors on
 * all. */
#ifndef OVK_SOLVERS_RESIDUAL_H
#define OVK_SOLVERS_RESIDUAL_H

#include "solvers/ops/ops.h"

/* Before the first method, with the squares of b. With x = 0, b and r are the same vector. */
ovk_err ovk__residual_first(ovk_solver *S, bool x_is_zero, ovk__square *b, ovk__square *r);

/* At any later time. */
ovk_err ovk__residual_later(ovk_solver *S, ovk__square *r);

/* As a method ends. A user's M^-1 may be a multigrid cycle, which takes as long as an iteration. It
 * is not applied where the method's r, in work[OVK__WORK_R], agrees with b - A x so well that the
 * method's norm of M^-1 r holds, too. Where S->rounding shows that, b - A x is not computed, and
 * r->plain is -1. */
ovk_err ovk__residual_last(ovk_solver *S, ovk__square *r);

#endif
