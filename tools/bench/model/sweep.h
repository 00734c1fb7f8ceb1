/* SPDX-License-Identifier: BSD-2-Clause */
/* Every method with every backend on every number of ranks, with boxes of several sizes, simulated,
 * and which is the fastest. */
#ifndef OVK_TOOL_SWEEP_H
#define OVK_TOOL_SWEEP_H

#include "bench/lists.h"
#include "bench/model/sims.h"

enum { SWEEP_BOXES = 4 };

typedef struct sweep {
  int nboxes, boxes[SWEEP_BOXES][3]; /* points of a rank */
  numbers ranks;
  words methods, backends;
  sim *sims;       /* by box, ranks, backend and method */
  table all, wins; /* of all; and for each box and number of ranks, which is the fastest */
  column columns[MAX_COLUMNS]; /* of the second one */
} sweep;

/* Simulates what boxes, ranks, methods and backends say, and makes the tables. Collective. Free it
 * with sweep_destroy(), also after a failure. It must not be moved. */
ovk_err sweep_run(ovk_ctx *ctx, const parameters *p, int iterations, sweep *s);
void sweep_destroy(sweep *s);

#endif
