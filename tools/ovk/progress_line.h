/* SPDX-License-Identifier: BSD-2-Clause */
/* Output during a solve: a line per iteration, a CSV file, a progress line, a record. */
#ifndef OVK_TOOL_PROGRESS_LINE_H
#define OVK_TOOL_PROGRESS_LINE_H

#include "record.h"

/* Rank 0 has the files; on other ranks all members are NULL and false, and there is no output. */
typedef struct watch {
  FILE *lines;    /* a line per iteration; NULL: none */
  FILE *history;  /* CSV; NULL: none */
  record *record; /* NULL: none */
  bool progress;  /* keep a progress line on standard error, which is a terminal */
  double start;   /* MPI_Wtime when the solve began */
  double shown;   /* when the progress line was last written */
  int width;      /* length of the progress line on the terminal */
} watch;

/* Writes the heading of the CSV file. Once, before the solve: a solve with b = 0 calls no
 * monitor. */
void watch_head_history(FILE *history);

/* The monitor; arg is a watch. */
int watch_iteration(void *arg, const ovk_progress *now);

/* Erases the progress line. Call it after each solve. */
void watch_end(watch *w);

#endif
