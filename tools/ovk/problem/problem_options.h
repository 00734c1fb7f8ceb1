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
  PROBLEM_CONVDIFF7,
  PROBLEM_HELMHOLTZ7,
  PROBLEM_MATRIX,
  PROBLEM_PECLET,
  PROBLEM_CENTRAL,
  PROBLEM_SHIFT,
  PROBLEM_GRID,
  PROBLEM_RHS,
  PROBLEM_FORMAT,
  PROBLEM_OPTIONS /* number of the command's own first option */
};

#define PROBLEM_OPTION_ROWS                                                                        \
  [PROBLEM_LAPLACE27] = {"--laplace27", 3, "NX NY NZ",                                             \
                         "27-point model problem, points per process"},                            \
  [PROBLEM_LAPLACE7] = {"--laplace7", 3, "NX NY NZ", "7-point model problem, points per process"}, \
  [PROBLEM_CONVDIFF7] = {"--convdiff7", 3, "NX NY NZ", "convection and diffusion, unsymmetric"},   \
  [PROBLEM_HELMHOLTZ7] = {"--helmholtz7", 3, "NX NY NZ",                                           \
                          "7-point problem minus a shift, indefinite"},                            \
  [PROBLEM_PECLET] = {"--peclet", 1, "P", "of --convdiff7, of one mesh width (default: 1)"},       \
  [PROBLEM_CENTRAL] = {"--central", 0, "", "of --convdiff7: central differences, not upwind"},     \
  [PROBLEM_SHIFT] = {"--shift", 1, "S", "of --helmholtz7 (default: 0.5)"},                         \
  [PROBLEM_MATRIX] = {"--matrix", 1, "FILE.mtx", "a matrix in Matrix Market format"},              \
  [PROBLEM_GRID] = {"--grid", 3, "PX PY PZ", "processes in x, y, z (default: most along z)"},      \
  [PROBLEM_RHS] = {"--rhs", 1, "NAME|FILE.mtx",                                                    \
                   "ones (default), Aones (default with --matrix), random, or a file"},            \
  [PROBLEM_FORMAT] = {"--format", 1, "SPEC", "see `ovk list formats` (default: auto)"}

/* Exactly one of the problems must be given. *out points into the command line. */
ovk_err problem_options_read(ovk_ctx *ctx, const args *given, problem_request *out);

#endif
