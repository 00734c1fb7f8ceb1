/* SPDX-License-Identifier: BSD-2-Clause */
/* Which methods, backends, preconditioners and formats there are. */
#ifndef OVKRYLOV_LIST_H
#define OVKRYLOV_LIST_H

#include <ovkrylov/ctx.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/** One entry of a list. The strings live as long as the context. */
typedef struct ovk_choice {
  const char *name;        /**< what specs and options call it */
  const char *summary;     /**< one line, "" if its author gave none */
  const char *const *keys; /**< spec keys it takes, NULL-terminated; NULL: none */
} ovk_choice;

/**
 * The entry number `index` of each kind, those registered with `ctx` included. Not collective.
 * Built-in ones come first.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_methods(const ovk_ctx *ctx, int index, ovk_choice *choice);
OVK_API bool ovk_list_backends(const ovk_ctx *ctx, int index, ovk_choice *choice);
OVK_API bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *choice);
OVK_API bool ovk_list_formats(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * For "did you mean": the one of `n` names that is closest to `word`, counting letters to insert,
 * delete, replace or swap; NULL if none is close. Not collective.
 */
OVK_API const char *ovk_closest(const char *word, const char *const *names, int n);

OVK_END_DECLS

#endif
