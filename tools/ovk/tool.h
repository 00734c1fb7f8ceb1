/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by all files of the program: commands, exit statuses, and how ranks agree on an error.
 * Errors are reported as in the library: a code, and a message in the context, which main
 * prints. */
#ifndef OVK_TOOL_H
#define OVK_TOOL_H

#include "cli/args.h"

/* The exit status of the program, on every rank. */
enum {
  STATUS_CONVERGED = 0,
  STATUS_NOT_CONVERGED = 1,
  STATUS_USAGE = 2,
  STATUS_FAULT = 3,
  STATUS_HAND_OVER /* internal: another program replaces this one after MPI_Finalize() */
};

/* `ovk NAME ...`, or a subcommand of another command, `ovk OTHER NAME ...`. */
typedef struct command {
  const char *name;
  const char *usage;       /* the arguments after the name */
  const char *summary;     /* one line */
  const char *notes;       /* printed by help after the options, or NULL */
  const char *exit_status; /* NULL: that of most commands */
  const option *options;
  int words;                                /* other than options: up to 2, or ARGS_PROGRAM */
  const struct command *const *subcommands; /* subcommands, NULL-terminated */
  ovk_err (*run)(ovk_ctx *ctx, const args *given);
  ovk_err (*judge)(ovk_ctx *ctx, const args *given, int *status); /* instead, with a status */

  /* Instead of both: starts a program of the user, without MPI in this process, see
   * program_start(). Returns the exit status; below 0: the words name none. */
  int (*start)(const args *given);
} command;

/* Returns from the caller if the call fails. */
#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_ != OVK_OK) return try_err_;                                                       \
  } while (0)

/* The error for the return code of an MPI call; `call` is its name. */
ovk_err tool_mpi(ovk_ctx *ctx, int mpi_code, const char *call);

/* OVK_OK if no rank has an error, else the greatest code, on all ranks. Collective. */
ovk_err tool_agree(ovk_ctx *ctx, ovk_err local);

/* Replaces values by the maximum over the ranks; none may be NaN. Collective. */
ovk_err tool_greatest(ovk_ctx *ctx, double *values, int n);

/* OVK_ERR_MEMORY on all ranks if an allocation failed on one. Collective. */
ovk_err tool_got_memory(ovk_ctx *ctx, bool mine);

/* The median of n values, which it sorts. */
double tool_median(double *values, int n);

#endif
