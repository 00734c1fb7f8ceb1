/* SPDX-License-Identifier: BSD-2-Clause */
/* The modes of `ovk bench model`. All functions are collective. Their requests must not be moved
 * after a run, since the tables refer to them. */
#ifndef OVK_TOOL_MODEL_MODES_H
#define OVK_TOOL_MODEL_MODES_H

#include "bench/model/sims.h"
#include "bench/support/lists.h"

enum { SWEEP_BOXES = 4 };

/* Every method with every backend on every number of ranks, with boxes of several sizes. */
typedef struct sweep {
  int nboxes, boxes[SWEEP_BOXES][3]; /* points of a rank */
  numbers ranks;
  words methods, backends;
  sims sims;                   /* by box, ranks, backend and method */
  table wins;                  /* the fastest for each box and number of ranks */
  column columns[MAX_COLUMNS]; /* of `wins` */
} sweep;

/* Simulates all combinations, and creates the tables. Free it with sweep_destroy(), also after a
 * failure. */
ovk_err sweep_run(ovk_ctx *ctx, const parameters *p, int iterations, sweep *s);
void sweep_destroy(sweep *s);

/* Solves with a multigrid cycle by number of ranks and gathering threshold. */
typedef struct cycles {
  int n[3]; /* points of a rank */
  numbers ranks, gather;
  words methods, backends;
  sims sims; /* by ranks, threshold, backend and method */
} cycles;

/* Simulates all combinations, and creates the table. Free c->sims also after a failure. */
ovk_err cycles_run(ovk_ctx *ctx, const parameters *p, int iterations, cycles *c);

/* Latencies of reductions by length (figures 6 to 15, 17 and 18 of Gorentla Venkata et al., 2013).
 */
typedef struct lengths {
  numbers ranks, doubles;
  words backends;
  bool to_root;
  sims sims;
} lengths;

/* Simulates each, and creates the table. Free l->sims also after a failure. */
ovk_err lengths_run(ovk_ctx *ctx, const parameters *p, int iterations, lengths *l);

/* Simulates figure 10 of Kandalla et al. (2012), by points of a rank, ranks and program. Free *f
 * with sims_destroy(), also after a failure. */
ovk_err figure10_run(ovk_ctx *ctx, const parameters *p, int iterations, sims *f);

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
