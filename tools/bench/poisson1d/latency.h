/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies of sums of 8 bytes to 1 MB, to all or to one rank. */
#ifndef OVK_TOOL_LATENCY_H
#define OVK_TOOL_LATENCY_H

#include "bench/lists.h"
#include "bench/operation.h"
#include "bench/table.h"

enum { LATENCY_SIZES = 7 };

/* Figures: the mean seconds of a sum of each size. */
extern const column latency_columns[LATENCY_SIZES];

/* Of each size, the MPI's own two sums, then those of the specs. */
enum { LATENCY_OWN = 2, LATENCY_MOST = LATENCY_OWN + LIST_MAX };
typedef struct latency {
  operation_kind kind;                       /* OPERATION_SUM or OPERATION_REDUCE */
  int sums;                                  /* of up to 4 KB in a round; of longer ones fewer */
  operation at[LATENCY_SIZES][LATENCY_MOST]; /* without a spec: it cannot do that */
} latency;

/* The spec of number `which`. */
const char *latency_spec(operation_kind kind, const words *specs, int which);

/* Backends, which sum to all, need not sum to one rank. Collective. Free it with latency_destroy(),
 * also after a failure. */
ovk_err latency_create(ovk_ctx *ctx, operation_kind kind, const words *specs, int sums,
                       latency *out);
void latency_destroy(latency *l);

/* Measures sums of number `which` of all sizes, on the slowest rank, and checks one of each. `self`
 * is the latency. Collective. */
ovk_err latency_measure(void *self, int which, double *figures);

#endif
