/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of an iteration as a table next to the code of the method, from which the cost of
 * an iteration can be predicted without running it. */
#ifndef OVK_SOLVERS_STATE_PHASE_H
#define OVK_SOLVERS_STATE_PHASE_H

#include "precond/diagonal.h"

#include <stdbool.h>

/* Operations of ops.h, as for an M that is not diagonal. For a diagonal M the preconditioner takes
 * no separate time: the adjacent sweeps compute M^-1 r. */
typedef enum ovk__phase_kind {
  OVK__NO_PHASE,      /* ends a list */
  OVK__BEGIN,         /* begins a sum */
  OVK__WAIT,          /* waits for a sum */
  OVK__PRODUCT,       /* s <- A p */
  OVK__PRODUCT_PAIR,  /* two products with one halo exchange */
  OVK__PRECOND,       /* z <- M^-1 r */
  OVK__PRECOND_LEFT,  /* t <- L^-1 r, the first half for M = L L^T */
  OVK__PRECOND_RIGHT, /* w <- L^-T t, the second half */
  OVK__UPDATE,        /* vector updates and inner products */
  OVK__UPDATE_WHILE,  /* the first rows of an update, until the polled sum is complete */
  OVK__UPDATE_REST,   /* the remaining rows of that update, later */
  OVK__PHASE_KINDS
} ovk__phase_kind;

/* One operation. `doubles` counts the reads and writes of its sweep over vectors per row, a store
 * to a vector that was not read counted twice (write-allocate), without the traffic of a product or
 * preconditioner itself. A sum of a deep pipeline is begun at the end of an iteration and waited
 * for `depth` iterations later: several sums are used in turn, and `sum` is 0 for all. */
typedef struct ovk__phase {
  ovk__phase_kind kind;
  int sum;                   /* number of the sum that is begun, waited for, or polled */
  bool polls;                /* progresses that sum */
  int doubles[OVK__M_KINDS]; /* for each kind of M */
  int dots;                  /* inner products of vectors that the sweep has in the L1 cache, or as
                                many as take the time of those that it has in registers */
  int per_depth;             /* additional doubles per unit of pipeline depth */
} ovk__phase;

/* The two phases of a blocking reduction. */
#define OVK__REDUCTION(number)                                                                     \
  {.kind = OVK__BEGIN, .sum = (number)},                                                           \
  {                                                                                                \
    .kind = OVK__WAIT, .sum = (number)                                                             \
  }

/* Doubles per row of a phase. */
static inline int ovk__phase_doubles(const ovk__phase *phase, ovk__precond_kind M, int depth)
{
  return phase->doubles[M] + depth * phase->per_depth;
}

#endif
