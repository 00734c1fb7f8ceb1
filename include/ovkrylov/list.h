/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of the methods, backends, preconditioners and formats; the schedule of a backend. */
#ifndef OVKRYLOV_LIST_H
#define OVKRYLOV_LIST_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/spec.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/** One entry of a list. The strings live as long as the context. Initialize it with OVK_CHOICE. */
typedef struct ovk_choice {
  size_t size;            /**< sizeof(ovk_choice), see @ref struct_sizes */
  const char *name;       /**< its name in specs, options and messages */
  const char *summary;    /**< one line, "" if its author specified none */
  const ovk_option *keys; /**< the table of its options, the keys of its spec; NULL: none */
  bool decorates;         /**< its spec needs another one, which it decorates, after a '|' */
  const char *aliases;    /**< other accepted names, such as those of PETSc and hypre, separated by
                               blanks; "": none */
  bool columns;           /**< works on several right-hand sides or vectors at once; one after the
                               other otherwise. See ovk_solver_solve_many() */
} ovk_choice;

/** The initializer of an ovk_choice. */
#define OVK_CHOICE OVK_SIZED(ovk_choice)

/**
 * Get entry number `index` of the methods. Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_methods(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * Get entry number `index` of the backends: built-in ones first, then those registered with `ctx`.
 * Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_backends(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * Get entry number `index` of the preconditioners: built-in ones first, then those registered with
 * `ctx`. Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *choice);

/**
 * Get entry number `index` of the storage formats. Not collective.
 *
 * @return false past the end
 */
OVK_API bool ovk_list_formats(const ovk_ctx *ctx, int index, ovk_choice *choice);

/** Receives one action of a schedule, in words, and the number of its round, from 1. */
typedef void (*ovk_action_fn)(void *arg, int round, const char *action);

/**
 * List the actions of a rank in a global reduction, for any number of ranks. Not collective. A
 * round starts its messages together; when all of them are complete, it makes its other actions in
 * order. The values of the reduction are called "output", the memory of the backend "work"; [a..b)
 * are the elements from a on, before b.
 *
 * @param spec    a backend with schedules ("nbc"), with keys; levels must be specified by sizes
 * @param nranks  1 to 2^24
 * @param rank    0 to nranks - 1
 * @param count   doubles to add up, >= 1, all in one piece
 * @param each    called for each action in its order; NULL: the arguments are checked only
 * @return OVK_ERR_UNKNOWN with the closest match, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_list_schedule(ovk_ctx *ctx, const char *spec, int nranks, int rank, int count,
                                  ovk_action_fn each, void *arg);

/**
 * Find the name that is closest to `word` among `n` names, for "did you mean". The distance is the
 * number of letters to insert, delete, replace or swap. Not collective.
 *
 * @return the closest name; NULL if none is close
 */
OVK_API const char *ovk_closest(const char *word, const char *const *names, int n);

OVK_END_DECLS

#endif
