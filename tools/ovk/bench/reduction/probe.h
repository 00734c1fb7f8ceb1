/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one way of summing. */
#ifndef OVK_TOOL_PROBE_H
#define OVK_TOOL_PROBE_H

#include "bench/operations/operation.h"

/* Results of one round of measurements: averages on the slowest rank. */
typedef enum probe_figure {
  PROBE_LATENCY,    /* seconds of begin and immediate wait */
  PROBE_BEGIN,      /* seconds in begin */
  PROBE_WAIT,       /* seconds in wait */
  PROBE_OVERHEAD,   /* seconds in begin, polls and wait, which work cannot hide */
  PROBE_PEER_DELAY, /* seconds that others wait for a sum while one rank is busy after its begin, */
  PROBE_ASLEEP,     /* or asleep */
  PROBE_TIMES,      /* number of times; the figures that follow are per cent */
  PROBE_OVERLAP_OSU = PROBE_TIMES,
  PROBE_OVERLAP_IMB,
  PROBE_FIGURES
} probe_figure;

/* Measures one round of `iterations` sums for each figure. Collective. */
ovk_err probe_measure(operation *sum, int iterations, double figures[PROBE_FIGURES]);

#endif
