/* SPDX-License-Identifier: BSD-2-Clause */
/* One sum of a solver over the ranks: inner products and, where it has one, the status. The
 * reduction carries the parts themselves or, with exact sums, their short forms
 * (core/exact/exact_window.h); totals that these leave uncertain take a second, blocking
 * reduction of the long forms. */
#ifndef OVK_SOLVERS_OPS_DOTS_H
#define OVK_SOLVERS_OPS_DOTS_H

#include "core/exact/exact_sum.h"
#include "solvers/state/state.h"

#include <limits.h>

enum { OVK__NO_UNIT = INT_MIN };

struct ovk__dots {
  ovk_reduction *reduction; /* of the parts or their short forms, and the status */
  int count;                /* inner products; the status follows them */
  bool status;
  /* of exact sums; NULL otherwise */
  double *parts; /* of this rank, and its status; after wait the totals */
  int *windows;  /* of each inner product, the same on all ranks */
  int *units;    /* with exact=all: an estimate of each has these units, from its last total of this
                  * solve; OVK__NO_UNIT: there is none */
  /* with exact=all, where parts are marks before begin (marks.h); NULL otherwise */
  const struct ovk__marks *marks;
  ovk__exact_sum *kept; /* the sums of the marks at begin */
};

/* The values of a reduction of `count` inner products and, if it has one, the status. */
int ovk__dots_values(const ovk_solver *S, int count, bool status);

/* A sum of `count` inner products over S->opened, which may change as in ovk__reduction_create().
 * Collective; errors are agreed. */
ovk_err ovk__dots_create(ovk_solver *S, int count, bool status, ovk__dots **out);
void ovk__dots_destroy(ovk__dots **sum); /* NULL is allowed */

/* The totals of earlier solves are no longer known to the sums of the methods. */
void ovk__dots_start_solve(ovk_solver *S);

/* S->long_sum <- the reduction of long forms, if S->exact. Collective; errors are agreed. */
ovk_err ovk__dots_create_long(ovk_solver *S);

/* The parts of this rank before begin, the totals after wait. */
double *ovk__dots_parts(ovk__dots *sum);

ovk_err ovk__dots_begin(ovk__dots *sum);

/* totals[k] <- the totals of n <= OVK__DOTS_TOTALS parts, numbers or marks, by MPI itself: for
 * decisions besides the reductions of the method. totals may be parts. Collective; errors are
 * agreed. */
enum { OVK__DOTS_TOTALS = 3 };
ovk_err ovk__dots_total(ovk_solver *S, int n, const double *parts, double *totals);

/* Waits for the totals and, with exact sums, adds them to S->fingerprint. */
ovk_err ovk__dots_wait(ovk_solver *S, ovk__dots *sum);

#endif
