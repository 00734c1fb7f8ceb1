/* SPDX-License-Identifier: BSD-2-Clause */
/* A choice of method, backend, format and preconditioner from the library's own lists, so that new
 * ones are included. */
#ifndef OVK_TEST_RANDOM_CHOICE_H
#define OVK_TEST_RANDOM_CHOICE_H

#include "support/random.h"

#include <ovkrylov/ovkrylov.h>

enum { SPEC = 400 };

/* The runs (rank counts) of the short form; each continues where the one before ended. */
enum { RANDOM_RUNS = 3 };

typedef struct random_choice {
  char method[SPEC], backend[SPEC], format[SPEC], precond[SPEC];
  ovk_solver_opts opts; /* without the monitor */
  bool left;            /* the method applies the preconditioner from the left */
  bool shell;           /* the matrix is a user-defined operator */
} random_choice;

/* The pairs of a method and a preconditioner, of the context's lists. */
int random_pairs(const ovk_ctx *ctx);

/* From the context's lists, which include registered ones; successive seeds come to all pairs of a
 * method and a preconditioner. The pointers of opts point into C. */
void random_choose(ovk_ctx *ctx, uint64_t seed, random_choice *C);

/* Whether the context of this draw is in check mode. */
bool random_checks(uint64_t seed);

#endif
