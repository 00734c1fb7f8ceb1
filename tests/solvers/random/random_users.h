/* SPDX-License-Identifier: BSD-2-Clause */
/* User functions on ranks that differ: an operator, preconditioners and a monitor, late on some
 * ranks, failing on one. */
#ifndef OVK_TEST_RANDOM_USERS_H
#define OVK_TEST_RANDOM_USERS_H

#include "random_problem.h"
#include "support/problem.h"

/* The function that fails. */
typedef enum site { NOWHERE, MULT, DIAGONAL, SETUP, FACTOR, APPLY, LEFT, RIGHT, SITES } site;

typedef struct users {
  ovk_ctx *ctx;
  const random_problem *S;
  dice own;       /* of this rank */
  bool late;      /* calls on this rank are delayed */
  double *x;      /* space for a complete vector */
  double *d;      /* this rank's diagonal of M^-1 */
  bool no_d;      /* inverse_diagonal provides none on this rank */
  bool monitors;  /* this rank has a monitor */
  int stop_at;    /* the iteration in which this rank's monitor requests a stop, or -1 */
  uint64_t heard; /* hash of the arguments of the monitor */
  site fails_in;  /* on this rank, */
  int fails_at;   /* at this call */
  bool speechless;
  bool spoils;  /* it does not fail, but gives a NaN, if it is an operator's */
  bool failed;  /* the failure has occurred */
  bool spoiled; /* the NaN has been given */
  int calls[SITES];
  dice common;         /* the same on all ranks: of calls that all make */
  bool calls_back;     /* all ranks have a monitor, and user functions call the library */
  linear_system *used; /* by the solve in progress; NULL: none, and nothing is called back */
  bool gives_up;       /* rather than changes them, in the solve in progress */
} users;

/* Draws the behavior of the user functions; `seed` is the same on all ranks. Registers "random-d"
 * (diagonal, with factors and inverse_diagonal) and "random-c" (apply only) with the context. */
void users_open(users *U, ovk_ctx *ctx, const random_problem *S, uint64_t seed);
void users_close(users *U);

/* The system as a user-defined operator. */
ovk_err users_make_shell(users *U, ovk_mat **A);

/* An ovk_monitor_fn. */
int users_monitor(void *arg, const ovk_progress *progress);

#endif
