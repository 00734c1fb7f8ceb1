/* SPDX-License-Identifier: BSD-2-Clause */
/* The logs of libovk_mpi.so about the calls of a program, one a rank. */
#ifndef OVK_TOOL_RUN_LOG_H
#define OVK_TOOL_RUN_LOG_H

#include "launch/locate.h"

#include <stdio.h>

typedef struct run_log {
  int ranks;
  char folder[PATH_SIZE]; /* a temporary one; "": the files stay */
  char name[PATH_SIZE];   /* absolute, without the number of the rank */
} run_log;

/* Chooses the files, and removes those of an earlier run. `name` NULL: in a temporary folder.
 * Returns 0, or an error number. */
int run_log_open(run_log *log, const char *name, int ranks);

/* Writes one table of all ranks' files; `status` is that of mpiexec. */
void run_log_print(const run_log *log, int status, FILE *file);

/* Removes the temporary folder. */
void run_log_close(const run_log *log);

#endif
