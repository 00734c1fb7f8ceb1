/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies of sums of 8 bytes to 1 MB, to all or to one rank. */
#ifndef OVK_TOOL_LATENCY_H
#define OVK_TOOL_LATENCY_H

#include "bench/operations/operation.h"
#include "bench/support/lists.h"
#include "bench/support/table.h"

enum { LATENCY_SIZES = 7 };

/* Figures: the mean seconds of a sum of each size. */
extern const column latency_columns[LATENCY_SIZES];

/* For each size: the two reductions of the MPI, then those of the specs. */
enum { LATENCY_OWN = 2, LATENCY_MOST = LATENCY_OWN + LIST_MAX };
typedef struct latency {
  operation_kind kind;                       /* OPERATION_SUM or OPERATION_REDUCE */
  int sums;                                  /* in a round, up to 4 KB; fewer for longer sums */
  operation at[LATENCY_SIZES][LATENCY_MOST]; /* spec NULL: not supported */
} latency;

/* The spec with index `which`. */
const char *latency_spec(operation_kind kind, const words *specs, int which);

/* A backend, which sums to all ranks, need not be able to sum to one. Collective. Free it with
 * latency_destroy(), also after a failure. */
ovk_err latency_create(ovk_ctx *ctx, operation_kind kind, const words *specs, int sums,
                       latency *out);
void latency_destroy(latency *l);

/* Measures the sums of index `which` of all sizes, on the slowest rank, and checks one of each.
 * `self` is the latency. Collective. */
ovk_err latency_measure(void *self, int which, double *figures);

#endif
