/* SPDX-License-Identifier: BSD-2-Clause */
/* What an iteration of a method does, as data: beside the method's code, for whoever wants to know
 * what it costs without running it. */
#ifndef OVK_SOLVERS_PHASE_H
#define OVK_SOLVERS_PHASE_H

#include <stdbool.h>

/* Operations of step.h. What they do where C is not diagonal; where it is, the preconditioner takes
 * no time of its own, as the sweeps around it make C^-1 r. */
typedef enum ovk__phase_kind {
  OVK__NO_PHASE,      /* ends a list */
  OVK__BEGIN,         /* of a sum */
  OVK__WAIT,          /* for a sum */
  OVK__PRODUCT,       /* s <- A p */
  OVK__PRODUCT_PAIR,  /* two of them, with one halo exchange */
  OVK__PRECOND,       /* z <- C^-1 r */
  OVK__PRECOND_LEFT,  /* t <- L^-1 r, half of that for C = L L^T, */
  OVK__PRECOND_RIGHT, /* w <- L^-T t, and the other half */
  OVK__UPDATE,        /* of vectors, and inner products */
  OVK__UPDATE_WHILE,  /* the first rows of an update, until the sum that is polled is complete, */
  OVK__UPDATE_REST,   /* and the other rows, later */
  OVK__PHASE_KINDS
} ovk__phase_kind;

/* What C is, for whom the doubles of an update differ. */
typedef enum ovk__precond_kind {
  OVK__C_CONSTANT, /* c I */
  OVK__C_DIAGONAL,
  OVK__C_OTHER,
  OVK__C_KINDS
} ovk__precond_kind;

/* One operation. Doubles are those a row that its sweep over vectors reads and writes, a store of
 * what was not read counted twice; not those of a product or preconditioner itself. A sum of a
 * pipeline is begun at the end of an iteration and waited for as many iterations later as the
 * pipeline is deep: such sums take turns, and `sum` is 0 for all. */
typedef struct ovk__phase {
  ovk__phase_kind kind;
  int sum;    /* that is begun, waited for, or polled */
  bool polls; /* moves that sum on */
  int doubles[OVK__C_KINDS];
  int dots;      /* inner products that the sweep makes of what it has in the first cache anyway */
  int per_depth; /* and more for each iteration that a pipeline is deep */
} ovk__phase;

/* Doubles of a phase. */
static inline int ovk__phase_doubles(const ovk__phase *phase, ovk__precond_kind C, int depth)
{
  return phase->doubles[C] + depth * phase->per_depth;
}

#endif
