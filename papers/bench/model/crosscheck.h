/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the model with solves on the ranks of the program. */
#ifndef OVK_TOOL_CROSSCHECK_H
#define OVK_TOOL_CROSSCHECK_H

#include "bench/model/parameters.h"
#include "bench/support/lists.h"

/* The comparison: boxes of sizes^3 points a rank. Reductions are those of `backends` over the real
 * links between the ranks; if there are none, those of emulated latencies in us. */
typedef struct crosscheck_request {
  words methods, backends;
  numbers sizes, us;
  int rounds;
  const char *json;
} crosscheck_request;

/* Measures, simulates and prints. `p`: the parameters that are not measured. Collective. */
ovk_err crosscheck_run(ovk_ctx *ctx, const crosscheck_request *request, const parameters *p);

#endif
