/* SPDX-License-Identifier: BSD-2-Clause */
/* One measurement: assembly, timed runs, and verification of the result. */
#ifndef OVK_BENCH_RUN_H
#define OVK_BENCH_RUN_H

#include "memory.h"
#include "peer.h"
#include "problem.h"

typedef struct run {
  const peer_ops *ops;
  const options *options;
  problem problem;
  struct {
    double *b, *x;
  } columns;             /* with --columns */
  void *state;           /* the library's */
  memory before, after;  /* assembly; `after` does not include the entries passed to the driver */
  double assemble;       /* seconds, like all times the maximum over the ranks */
  double setup;          /* of the first preparation: preconditioner and solver; 0 for products */
  double seconds, cpu;   /* of one run, medians; cpu: the processor's, less than `seconds` if others
                          * had it meanwhile */
  double refill, update; /* of one step, means; `seconds` is that of a solve then */
  peer_outcome outcome;
  double residual; /* ||b - A x|| / ||b||, computed by the driver from b and the product */
  double norm;     /* ||x|| of the solution, or that of A x or C^-1 x */
} run;

/* The Euclidean norm of a vector with n rows of this rank. Collective. */
double run_norm(ovk_lidx n, const double *v);

/* Collective. Free it with run_close(), also after a failure. */
ovk_err run_all(ovk_ctx *ctx, run *r);
void run_close(run *r);

#endif
