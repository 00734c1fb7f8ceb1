/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that choose a system. They are the first ones of the table of a command that has
 * them: PROBLEM_OPTION_ROWS. */
#ifndef OVK_TOOL_PROBLEM_OPTIONS_H
#define OVK_TOOL_PROBLEM_OPTIONS_H

#include "args.h"
#include "problem.h"

enum {
  PROBLEM_LAPLACE27,
  PROBLEM_LAPLACE7,
  PROBLEM_MATRIX,
  PROBLEM_GRID,
  PROBLEM_RHS,
  PROBLEM_FORMAT,
  PROBLEM_OPTIONS /* number of the command's own first option */
};

#define PROBLEM_OPTION_ROWS                                                                        \
  [PROBLEM_LAPLACE27] = {"--laplace27", 3, "NX NY NZ",                                             \
                         "27-point model problem, points per process"},                            \
  [PROBLEM_LAPLACE7] = {"--laplace7", 3, "NX NY NZ", "7-point model problem, points per process"}, \
  [PROBLEM_MATRIX] = {"--matrix", 1, "FILE.mtx", "a matrix in Matrix Market format"},              \
  [PROBLEM_GRID] = {"--grid", 3, "PX PY PZ", "processes in x, y, z (default: most along z)"},      \
  [PROBLEM_RHS] = {"--rhs", 1, "NAME|FILE.mtx",                                                    \
                   "ones (default), Aones (default with --matrix), random, or a file"},            \
  [PROBLEM_FORMAT] = {"--format", 1, "SPEC", "see `ovk list formats` (default: auto)"}

/* Exactly one of the three problems must be given. *out points into the command line. */
ovk_err problem_options_read(ovk_ctx *ctx, const args *given, problem_request *out);

#endif
