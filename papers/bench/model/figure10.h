/* SPDX-License-Identifier: BSD-2-Clause */
/* Figure 10 of Kandalla et al. (2012), simulated. */
#ifndef OVK_TOOL_FIGURE10_H
#define OVK_TOOL_FIGURE10_H

#include "bench/model/sims.h"

/* Simulates the whole figure: simulations by points per rank, ranks and program. Collective. Free
 * *f with sims_destroy(), also after a failure. It must not be moved. */
ovk_err figure10_run(ovk_ctx *ctx, const parameters *p, int iterations, sims *f);

#endif
