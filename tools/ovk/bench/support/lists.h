/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists in options: methods, backends, numbers. ';' separates the entries, or ',' where the list
 * has no ';'. `name` is the option, for error messages. */
#ifndef OVK_TOOL_LISTS_H
#define OVK_TOOL_LISTS_H

#include <ovkrylov/ovkrylov.h>

enum { LIST_MAX = 32, LIST_LENGTH = 1024 };

/* Must not be copied: its words may point into its own text. */
typedef struct words {
  int n;
  const char *at[LIST_MAX];
  char text[LIST_LENGTH];
} words;

typedef struct numbers {
  int n, at[LIST_MAX];
} numbers;

/* Splits `text` into names or specs. */
ovk_err list_words(ovk_ctx *ctx, const char *name, const char *text, words *out);

/* The same; if `text` is NULL, all methods except "auto", which chooses one of them, and
 * "chebyshev", whose iterations do less than those of the others. */
ovk_err list_methods(ovk_ctx *ctx, const char *name, const char *text, words *out);

/* The same; if `text` is NULL, all backends with their default keys that this machine and MPI
 * support. Collective. */
ovk_err list_backends(ovk_ctx *ctx, const char *name, const char *text, words *out);

/* Whole numbers from `least` to `most`. */
ovk_err list_numbers(ovk_ctx *ctx, const char *name, const char *text, int least, int most,
                     numbers *out);

#endif
