/* SPDX-License-Identifier: BSD-2-Clause */
/* A study: simulations, distributed over the ranks of the program, and the tables of their
 * results. */
#ifndef OVK_TOOL_STUDY_H
#define OVK_TOOL_STUDY_H

#include "bench/model/parameters.h"
#include "bench/support/lists.h"

/* One simulation. */
typedef struct sim {
  const char *method;
  const char *backend; /* a spec, or "offload|SPEC": the adapter progresses SPEC */
  int ranks, n[3];     /* number of ranks, points of each */
  bool cycle;          /* preconditioned by a multigrid cycle, */
  int gather;          /* with this threshold */
  int doubles;         /* > 0: reductions of so many, and no solve; */
  bool to_root;        /* to one rank */
  ovk_model_result result;
} sim;

enum { STUDY_BOXES = 4 };

typedef struct study {
  int nboxes, boxes[STUDY_BOXES][3]; /* points of a rank */
  numbers ranks, gather, doubles;    /* of the last two an empty list is one 0 */
  words methods, backends;
  bool cycle, to_root;

  sim *all; /* by box, ranks, threshold, length, backend and method */
  int n;
  table tables[2]; /* in the order of the report */
  int ntables;
  column columns[MAX_COLUMNS]; /* of a table whose columns depend on the study */
} study;

/* Allocates n simulations. Collective. Free the study with study_destroy(), also after a failure.
 */
ovk_err study_create(ovk_ctx *ctx, int n, study *s);
void study_destroy(study *s);

/* Runs all simulations, number k on rank k modulo the number of ranks; the results are on all
 * ranks. Collective. */
ovk_err study_run(ovk_ctx *ctx, const parameters *p, int iterations, study *s);

/* Creates and runs the simulations of all combinations of the lists. */
ovk_err study_simulate(ovk_ctx *ctx, const parameters *p, int iterations, study *s);

/* Adds a table with `nrows` rows, which `show` computes from the study. Collective. */
ovk_err study_add_table(ovk_ctx *ctx, const char *key, const column *columns, int ncolumns,
                        ovk_err (*show)(void *study, int which, double *figures), int nrows,
                        study *s);

/* Adds the labels of points and ranks of a simulated solve. */
void sim_add_labels(const sim *s, row *r);

#endif
