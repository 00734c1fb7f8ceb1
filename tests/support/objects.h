/* SPDX-License-Identifier: BSD-2-Clause */
/* One object of each kind, used once, to be destroyed in any order. Without CMocka, for programs
 * with a main function of their own. */
#ifndef OVK_TEST_OBJECTS_H
#define OVK_TEST_OBJECTS_H

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/ovkrylov.h>

enum { OBJECT_SUMS = 12, OBJECT_COLLECTIVES = 3 };

/* The order in which objects_destroy() numbers them. */
enum {
  OBJECT_CTX,
  OBJECT_MAT,
  OBJECT_SHELL,
  OBJECT_PRECOND,
  OBJECT_SOLVER,
  OBJECT_B,
  OBJECT_X,
  OBJECT_FIRST_SUM,
  OBJECT_FIRST_COLLECTIVE = OBJECT_FIRST_SUM + OBJECT_SUMS,
  OBJECTS = OBJECT_FIRST_COLLECTIVE + OBJECT_COLLECTIVES
};

typedef struct objects {
  ovk_ctx *ctx;
  ovk_mat *A, *shell;
  ovk_precond *M;
  ovk_solver *solver;
  ovk_vec *b, *x;
  ovk_reduction *sums[OBJECT_SUMS]; /* NULL: not supported here, for example without threads */
  ovk_collective *collectives[OBJECT_COLLECTIVES];
  double values[2];  /* of a collective */
  ovk_vec *kept_vec; /* held by a backend */
  ovk_collective *kept_barrier;
  int shells_freed, backends_closed;
} objects;

/* Creates the objects over all ranks, and uses each; returns the first error. Collective. */
ovk_err objects_make(objects *out);

/* Destroys number k, 0 to OBJECTS - 1. */
void objects_destroy(objects *o, int k);

/* Destroys all of them in an order determined by the seed. */
void objects_destroy_all(objects *o, uint64_t seed);

#endif
