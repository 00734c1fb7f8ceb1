/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that choose a system. They are the first ones of the table of a command that has
 * them: PROBLEM_OPTION_ROWS. */
#ifndef OVK_TOOL_PROBLEM_OPTIONS_H
#define OVK_TOOL_PROBLEM_OPTIONS_H

#include "cli/args.h"
#include "problem.h"

enum {
  PROBLEM_LAPLACE27,
  PROBLEM_LAPLACE7,
  PROBLEM_CONVDIFF7,
  PROBLEM_HELMHOLTZ7,
  PROBLEM_NAMED,
  PROBLEM_MATRIX,
  PROBLEM_PECLET,
  PROBLEM_CENTRAL,
  PROBLEM_SHIFT,
  PROBLEM_GRID,
  PROBLEM_RHS,
  PROBLEM_FORMAT,
  PROBLEM_ORDER,
  PROBLEM_OPTIONS /* number of the first option of the command itself */
};

#define PROBLEM_BOX(name, help) OPTION_INTEGERS(name, 3, "NX NY NZ", 1, INT_MAX, NULL, help)
#define PROBLEM_OPTION_ROWS                                                                        \
  [PROBLEM_LAPLACE27] = PROBLEM_BOX("--laplace27", "27-point model problem, points per process"),  \
  [PROBLEM_LAPLACE7] = PROBLEM_BOX("--laplace7", "7-point model problem, points per process"),     \
  [PROBLEM_CONVDIFF7] = PROBLEM_BOX("--convdiff7", "convection and diffusion, unsymmetric"),       \
  [PROBLEM_HELMHOLTZ7] = PROBLEM_BOX("--helmholtz7", "7-point problem minus a shift, indefinite"), \
  [PROBLEM_NAMED] =                                                                                \
      OPTION_WORD_INTEGERS("--problem", 4, "NAME NX NY NZ", 1, INT_MAX,                            \
                           "a problem of the benchmarks, points per process", "varsym27",          \
                           "irregular27", "aniso7", "jumps7", "cubes7", "graph27", "elasticity"),  \
  [PROBLEM_PECLET] = OPTION_REAL("--peclet", "P", 0, HUGE_VAL, "1",                                \
                                 "--convdiff7: Peclet number of a mesh width"),                    \
  [PROBLEM_CENTRAL] = OPTION_FLAG("--central", "--convdiff7: central differences, not upwind"),    \
  [PROBLEM_SHIFT] = OPTION_REAL("--shift", "S", 0, HUGE_VAL, "0.5", "--helmholtz7: the shift"),    \
  [PROBLEM_MATRIX] =                                                                               \
      OPTION_TEXT("--matrix", "FILE.mtx", NULL, "a matrix in Matrix Market format"),               \
  [PROBLEM_GRID] = OPTION_INTEGERS("--grid", 3, "PX PY PZ", 1, INT_MAX, NULL,                      \
                                   "processes in x, y, z; default: most along z"),                 \
  [PROBLEM_RHS] =                                                                                  \
      OPTION_TEXT("--rhs", "NAME|FILE.mtx", NULL,                                                  \
                  "ones, Aones, random, or a file; default: ones, or Aones with --matrix"),        \
  [PROBLEM_FORMAT] = OPTION_TEXT("--format", "SPEC", NULL,                                         \
                                 "storage format, see `ovk list formats`; default: auto"),         \
  [PROBLEM_ORDER] = OPTION_WORD(                                                                   \
      "--order", "natural", "order of rows: as given, reverse Cuthill-McKee, or that if it helps", \
      "natural", "rcm", "auto")

/* The file of --matrix, or the word without an option; NULL: neither is given. */
const char *problem_options_matrix(const args *given);

/* Exactly one of the problems must be given. *out points into the command line. */
ovk_err problem_options_read(ovk_ctx *ctx, const args *given, problem_request *out);

#endif
