/* SPDX-License-Identifier: BSD-2-Clause */
/* Compile-time cases of a diagonal M^-1 = D, so that a sweep keeps a constant D in a register. */
#ifndef OVK_SOLVERS_KERNELS_DIAGONAL_STEP_H
#define OVK_SOLVERS_KERNELS_DIAGONAL_STEP_H

#include "precond/diagonal.h"

#include <stddef.h>

/* Executes `statement` with `step` declared as a compile-time constant, such that row i of D is
 * D.d[i * step]: 0 if D is constant, else 1. */
#define OVK_WITH_STEP(D, step, statement)                                                          \
  do {                                                                                             \
    if ((D).constant) {                                                                            \
      enum { step = 0 };                                                                           \
      statement;                                                                                   \
    } else {                                                                                       \
      enum { step = 1 };                                                                           \
      statement;                                                                                   \
    }                                                                                              \
  } while (0)

/* The same with `d` declared, which is NULL if M is not diagonal, else D.d. */
#define OVK_WITH_DIAGONAL(D, d, step, statement)                                                   \
  do {                                                                                             \
    if (!(D).d) {                                                                                  \
      const double *const d = NULL;                                                                \
      enum { step = 0 };                                                                           \
      statement;                                                                                   \
    } else {                                                                                       \
      const double *const d = (D).d;                                                               \
      OVK_WITH_STEP(D, step, statement);                                                           \
    }                                                                                              \
  } while (0)

#endif
