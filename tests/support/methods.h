/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods except "auto", which selects one of the others, not always the same; those of them
 * that are for positive definite matrices; and those of these that are conjugate gradients, with
 * the same iterates up to rounding. */
#ifndef OVK_TESTS_METHODS_H
#define OVK_TESTS_METHODS_H

#include <ovkrylov/list.h>

#include <stddef.h>
#include <string.h>

/* As ovk_list_methods(), without "auto". */
static inline bool list_named_methods(const ovk_ctx *ctx, int index, ovk_choice *choice)
{
  for (int k = 0, named = 0; ovk_list_methods(ctx, k, choice); k++) {
    if (strcmp(choice->name, "auto") != 0 && named++ == index) return true;
  }
  return false;
}

/* Whether a method solves with other matrices than positive definite ones. */
static inline bool is_general_method(const char *name)
{
  static const char *const general[] = {"minres", "pipelined-minres", "bcgs",  "pipebcgs",
                                        "gmres",  "fgmres",           "pgmres"};
  for (size_t k = 0; k < sizeof general / sizeof *general; k++) {
    if (strcmp(name, general[k]) == 0) return true;
  }
  return false;
}

/* As list_named_methods(), without those for other matrices. */
static inline bool list_definite_methods(const ovk_ctx *ctx, int index, ovk_choice *choice)
{
  for (int k = 0, definite = 0; list_named_methods(ctx, k, choice); k++) {
    if (!is_general_method(choice->name) && definite++ == index) return true;
  }
  return false;
}

/* As list_definite_methods(), without "chebyshev". */
static inline bool list_cg_methods(const ovk_ctx *ctx, int index, ovk_choice *choice)
{
  for (int k = 0, cg = 0; list_definite_methods(ctx, k, choice); k++) {
    if (strcmp(choice->name, "chebyshev") != 0 && cg++ == index) return true;
  }
  return false;
}

/* Loops over the methods of a list. Declares `opts`, the default options with the method. */
#define FOR_EACH_OF(list, opts)                                                                    \
  ovk_solver_opts opts = OVK_SOLVER_OPTS;                                                          \
  ovk_choice method_ = OVK_CHOICE;                                                                 \
  for (int m_ = 0; list(test_ctx(), m_, &method_) && ((opts).method = method_.name, true); m_++)
#define FOR_EACH_METHOD(opts) FOR_EACH_OF(list_named_methods, opts)
#define FOR_EACH_CG_METHOD(opts) FOR_EACH_OF(list_cg_methods, opts)

/* The methods that overlap or avoid reductions, NULL-terminated. */
static const char *const overlapped_methods[] = {"single-reduction", "groppcg",     "pipecg",
                                                 "pipeprcg",         "pipefcg:m=2", "pipelcg:l=1",
                                                 "pipelcg:l=3",      NULL};
enum { PREDICT_RECOMPUTE = 3 }; /* its index there */

#endif
