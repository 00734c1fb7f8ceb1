/* SPDX-License-Identifier: BSD-2-Clause */
/* The modes of `ovk bench model`. All functions are collective. A study must not be moved once it
 * has tables, since these refer to it. */
#ifndef OVK_TOOL_MODEL_MODES_H
#define OVK_TOOL_MODEL_MODES_H

#include "bench/model/study.h"

/* Each creates the tables of a simulated study. A sweep compares every method with "cg", which must
 * be in the list, and finds the fastest. Cycles: solves with a multigrid cycle by gathering
 * threshold. Lengths: latencies of reductions (figures 6 to 15, 17 and 18 of Gorentla Venkata et
 * al., 2013). */
ovk_err sweep_tabulate(ovk_ctx *ctx, study *s);
ovk_err cycles_tabulate(ovk_ctx *ctx, study *s);
ovk_err lengths_tabulate(ovk_ctx *ctx, study *s);

/* Adds the reference "cg" to the methods of a sweep. */
ovk_err sweep_add_reference(ovk_ctx *ctx, words *methods);

/* Figure 10 of Kandalla et al. (2012), by points of a rank, ranks and program; it has no lists. */
ovk_err figure10_simulate(ovk_ctx *ctx, const parameters *p, int iterations, study *s);
ovk_err figure10_tabulate(ovk_ctx *ctx, study *s);

/* Comparison with solves on the available ranks: boxes of sizes^3 points a rank. Reductions are
 * those of `backends` over the real links between the ranks; if there are none, those of emulated
 * latencies in us. */
typedef struct crosscheck_request {
  words methods, backends;
  numbers sizes, us;
  int rounds;
  const char *json;
} crosscheck_request;

/* Measures, simulates and prints. `p`: the parameters that are not measured. */
ovk_err crosscheck_run(ovk_ctx *ctx, const crosscheck_request *request, const parameters *p);

/* The text of `ovk bench model --help` on its figures. */
extern const char model_notes[];

#endif
