/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one way of summing. */
#ifndef OVK_TOOL_PROBE_H
#define OVK_TOOL_PROBE_H

#include "bench/operation.h"

/* What one round of measurements gives: the slowest rank's averages. */
typedef enum probe_figure {
  PROBE_LATENCY,    /* seconds of begin and wait, one behind the other */
  PROBE_BEGIN,      /* seconds in begin */
  PROBE_WAIT,       /* seconds in wait */
  PROBE_OVERHEAD,   /* seconds in begin, polls and wait that no work can hide */
  PROBE_PEER_DELAY, /* seconds that others wait for a sum if one rank is busy after its begin */
  PROBE_TIMES,      /* those above; below: per cent */
  PROBE_OVERLAP_OSU = PROBE_TIMES,
  PROBE_OVERLAP_IMB,
  PROBE_FIGURES
} probe_figure;

/* Measures one round of `iterations` sums for each figure. Collective. */
ovk_err probe_measure(operation *sum, int iterations, double figures[PROBE_FIGURES]);

#endif
