/* SPDX-License-Identifier: BSD-2-Clause */
/* Times inside single calls, which can be as short as reading the clock. */
#ifndef OVK_TOOL_TIMING_H
#define OVK_TOOL_TIMING_H

#include "bench/operations/operation.h"

/* All ranks leave at the same time; *start <- that time. Collective. */
ovk_err timing_start(ovk_ctx *ctx, double *start);

/* Seconds that reading the clock once takes, measured now. */
double timing_clock(void);

/* Processor time of this thread, seconds, and seconds that reading it takes, measured now. */
double timing_processor(void);
double timing_processor_clock(void);

/* Adds the time inside `call`, which includes one reading of the clock, to *inside. */
ovk_err timing_add(operation *op, ovk_err (*call)(operation *), double *inside);

/* The mean over `iterations`, minus the time of `readings` readings of the clock in each. */
double timing_mean(double seconds, int iterations, double readings, double clock);

/* A fraction in per cent, clipped to 0 to 100. */
double timing_per_cent(double fraction);

#endif
