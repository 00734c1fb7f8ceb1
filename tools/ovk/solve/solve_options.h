/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of `ovk solve`: their table and their values. */
#ifndef OVK_TOOL_SOLVE_OPTIONS_H
#define OVK_TOOL_SOLVE_OPTIONS_H

#include "cli/args.h"
#include "problem/problem.h"

extern const option solve_option_table[];

typedef struct solve_options {
  problem_request problem;
  const char *precond;
  ovk_solver_opts opts; /* without the monitor */
  int columns;          /* several right-hand sides; 0: one */
  int repeat;           /* timed solves after one warm-up; 0: one solve and no warm-up */
  bool monitor, precond_view, fingerprints;
  const char *history, *solution, *json; /* paths, or NULL */
} solve_options;

/* "natural" and so on, as --norm takes it. */
const char *norm_name(ovk_norm norm);

/* Reads and checks the options; *out points into the command line. Collective. */
ovk_err solve_options_read(ovk_ctx *ctx, const args *given, solve_options *out);

#endif
