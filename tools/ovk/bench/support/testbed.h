/* SPDX-License-Identifier: BSD-2-Clause */
/* A problem, solved by any method with any backend. */
#ifndef OVK_TOOL_TESTBED_H
#define OVK_TOOL_TESTBED_H

#include "bench/support/lists.h"
#include "problem/problem_options.h"

typedef struct testbed {
  ovk_ctx *ctx;
  problem problem;
  ovk_precond *M; /* Jacobi, or that of testbed_precondition() */
  ovk_vec *x;
  const char *exact; /* ovk_solver_opts.exact; NULL: the default */
} testbed;

/* The problem of the command line; none there: the 27-point model problem with n points of a rank
 * in x, y, z. Collective. Free it with testbed_destroy(), also after a failure. */
ovk_err testbed_create(ovk_ctx *ctx, const args *given, const int n[3], testbed *out);

/* A problem of any kind, as requested. */
ovk_err testbed_create_for(ovk_ctx *ctx, const problem_request *request, testbed *out);

/* That model problem on a given grid of ranks, b = 1. */
ovk_err testbed_create_on(ovk_ctx *ctx, const int n[3], const int grid[3], testbed *out);

/* Replaces M by the preconditioner `spec`. Collective. */
ovk_err testbed_precondition(testbed *t, const char *spec);

void testbed_destroy(testbed *t);

/* Checks that there is a solver for each of these methods and backends. Collective. */
ovk_err testbed_check(const testbed *t, const words *methods, const words *backends);

/* Solves `times` times from x = 0 to 1e-8. *result is that of the last solve on this rank, *seconds
 * the sum over all solves on the slowest rank. The solver is freed at the end, since all solvers
 * together would need much memory. Collective. */
ovk_err testbed_solve(testbed *t, const char *method, const char *backend, int times,
                      ovk_result *result, double *seconds);

/* The same, but seconds[k] <- the time of solve k on the slowest rank. */
ovk_err testbed_solve_each(testbed *t, const char *method, const char *backend, int times,
                           ovk_result *result, double *seconds);

#endif
