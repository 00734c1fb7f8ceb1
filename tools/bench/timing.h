/* SPDX-License-Identifier: BSD-2-Clause */
/* Times inside single calls, which can be as short as a reading of the clock. */
#ifndef OVK_TOOL_TIMING_H
#define OVK_TOOL_TIMING_H

#include "bench/operation.h"

/* All ranks leave together; *start <- when. Collective. */
ovk_err timing_start(ovk_ctx *ctx, double *start);

/* Seconds that one reading of the clock takes, measured now. */
double timing_clock(void);

/* Adds the time inside `call`, and that of one reading of the clock, to *inside. */
ovk_err timing_add(operation *op, ovk_err (*call)(operation *), double *inside);

/* The mean of `iterations`, each without `readings` of the clock. */
double timing_mean(double seconds, int iterations, double readings, double clock);

/* A part as per cent, from 0 to 100. */
double timing_per_cent(double part);

#endif
