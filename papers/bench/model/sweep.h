/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates every method with every backend on every number of ranks, with boxes of several sizes,
 * and finds the fastest. */
#ifndef OVK_TOOL_SWEEP_H
#define OVK_TOOL_SWEEP_H

#include "bench/model/sims.h"
#include "bench/support/lists.h"

enum { SWEEP_BOXES = 4 };

typedef struct sweep {
  int nboxes, boxes[SWEEP_BOXES][3]; /* points of a rank */
  numbers ranks;
  words methods, backends;
  sims sims;                   /* by box, ranks, backend and method */
  table wins;                  /* the fastest for each box and number of ranks */
  column columns[MAX_COLUMNS]; /* of `wins` */
} sweep;

/* Simulates all combinations of boxes, ranks, methods and backends, and creates the tables.
 * Collective. Free it with sweep_destroy(), also after a failure. It must not be moved. */
ovk_err sweep_run(ovk_ctx *ctx, const parameters *p, int iterations, sweep *s);
void sweep_destroy(sweep *s);

#endif
