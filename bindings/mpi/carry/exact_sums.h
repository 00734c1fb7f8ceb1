/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums with OVK_MPI_EXACT=sums: the correctly rounded ones, whatever the order of the ranks. Their
 * words (exact/reals.h) are summed by a reduction like any other, carried or not. */
#ifndef OVK_CARRY_EXACT_SUMS_H
#define OVK_CARRY_EXACT_SUMS_H

#include "carry/exact/reals.h"
#include "carry/plan.h"

#include <limits.h>

/* A reduction that is to be exact. */
typedef struct carry_exact {
  const void *send; /* not MPI_IN_PLACE */
  void *receive;    /* NULL: not of this rank */
  int64_t reals;
  carry_reals type;
  int root; /* or one of the names below */
  MPI_Comm comm;
} carry_exact;

/* In place of a root, which no program takes for one: all ranks have the sum, or that of the ranks
 * up to them or before them. */
enum { CARRY_ALL_RANKS = INT_MIN, CARRY_RANKS_UP_TO, CARRY_RANKS_BEFORE };

/* Plans a reduction; false if it is not one of reals whose sum depends on an order. */
bool carry_exact_plan(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm, carry_exact *out);

/* Runs it. *p <- the data of the log. */
int carry_exact_run(const carry_exact *s, carry_plan *p);

/* Whether it can be begun as a request of this library, alike on all ranks; and begins it. */
bool carry_exact_begins(const carry_exact *s);
int carry_exact_begin(const carry_exact *s, MPI_Request *request, carry_plan *p);

#endif
