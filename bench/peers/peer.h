/* SPDX-License-Identifier: BSD-2-Clause */
/* The interface of a driver to its library: one table of functions. The rest, from the command line
 * to the report, is the same for all, in driver.c. */
#ifndef OVK_BENCH_PEER_H
#define OVK_BENCH_PEER_H

#include "options.h"

/* The library's vectors. */
enum { PEER_X, PEER_B, PEER_Y, PEER_VECTORS };

/* The result of a solve. */
typedef struct peer_outcome {
  int iterations;
  bool converged;
} peer_outcome;

/* The entries of the report about the set-up. */
typedef struct peer_facts {
  const char *method, *backend, *format; /* NULL: does not apply */
  int64_t matrix_bytes;                  /* read by a product, as stated by the library */
} peer_facts;

/* Work on the vectors X and Y. */
typedef ovk_err (*peer_action)(void *state);

/* All functions are collective, and REQUIRED except for solve_columns. */
typedef struct peer_ops {
  const char *program;
  const char *(*version)(void);
  /* Creates the matrix and the vectors; `close` frees them, also after a failure. */
  ovk_err (*assemble)(ovk_ctx *ctx, const options *o, const block *rows, void **state);
  /* Sets up the preconditioner, if it is not there, and a solve with at most `maxit` iterations;
   * may be called repeatedly. */
  ovk_err (*prepare)(void *state, int maxit);
  /* Replaces the values of the matrix, on the same pattern. */
  ovk_err (*refill)(void *state, const block *rows);
  /* Updates the preconditioner and the solve for these values. It keeps as much of the old
   * preconditioner as the library recommends. */
  peer_action update;
  /* A X = B from X */
  ovk_err (*solve)(void *state, peer_outcome *out);
  /* OPTIONAL. A x = b for `count` right-hand sides at once, arrays of this rank's rows one after
   * the other, from x = 0; the iterations of all of them together */
  ovk_err (*solve_columns)(void *state, int count, const double *b, double *x, peer_outcome *out);
  /* Y <- A X */
  peer_action product;
  /* Y <- C^-1 X, with the preconditioner of the last `prepare` */
  peer_action apply;
  /* Copies this rank's values into a vector, and back. */
  ovk_err (*load)(void *state, int vector, const double *values);
  ovk_err (*fetch)(void *state, int vector, double *values);
  peer_facts (*facts)(const void *state);
  void (*close)(void *state);
} peer_ops;

/* The functions that a driver has by these names. */
#define PEER_FUNCTIONS                                                                             \
  .version = version, .assemble = assemble, .prepare = prepare, .refill = refill,                  \
  .update = update, .solve = solve, .product = product, .apply = precond_apply, .load = load,      \
  .fetch = fetch, .facts = facts, .close = close_all

/* The main program of every driver. */
int peer_main(int argc, char **argv, const peer_ops *ops);

#endif
