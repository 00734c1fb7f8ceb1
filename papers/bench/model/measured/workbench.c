/* SPDX-License-Identifier: BSD-2-Clause */
/* Times of products and updates on this machine. */
#include "bench/model/measured/measured.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>

enum { VECTORS = 16, MOST_TIMES = 32, CACHED_ROWS = 1024, DOTS = 16 };

/* Doubles that y <- y + a x reads and writes in a row. */
enum { STREAMS = 3 };

/* A matrix and two vectors for products. */
typedef struct operand {
  const ovk_mat *A;
  ovk_vec *x, *y;
} operand;

struct workbench {
  ovk_ctx *ctx, *self;    /* self: a context of this rank only */
  double rows;            /* per rank; */
  double own, others;     /* its entries, and those of them that need other ranks' rows; */
  double messages, bytes; /* messages before an SpMV, and bytes of one */
  testbed alone;          /* the rows of this rank without those entries */
  operand all, mine;      /* the two matrices */
  ovk_vec *v[VECTORS];    /* for updates, */
  ovk_vec *cached;        /* short enough to stay in the first-level cache */
};

static void count(workbench *w, const int n[3])
{
  const int size = ovk_ctx_size(w->ctx), sides = size > 2 ? 2 : size - 1;
  const double layer = (3.0 * n[0] - 2) * (3.0 * n[1] - 2);
  w->rows = (double)n[0] * n[1] * n[2];
  w->own = layer * (3.0 * n[2] - 2);
  w->others = layer * sides;
  w->messages = sides;
  w->bytes = 8.0 * n[0] * n[1];
}

static ovk_err create_operand(const ovk_mat *A, operand *out)
{
  out->A = A;
  TRY(ovk_mat_create_vec(A, &out->x));
  TRY(ovk_mat_create_vec(A, &out->y));
  return ovk_vec_fill(out->x, 1);
}

/* The context of a single rank prints no notices. */
static ovk_err create_alone(workbench *w, const int n[3])
{
  static const int one[3] = {1, 1, 1};
  const ovk_err err = testbed_create_on(w->self, n, one, &w->alone);
  if (!err) return OVK_OK;
  return ovk_ctx_fail(w->ctx, err, "a rank's own rows: %s", ovk_ctx_error(w->self));
}

static ovk_err create_cached(workbench *w)
{
  ovk_err err = ovk_vec_create(w->self, CACHED_ROWS, &w->cached);
  if (!err) err = ovk_vec_fill(w->cached, 1);
  return err ? ovk_ctx_fail(w->ctx, err, "a short vector: %s", ovk_ctx_error(w->self)) : OVK_OK;
}

static ovk_err workbench_build(workbench *w, testbed *bed, const int n[3])
{
  count(w, n);
  TRY(ovk_ctx_create(MPI_COMM_SELF, &w->self));
  TRY(create_alone(w, n));
  TRY(create_operand(w->alone.problem.A, &w->mine));
  TRY(create_cached(w));
  for (int k = 0; k < VECTORS; k++) {
    TRY(ovk_mat_create_vec(bed->problem.A, &w->v[k]));
    TRY(ovk_vec_fill(w->v[k], 1));
  }
  w->all = (operand){bed->problem.A, w->v[0], w->v[1]};
  return OVK_OK;
}

ovk_err workbench_create(testbed *bed, const int n[3], workbench **out)
{
  workbench *w = *out = calloc(1, sizeof *w);
  TRY(tool_got_memory(bed->ctx, w));
  w->ctx = bed->ctx;
  return workbench_build(w, bed, n);
}

void workbench_destroy(workbench **w)
{
  if (*w) {
    for (int k = 0; k < VECTORS; k++) ovk_vec_destroy(&(*w)->v[k]);
    ovk_vec_destroy(&(*w)->cached);
    ovk_vec_destroy(&(*w)->mine.x);
    ovk_vec_destroy(&(*w)->mine.y);
    testbed_destroy(&(*w)->alone);
    ovk_ctx_destroy(&(*w)->self);
  }
  free(*w);
  *w = NULL;
}

