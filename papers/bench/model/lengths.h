/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated latencies of reductions by length (figures 6 to 15, 17 and 18 of Gorentla Venkata et
 * al., 2013). */
#ifndef OVK_TOOL_LENGTHS_H
#define OVK_TOOL_LENGTHS_H

#include "bench/model/sims.h"
#include "bench/support/lists.h"

typedef struct lengths {
  numbers ranks, doubles;
  words backends;
  bool to_root;
  sims sims;
} lengths;

/* Simulates each, and creates the table. Collective. Free l->sims also after a failure. It must not
 * be moved. */
ovk_err lengths_run(ovk_ctx *ctx, const parameters *p, int iterations, lengths *l);

#endif
