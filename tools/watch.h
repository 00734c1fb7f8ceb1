/* SPDX-License-Identifier: BSD-2-Clause */
/* What is shown of a running solve: a line an iteration, a CSV file, a progress line. */
#ifndef OVK_TOOL_WATCH_H
#define OVK_TOOL_WATCH_H

#include <ovkrylov/ovkrylov.h>

/* Rank 0 has the files; on other ranks all is NULL and false, and nothing is shown. */
typedef struct watch {
  FILE *lines;   /* a line an iteration; NULL: none */
  FILE *history; /* CSV; NULL: none */
  bool progress; /* keep a progress line on standard error, which is a terminal */
  double start;  /* MPI_Wtime when the solve began */
  double shown;  /* and when the progress line was last written */
  int width;     /* letters of the progress line on the terminal */
} watch;

/* Writes the heading of the CSV file. Once, before the solve: one with b = 0 calls no monitor. */
void watch_head_history(FILE *history);

/* The monitor; arg is a watch. */
int watch_iteration(void *arg, const ovk_progress *now);

/* Takes the progress line off the terminal. After each solve. */
void watch_end(watch *w);

#endif
