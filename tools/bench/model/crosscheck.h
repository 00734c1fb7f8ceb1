/* SPDX-License-Identifier: BSD-2-Clause */
/* The model against solves on the ranks that the program runs on. */
#ifndef OVK_TOOL_CROSSCHECK_H
#define OVK_TOOL_CROSSCHECK_H

#include "bench/lists.h"
#include "bench/model/parameters.h"

/* What to compare: boxes of sizes^3 points a rank, latencies in us. */
typedef struct crosscheck_request {
  words methods;
  numbers sizes, us;
  int rounds;
  const char *json;
} crosscheck_request;

/* Measures, simulates and prints. `p`: what of the parameters is not measured. Collective. */
ovk_err crosscheck_run(ovk_ctx *ctx, const crosscheck_request *request, const parameters *p);

#endif