static ovk_err multiply(ovk_ctx *ctx, const operand *o, double *seconds)
{
  double start;
  TRY(timing_start(ctx, &start));
  TRY(ovk_mat_mult(o->A, o->x, o->y));
  *seconds = MPI_Wtime() - start;
  return OVK_OK;
}

/* *seconds: of one update. */
static ovk_err update(workbench *w, int vectors, double *seconds)
{
  const double start = MPI_Wtime();
  for (int k = 0; k < vectors; k += 2) TRY(ovk_vec_axpy(1e-3, w->v[k], w->v[k + 1]));
  *seconds = (MPI_Wtime() - start) / (vectors / 2);
  return OVK_OK;
}

/* *seconds: of one row. */
static ovk_err multiply_in_cache(workbench *w, double *seconds)
{
  const double start = MPI_Wtime();
  double value;
  for (int k = 0; k < DOTS; k++) TRY(ovk_vec_local_dot(w->cached, w->cached, &value));
  *seconds = (MPI_Wtime() - start) / ((double)DOTS * CACHED_ROWS);
  return OVK_OK;
}

enum { ALL, MINE, UPDATE, DOT_ROW, KINDS };

static ovk_err measure(workbench *w, int vectors, int times, double medians[KINDS])
{
  double samples[KINDS][MOST_TIMES], unused;
  for (int k = -1; k < times; k++) { /* -1: the warm-up */
    const int at = k < 0 ? 0 : k;
    TRY(multiply(w->ctx, &w->all, &samples[ALL][at]));
    TRY(update(w, vectors, &samples[UPDATE][at]));
    TRY(multiply(w->ctx, &w->mine, &samples[MINE][at]));
    TRY(update(w, vectors, &unused));
    TRY(multiply_in_cache(w, &samples[DOT_ROW][at]));
  }
  for (int k = 0; k < KINDS; k++) medians[k] = tool_median(samples[k], times);
  return tool_greatest(w->ctx, medians, KINDS);
}

ovk_err workbench_measure(workbench *w, int vectors, int times, parameters *p)
{
  double medians[KINDS], share = 1;
  const bool nodes = p->value[RANKS_PER_NODE] < ovk_ctx_size(w->ctx);
  vectors = vectors < 4 ? 4 : vectors > VECTORS ? VECTORS : vectors / 2 * 2;
  TRY(measure(w, vectors, times < MOST_TIMES ? times : MOST_TIMES, medians));
  if (nodes)
    TRY(measured_share(w->ctx, &share)); /* pieces are shorter than a turn of a processor */
  for (int k = 0; k < KINDS; k++) medians[k] *= share;
  const double o = p->value[NODE_o] * parameter_unit(NODE_o);
  const double O = p->value[NODE_O] * parameter_unit(NODE_O);
  const double messages = 2 * w->messages * (o + w->bytes * O); /* sent and received */
  const double rest = fmax(0, medians[ALL] - medians[MINE] - messages);
  p->value[ENTRY] = medians[MINE] / w->own / parameter_unit(ENTRY);
  /* Between nodes the halo takes so long that the difference has nothing of the entries. */
  p->value[BOUNDARY] = nodes           ? p->value[ENTRY]
                       : w->others > 0 ? rest / w->others / parameter_unit(BOUNDARY)
                                       : 0;
  p->value[STREAM] = medians[UPDATE] / (STREAMS * w->rows) / parameter_unit(STREAM);
  p->value[DOT] = medians[DOT_ROW] / parameter_unit(DOT);
  p->value[PAIR] = 2;    /* the format chosen for this problem does not do two products at once */
  p->value[CACHED] = 1;  /* the effect of caches is part of the measured times */
  p->value[PRECOND] = 0; /* Jacobi is part of the updates */
  return OVK_OK;
}
