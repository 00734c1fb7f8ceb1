/* SPDX-License-Identifier: BSD-2-Clause */
/* Figure 10 of Kandalla et al. (2012), simulated. */
#ifndef OVK_TOOL_FIGURE10_H
#define OVK_TOOL_FIGURE10_H

#include "bench/model/sims.h"

typedef struct figure10 {
  sim *sims; /* by points per rank, ranks and program */
  table table;
} figure10;

/* Simulates the whole figure. Collective. Free it with figure10_destroy(), also after a failure. It
 * must not be moved. */
ovk_err figure10_run(ovk_ctx *ctx, const parameters *p, int iterations, figure10 *f);
void figure10_destroy(figure10 *f);

#endif
