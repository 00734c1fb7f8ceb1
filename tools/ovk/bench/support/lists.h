/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists in options: methods, backends, numbers. ';' separates the entries, or ',' if the list has
 * no ';'. */
#ifndef OVK_TOOL_LISTS_H
#define OVK_TOOL_LISTS_H

#include "cli/args.h"

enum { LIST_MAX = 32, LIST_LENGTH = 1024 };

/* Must not be copied: its words may point into its text. */
typedef struct words {
  int n;
  const char *at[LIST_MAX];
  char text[LIST_LENGTH];
} words;

typedef struct numbers {
  int n, at[LIST_MAX];
} numbers;

/* The value of an option as names or specs. If the option is not given, `preset` or, if that is
 * NULL, the default of the table. */
ovk_err list_words(ovk_ctx *ctx, const args *given, int which, const char *preset, words *out);

/* The same. Without any default, all methods except "auto", which chooses one of them, and
 * "chebyshev", whose iterations do less than those of the others. */
ovk_err list_methods(ovk_ctx *ctx, const args *given, int which, const char *preset, words *out);

/* The same, without a preset: all backends with their default keys that this machine and MPI
 * support. Collective. */
ovk_err list_backends(ovk_ctx *ctx, const args *given, int which, words *out);

/* The same, as whole numbers in the bounds of the option. */
ovk_err list_numbers(ovk_ctx *ctx, const args *given, int which, const char *preset, numbers *out);

#endif
