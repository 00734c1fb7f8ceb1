/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a choice, for the functions that predict times. */
#ifndef OVK_PRECOND_AUTO_CHOOSER_H
#define OVK_PRECOND_AUTO_CHOOSER_H

#include "precond/auto/candidate.h"
#include "precond/auto/cost.h"
#include "precond/auto/features.h"

/* The iterations that amg needs, which depend little on the matrix. */
#define OVK__AUTO_AMG_ITERATIONS 12

typedef struct ovk__chooser {
  const ovk_mat *A;
  int solves;
  ovk__auto_features features;
  double seconds[OVK__AUTO_KINDS]; /* predicted for setup and solves; negative: no candidate */
} ovk__chooser;

/* c->seconds[kind] <- those of setup and solves with so many iterations. */
static inline void ovk__chooser_predict(ovk__chooser *c, ovk__auto_kind kind, double iterations)
{
  const ovk__auto_cost cost = ovk__auto_cost_of(&c->features, kind);
  c->seconds[kind] = cost.setup + c->solves * iterations * cost.iteration;
}

/* The seconds that are compared. A longer setup may be predicted to take more: numbers of
 * iterations are estimated too low rather than too high, because Ritz values are inside of the
 * spectrum. That of amg is known. */
static inline double ovk__chooser_compared(const ovk__chooser *c, ovk__auto_kind kind)
{
  static const double PREFERENCE[OVK__AUTO_KINDS] = {1, 1, 0.95, 0.95, 0.8};
  return PREFERENCE[kind] * c->seconds[kind];
}

/* Whether A has so many rows that coarse levels gain something. */
static inline bool ovk__chooser_takes_amg(const ovk__chooser *c)
{
  static const double FEW_ROWS = 4096;
  return c->features.global >= FEW_ROWS;
}

/* Predicts the times of jacobi, ic and amg for a symmetric A with a positive diagonal. *M is jacobi
 * at first, and the preconditioner that is set up at the end. *definite <- false if A is found not
 * to be positive definite; there are no predictions then. Collective; errors are agreed. */
ovk_err ovk__chooser_predict_definite(ovk__chooser *c, ovk__auto_candidate *M, bool *definite);

/* The same of jacobi, ilu and amg for a nonsymmetric A; `positive`: its diagonal is. */
ovk_err ovk__chooser_predict_general(ovk__chooser *c, const ovk__auto_candidate *jacobi,
                                     bool positive);

#endif
