/* SPDX-License-Identifier: BSD-2-Clause */
/* Times of single operations, or of several at once, as NBCBench has them (Hoefler, Lumsdaine,
 * Rehm, SC'07, listings 2 and 3). */
#ifndef OVK_TOOL_SINGLE_H
#define OVK_TOOL_SINGLE_H

#include "bench/operations/operation.h"

enum { SINGLE_MOST_AT_ONCE = 8, SINGLE_PARTS = 4 };

typedef enum single_figure {
  SINGLE_LATENCY, /* begin and wait: the median over the operations of a round, */
  SINGLE_LEAST,   /* the shortest, */
  SINGLE_MEAN,
  SINGLE_MOST,
  SINGLE_INIT, /* and medians of the parts with work between them */
  SINGLE_TEST,
  SINGLE_WAIT,
  SINGLE_TOTAL,
  SINGLE_OWN, /* processor time of the calling thread in begin, polls and wait */
  SINGLE_TIMES,
  SINGLE_HIDDEN = SINGLE_TIMES,
  SINGLE_BUSY,
  SINGLE_OFFLOADED,
  SINGLE_FASTEST, /* SINGLE_LATENCY of the fastest rank; all other times are of the slowest */
  SINGLE_FIGURES
} single_figure;

typedef struct single {
  ovk_ctx *ctx;
  operation *at[SINGLE_MOST_AT_ONCE]; /* begun, polled and waited for one after the other */
  int at_once, iterations, polls;
  bool in_a_row;                 /* no barrier before each */
  ovk_collective *barrier;       /* NULL: MPI_Barrier */
  double *samples[SINGLE_PARTS]; /* room for a number an iteration in each */
} single;

/* Seconds, of the slowest rank, and per cent. Collective. */
ovk_err single_measure(const single *s, double figures[SINGLE_FIGURES]);

#endif
