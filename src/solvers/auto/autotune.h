/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the parts of an iteration with the actual matrix, preconditioner, backend and machine.
 */
#ifndef OVK_SOLVERS_AUTO_AUTOTUNE_H
#define OVK_SOLVERS_AUTO_AUTOTUNE_H

#include "solvers/state/state.h"

/* Seconds, maximum over the ranks. */
typedef struct ovk__costs {
  ovk__matrix_class A;   /* of the system, as far as it is known */
  const char *class_why; /* as ovk__matrix_class_of() has it */
  bool failed; /* A or M failed on some rank: nothing else is set; the context has the message */
  bool alone;  /* no reduction takes time: nothing else is set */
  bool no_factors;       /* methods that need factors of M are no candidates */
  bool cheap_reductions; /* compared with product, sweeps and precond: update, dot and hidden are
                            not set */
  double product;
  double sweeps;            /* updates of an iteration of the simplest method, at least */
  double precond;           /* 0 if the product alone shows that sums are cheap */
  double update;            /* of x <- x + alpha p */
  double dot;               /* local part of an inner product, of rows in the L1 cache */
  double latency;           /* of a blocking reduction */
  double hidden;            /* the fraction of it, 0 to 1, that work of the same duration hides */
  bool never_polls;         /* M does not poll sums: */
  double hidden_by_precond; /* the same fraction for M */
} ovk__costs;

/* Doubles per row that an update moves. */
enum { OVK__UPDATE_DOUBLES = 3 };

/* Times products, sums, updates and M; if sums are cheap, only products, sums and one update, and M
 * once where it takes its time to show that. Uses nothing of the method of S. Collective; errors
 * are agreed. Failures of A or M are not errors here: the solve reports them in more detail. */
ovk_err ovk__autotune(ovk_solver *S, ovk__costs *out);

#endif
