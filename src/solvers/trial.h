/* SPDX-License-Identifier: BSD-2-Clause */
/* A trial of what iterations are made of, on the matrix, preconditioner, backend and machine at
 * hand. */
#ifndef OVK_SOLVERS_TRIAL_H
#define OVK_SOLVERS_TRIAL_H

#include "solvers/solver_impl.h"

/* Seconds, the greatest of all ranks. */
typedef struct ovk__costs {
  bool failed;     /* A or C did, on some rank: nothing is known, and the context says why */
  bool cheap_sums; /* next to a product: precond, update, dot and hidden are not known then */
  double product, precond;
  double update;  /* of x <- x + alpha p */
  double dot;     /* this rank's part of an inner product, of rows in the first cache */
  double latency; /* of a sum with nothing to hide it */
  double hidden;  /* the part of it, 0 to 1, that work of that length hides */
} ovk__costs;

/* Doubles a row that an update moves. */
enum { OVK__UPDATE_DOUBLES = 3 };

/* Some products, preconditioners and sums, a part of that where sums cost next to nothing. S has no
 * method yet. Collective; errors are agreed. What fails in A or C is no error here: the solve will
 * meet it, and can say more. */
ovk_err ovk__trial(const ovk_solver *S, ovk__costs *out);

#endif
