/* SPDX-License-Identifier: BSD-2-Clause */
/* Which methods, backends, preconditioners and formats there are, and what a backend would do. */
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
  bool decorates;          /**< it needs what it decorates behind a '|' */
} ovk_choice;

/**
 * The entry number `index` of the methods. Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_methods(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * The entry number `index` of the backends: built-in ones first, then those registered with `ctx`.
 * Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_backends(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * The entry number `index` of the preconditioners: built-in ones first, then those registered with
 * `ctx`. Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * The entry number `index` of the storage formats. Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_formats(const ovk_ctx *ctx, int index, ovk_choice *choice);

/** Gets one action of a schedule, in words, and the number of its round, from 1. */
typedef void (*ovk_action_fn)(void *arg, int round, const char *action);

/**
 * Tells what a rank would do in a global sum, for any number of ranks: a round starts its messages
 * together, and when all are through does the rest in order. The sum's values are called "output",
 * room that the backend has for itself "work"; [a..b) are the elements from a on, before b. Not
 * collective.
 *
 * @param spec    a backend that follows schedules ("nbc"), with keys; levels must be given by sizes
 * @param nranks  1 to 2^24
 * @param rank    0 to nranks - 1
 * @param count   doubles to sum, >= 1, all in one piece
 * @param each    called for each action in its order; NULL: the arguments are checked, no more
 * @return OVK_ERR_UNKNOWN with the closest match, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_list_schedule(ovk_ctx *ctx, const char *spec, int nranks, int rank, int count,
                                  ovk_action_fn each, void *arg);

/**
 * For "did you mean": compares `word` with `n` names, counting letters to insert, delete, replace
 * or swap. Not collective.
 *
 * @return the closest name; NULL if none is close
 */
OVK_API const char *ovk_closest(const char *word, const char *const *names, int n);

OVK_END_DECLS

#endif
