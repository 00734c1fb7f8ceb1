/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the forms of conjugate gradients for several columns: the scalars of the columns. The
 * coefficients of a column that does not run are 0. */
#ifndef OVK_SOLVERS_METHODS_CG_CG_MANY_H
#define OVK_SOLVERS_METHODS_CG_CG_MANY_H

#include "solvers/many/ops_many.h"

/* The places of ovk__many.scalar; a form may have more after them. */
enum { OVK__ALPHA, OVK__BETA, OVK__GAMMA, OVK__CG_SCALARS };

/* gamma <- the first one. A column whose gamma is not positive leaves, here and below. */
void ovk__many_first_gamma(ovk__many *B, const double *gamma_first);

/* alpha <- gamma / (p, s), unless A is not definite */
void ovk__many_step_lengths(ovk__many *B, const double *sdotp);

/* Counts and tests an iteration of each column; beta <- gamma_new / gamma; gamma <- gamma_new */
ovk_err ovk__many_test_columns(ovk__many *B, const double *gamma_new, const double *square);

/* The totals of an iteration with one reduction: tests each column, except in the first iteration;
 * alpha, beta and gamma <- those of the next step, where delta is (w, u), w = A u, M u = r */
ovk_err ovk__many_recur(ovk__many *B, bool first, const double *gamma_new, const double *delta,
                        const double *square);

#endif
