/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods except "auto", which chooses one of the others, not always the same; and those of
 * them that are conjugate gradients, with the same iterates but for rounding. */
#ifndef OVK_TESTS_METHODS_H
#define OVK_TESTS_METHODS_H

#include <ovkrylov/list.h>

#include <string.h>

/* As ovk_list_methods(), without "auto". */
static inline bool list_named_methods(const ovk_ctx *ctx, int index, ovk_choice *choice)
{
  for (int k = 0, named = 0; ovk_list_methods(ctx, k, choice); k++) {
    if (strcmp(choice->name, "auto") != 0 && named++ == index) return true;
  }
  return false;
}

/* As list_named_methods(), without "chebyshev". */
static inline bool list_cg_methods(const ovk_ctx *ctx, int index, ovk_choice *choice)
{
  for (int k = 0, cg = 0; list_named_methods(ctx, k, choice); k++) {
    if (strcmp(choice->name, "chebyshev") != 0 && cg++ == index) return true;
  }
  return false;
}

#endif
