/* SPDX-License-Identifier: BSD-2-Clause */
/* Figure 10 of Kandalla et al. (2012), simulated, with the measurements given in its text. */
#include "bench/model/modes.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>

enum { ALGORITHM1, ALGORITHM2, OVERLAP, TWO_LEVELS, TREE, POLLED, PIPELINED, DEEP, PROGRAMS };

static const struct {
  const char *method, *backend;
} programs[PROGRAMS] = {
    [ALGORITHM1] = {"cg", "blocking"},
    [ALGORITHM2] = {"split-cg", "blocking"},
    [OVERLAP] = {"overlap", "offload|nbc"},
    [TWO_LEVELS] = {"overlap", "offload|nbc:levels=node,channel=shm+p2p"},
    [TREE] = {"overlap", "offload|nbc:levels=node,channel=shm+p2p,alg=flat+tree,reduce=2,bcast=4"},
    [POLLED] = {"overlap", "nbc"},
    [PIPELINED] = {"pipecg", "offload|nbc"},
    [DEEP] = {"pipelcg:l=2", "offload|nbc"},
};

static const int sizes[][3] = {{40, 40, 40}, {60, 60, 60}, {80, 80, 80}, {10, 10, 100}};
static const int ranks[] = {64, 128, 256, 512};
enum {
  SIZES = sizeof sizes / sizeof sizes[0],
  RANKS = sizeof ranks / sizeof ranks[0],
  ROWS = SIZES * RANKS
};

/* How much better Overlap-PCG (Flat) is than each algorithm, in per cent, by the text of section
 * VII B; for 512 ranks and 40^3 points from the run-times there, 11.1, 12.2 and 14.2 s. */
static const struct {
  int size, nranks;
  double over1, over2;
} paper[] = {{0, 64, 20.5, 11.5}, {0, 512, 21.8, 9.0}, {1, 64, 21.6, 16.1},
             {1, 512, 13.6, 5.7}, {2, 64, 21.5, 7},    {2, 512, 13, 4.5}};

enum {
  MS1,
  MS2,
  MS_OVERLAP,
  MS_LEVELS,
  MS_TREE,
  MS_POLLED,
  MS_PIPELINED,
  MS_DEEP,
  OVER1,
  PAPER1,
  OVER2,
  PAPER2,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [MS1] = {"cg", "algorithm1_ms", NULL, 1e3, 3},
    [MS2] = {"split-cg", "algorithm2_ms", NULL, 1e3, 3},
    [MS_OVERLAP] = {"overlap", "overlap_ms", NULL, 1e3, 3},
    [MS_LEVELS] = {"two-level", "overlap_two_level_ms", NULL, 1e3, 3},
    [MS_TREE] = {"red-bcast", "overlap_red_bcast_ms", NULL, 1e3, 3},
    [MS_POLLED] = {"polled", "overlap_polled_ms", NULL, 1e3, 3},
    [MS_PIPELINED] = {"pipecg", "pipelined_ms", NULL, 1e3, 3},
    [MS_DEEP] = {"pipelcg:l=2", "deep_ms", NULL, 1e3, 3},
    [OVER1] = {"over cg %", "over_algorithm1_pct", NULL, 100, 1},
    [PAPER1] = {"paper %", "paper_over_algorithm1_pct", NULL, 1, 1},
    [OVER2] = {"over split-cg %", "over_algorithm2_pct", NULL, 100, 1},
    [PAPER2] = {"paper %", "paper_over_algorithm2_pct", NULL, 1, 1},
};

static ovk_err show(void *arg, int which, double *figures)
{
  const study *figure10 = arg;
  const sim *s = &figure10->all[which * PROGRAMS];
  for (int k = 0; k < PROGRAMS; k++) figures[MS1 + k] = s[k].result.iteration;
  figures[OVER1] = 1 - figures[MS_OVERLAP] / figures[MS1];
  figures[OVER2] = 1 - figures[MS_OVERLAP] / figures[MS2];
  figures[PAPER1] = figures[PAPER2] = NAN;
  for (size_t k = 0; k < sizeof paper / sizeof paper[0]; k++) {
    if (paper[k].size != which / RANKS || paper[k].nranks != s->ranks) continue;
    figures[PAPER1] = paper[k].over1;
    figures[PAPER2] = paper[k].over2;
  }
  return OVK_OK;
}

static void name_row(const sim *s, row *r)
{
  snprintf(r->name, sizeof r->name, "%3dx%2dx%3d  %5d ranks", s->n[0], s->n[1], s->n[2], s->ranks);
  sim_add_labels(s, r);
}

ovk_err figure10_simulate(ovk_ctx *ctx, const parameters *p, int iterations, study *s)
{
  TRY(study_create(ctx, ROWS * PROGRAMS, s));
  for (int k = 0; k < s->n; k++) {
    const int *n = sizes[k / PROGRAMS / RANKS];
    s->all[k] = (sim){.method = programs[k % PROGRAMS].method,
                      .backend = programs[k % PROGRAMS].backend,
                      .ranks = ranks[k / PROGRAMS % RANKS],
                      .n = {n[0], n[1], n[2]}};
  }
  return study_run(ctx, p, iterations, s);
}

ovk_err figure10_tabulate(ovk_ctx *ctx, study *s)
{
  TRY(study_add_table(ctx, "figure10", columns, COLUMNS, show, ROWS, s));
  table *t = &s->tables[0];
  for (int k = 0; k < ROWS; k++) name_row(&s->all[k * PROGRAMS], &t->rows[k]);
  snprintf(t->title, sizeof t->title,
           "simulated: ms an iteration, and what overlap gains over cg and split-cg");
  return OVK_OK;
}
