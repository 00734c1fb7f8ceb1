/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves of one system with each transport of faces; checks that all have the same iterations
 * and reach the right solution. */
#ifndef OVK_TOOL_SOLVES_H
#define OVK_TOOL_SOLVES_H

#include "bench/poisson/laplace.h"

enum { SOLVES_STOPS = 2, SOLVES_MAXIT = 10000 };

typedef struct solves_request {
  int points[3];
  int polls;           /* of the exchange in a product */
  const char *spec;    /* of the all-to-all of the library */
  const char *method;  /* conjugate gradients, */
  const char *backend; /* of its sums */
  int nstops;
  double rtol[SOLVES_STOPS]; /* relative tolerances */
} solves_request;

/* The course and result of a solve. */
typedef struct path {
  ovk_vec *u;
  ovk_result result; /* result.seconds.solve is the maximum over the ranks */
  double residuals[SOLVES_MAXIT + 1];
} path;

typedef struct solves {
  ovk_ctx *ctx;
  solves_request request;
  laplace operator;
  ovk_mat *A;
  ovk_vec *b;
  ovk_solver *solvers[SOLVES_STOPS];
  path first, other; /* the last solves: with HALO_BLOCKING, with another transport */
  path *now;         /* points to one of the two */
} solves;

/* Collective. Free them with solves_destroy(), also after a failure. The struct must not be
 * moved. */
ovk_err solves_create(ovk_ctx *ctx, const solves_request *request, solves *out);
void solves_destroy(solves *s);

/* Solves to tolerance number `stop` and checks the result; s->now describes it. For each stop,
 * HALO_BLOCKING must come first. Collective. */
ovk_err solves_run(solves *s, int stop, halo_transport transport);

#endif
