/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of the message of a failed solve: its likely cause, and the next thing to try. */
#ifndef OVK_SOLVERS_CONVERGENCE_ADVICE_H
#define OVK_SOLVERS_CONVERGENCE_ADVICE_H

#include "solvers/state/state.h"

/* Facts about a failed solve, as bits. Those that the stopping rules find are in S->facts. */
enum {
  OVK__FACT_SYMMETRIC = 1 << 0,    /* A is */
  OVK__FACT_ASYMMETRIC = 1 << 1,   /* A is not, and the method needs it to be */
  OVK__FACT_ASYMMETRIC_M = 1 << 2, /* the preconditioner is not, and the method needs it to be */
  OVK__FACT_CONSTANT = 1 << 3,     /* A 1 = 0 and 1^T A = 0, and no null space was given */
  OVK__FACT_ROW_SUMS = 1 << 4,     /* A 1 = 0, and no null space was given */
  OVK__FACT_SMALL_AX = 1 << 5,     /* ||A x|| is */
  OVK__FACT_LARGE_M = 1 << 6,      /* ||M^-1|| is, compared with 1 / ||A|| */
  OVK__FACT_ANY_A = 1 << 7,        /* the method takes any A */
  OVK__FACT_RESTARTS = 1 << 8,     /* the method is a gmres */
  OVK__FACT_FLOAT_BASIS = 1 << 9,  /* basis=float */
  OVK__FACT_SHELL = 1 << 10,       /* A is one, and there is no preconditioner */
  OVK__FACT_DIAGONAL_M = 1 << 11,  /* the preconditioner is diagonal or none */
  OVK__FACT_NO_TREND = 1 << 12,    /* too few iterations */
  OVK__FACT_NEAR = 1 << 13,        /* twice the iterations would do */
  OVK__FACT_RANGE = 1 << 14,       /* a sum of finite numbers overflows or underflows */
  OVK__FACT_BAD_ENTRIES = 1 << 15, /* entries that are NaN or Inf were found */
  OVK__FACT_BAD_SUM = 1 << 16,     /* the reduction returned NaN or Inf */
  OVK__FACT_SAID = 1 << 17,        /* by opts.spd or opts.symmetric: A is symmetric */
  OVK__FACT_SAID_SPD = 1 << 18,    /* by opts.spd: A is positive definite */
  OVK__FACT_FLOAT_M = 1 << 19,     /* the preconditioner has values in float */
};

/* The reasons that a rule is for, as bits 1 << -reason. */
#define OVK__FOR(reason) (1u << -(int)OVK_REASON_##reason)

/* For these reasons and facts, which must all hold, this is the cause ("": the message has it)
 * and the remedy. The first rule that fits is taken. */
typedef struct ovk__advice {
  unsigned reasons, facts;
  const char *cause, *remedy;
} ovk__advice;

/* All rules; the table in docs/guide.md has them line by line. */
const ovk__advice *ovk__advice_rules(int *n);

/* Whether ovk__advise() measures A and M: only then it reads x. The same on all ranks. */
bool ovk__advice_is_worth_spmvs(const ovk_solver *S);

/* Appends cause and remedy to the message of a failed solve. Overwrites work vectors. Collective.
 */
void ovk__advise(ovk_solver *S);

/* text <- the trend of the residual, "" if it is not known; returns OVK__FACT_NO_TREND,
 * OVK__FACT_NEAR or 0. */
unsigned ovk__trend_write(const ovk_solver *S, char *text, size_t size);

/* The facts that products with A and M show after a failed solve. At most six products and
 * applications, all but one in the first such solve only. Overwrites work vectors. Collective. */
unsigned ovk__traits_measure(ovk_solver *S);

/* text <- the numbers of these facts, "" for most. */
void ovk__traits_write(const ovk_solver *S, unsigned facts, char *text, size_t size);

#endif
