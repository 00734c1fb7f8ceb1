/* SPDX-License-Identifier: BSD-2-Clause */
/* What products and updates take on this machine. */
#include "bench/model/measured.h"
#include "bench/timing.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum { UPDATES = 4, VECTORS = 2 * UPDATES, MOST_TIMES = 32 };

/* Doubles that y <- y + a x reads and writes in a row. */
enum { STREAMS = 3 };

struct workbench {
  ovk_ctx *ctx;
  const ovk_mat *A;
  double rows, entries; /* of a rank */
  ovk_vec *v[VECTORS];
};

static ovk_err create_vectors(workbench *w)
{
  for (int k = 0; k < VECTORS; k++) {
    TRY(ovk_mat_create_vec(w->A, &w->v[k]));
    TRY(ovk_vec_fill(w->v[k], 1));
  }
  return OVK_OK;
}

ovk_err workbench_create(ovk_ctx *ctx, const problem *system, const int n[3], const int sides[3],
                         workbench **out)
{
  workbench *w = *out = calloc(1, sizeof *w);
  TRY(tool_got_memory(ctx, w));
  *w = (workbench){.ctx = ctx, .A = system->A, .rows = 1, .entries = 1};
  for (int d = 0; d < 3; d++) {
    w->rows *= n[d];
    w->entries *= 3.0 * n[d] - 2 + sides[d];
  }
  return create_vectors(w);
}

void workbench_destroy(workbench **w)
{
  if (*w) {
    for (int k = 0; k < VECTORS; k++) ovk_vec_destroy(&(*w)->v[k]);
  }
  free(*w);
  *w = NULL;
}

static ovk_err multiply(workbench *w, double *seconds)
{
  double start;
  TRY(timing_start(w->ctx, &start));
  TRY(ovk_mat_mult(w->A, w->v[0], w->v[1], ovk_poll_none()));
  *seconds = MPI_Wtime() - start;
  return OVK_OK;
}

static ovk_err update(workbench *w, double *seconds)
{
  const double start = MPI_Wtime();
  for (int k = 0; k < VECTORS; k += 2) TRY(ovk_vec_axpy(1e-3, w->v[k], w->v[k + 1]));
  *seconds = MPI_Wtime() - start;
  return OVK_OK;
}

ovk_err workbench_measure(workbench *w, int times, parameters *p)
{
  double products[MOST_TIMES], updates[MOST_TIMES];
  if (times > MOST_TIMES) times = MOST_TIMES;
  for (int k = -1; k < times; k++) { /* -1: the warm-up */
    const int at = k < 0 ? 0 : k;
    TRY(multiply(w, &products[at]));
    TRY(update(w, &updates[at]));
  }
  double medians[2] = {tool_median(products, times), tool_median(updates, times)};
  TRY(tool_greatest(w->ctx, medians, 2));
  p->value[ENTRY] = medians[0] / w->entries / parameter_unit(ENTRY);
  p->value[STREAM] = medians[1] / (UPDATES * STREAMS * w->rows) / parameter_unit(STREAM);
  p->value[PRECOND] = 0; /* Jacobi is part of the updates */
  return OVK_OK;
}
