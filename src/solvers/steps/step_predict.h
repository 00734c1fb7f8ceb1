/* SPDX-License-Identifier: BSD-2-Clause */
/* Building blocks used by the predict-and-recompute method only; conventions as in step.h. */
#ifndef OVK_SOLVERS_STEPS_STEP_PREDICT_H
#define OVK_SOLVERS_STEPS_STEP_PREDICT_H

#include "solvers/kernels/updates_predict.h"
#include "solvers/steps/step_hiding.h"

/* The method's vectors. */
typedef struct ovk__predict_vecs {
  ovk_vec *x, *r, *rt, *w, *wt, *p, *s, *st, *u, *ut;
} ovk__predict_vecs;

/* rt <- C^-1 r; w <- A rt; wt <- C^-1 w; p <- rt; s <- w; st <- wt; and this rank's parts of the
 * sums */
void ovk__step_start_predict(ovk_solver *S, const ovk__predict_vecs *v,
                             double sums[OVK__PREDICT_SUMS]);

/* u <- A st; w <- A rt, with one halo exchange */
void ovk__step_mult_pair(ovk_solver *S, const ovk_vec *st, ovk_vec *u, const ovk_vec *rt,
                         ovk_vec *w, ovk_poll poll);

/* x <- x + alpha p; r <- r - alpha s; rt <- rt - alpha st; p <- rt + beta p; s <- (w - alpha u) +
 * beta s; st <- (wt - alpha ut) + beta st; and this rank's parts of the sums. For a diagonal C, rt
 * <- C^-1 r and st <- C^-1 s instead; wt and ut are not used. */
void ovk__step_update_predict(ovk_solver *S, double alpha, double beta, const ovk__predict_vecs *v,
                              double sums[OVK__PREDICT_SUMS]);

#endif
