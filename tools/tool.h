/* SPDX-License-Identifier: BSD-2-Clause */
/* What all files of the program share: commands, exit statuses, and how ranks agree on an error.
 * Errors travel as in the library: a code, and the sentence in the context; main prints it. */
#ifndef OVK_TOOL_H
#define OVK_TOOL_H

#include "args.h"

/* What the program returns, on every rank. */
enum {
  STATUS_CONVERGED = 0,
  STATUS_NOT_CONVERGED = 1,
  STATUS_USAGE = 2,
  STATUS_FAULT = 3,
  STATUS_HAND_OVER /* not for callers: another program takes over when MPI has ended */
};

/* `ovk NAME ...`, or one of the parts of another command, `ovk OTHER NAME ...` */
typedef struct command {
  const char *name;
  const char *usage;   /* what follows the name */
  const char *summary; /* one line */
  const char *notes;   /* what help says behind the options, or NULL */
  const option *options;
  int words; /* how many words that are no options it takes at most, up to 2 */
  const struct command *const *parts; /* with NULL behind the last; then the rest is theirs */
  bool own_options; /* whatever follows is not looked at here, `help NAME` runs it, too */
  ovk_err (*run)(ovk_ctx *ctx, const args *given, int *status);
} command;

extern const command solve_command, bench_command, list_command, report_command;

/* Returns from the caller if the call fails. */
#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_ != OVK_OK) return try_err_;                                                       \
  } while (0)

/* The error that belongs to what an MPI call returned; `call` is its name. */
ovk_err tool_mpi(ovk_ctx *ctx, int mpi_code, const char *call);

/* Rank 0's error, on all ranks: for what rank 0 does alone, such as writing a file. Collective. */
ovk_err tool_agree(ovk_ctx *ctx, ovk_err local);

/* Turns values into the greatest of all ranks; none may be NaN. Collective. */
ovk_err tool_greatest(ovk_ctx *ctx, double *values, int n);

/* OVK_ERR_MEMORY on all ranks if one has not got its memory. Collective. */
ovk_err tool_got_memory(ovk_ctx *ctx, bool mine);

/* The median of n values, which are sorted. */
double tool_median(double *values, int n);

#endif
