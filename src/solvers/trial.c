/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials of the parts of an iteration. All ranks do the same, whatever fails on one. */
#include "solvers/trial.h"
#include "solvers/updates.h"

#include <math.h>
#include <stdio.h>

enum {
  ROUNDS = 3,
  CACHED_ROWS = 1024,
  SUMS = 4,
  UPDATED = 4,
  VECTORS = 2 * UPDATED,
  MOST_PRODUCTS = 16
};

/* With sums of less than this part of a product, no method gains by hiding them. */
static const double NEXT_TO_NOTHING = 0.005;

/* What a trial works on. */
typedef struct trial {
  const ovk_solver *S;
  ovk_vec *v[VECTORS];
  ovk_reduction *sum;
  int products;                /* beside a sum: about as long as it takes */
  double unused;               /* inner products, that they are made */
  bool diagonal;               /* the preconditioner takes no time of its own */
  bool failed;                 /* something did on some rank */
  ovk_err err;                 /* this rank's first failure, */
  char why[OVK__MESSAGE_SIZE]; /* and its sentence */
} trial;

/* What is timed. The first two tell whether the others matter. */
enum { PRODUCT, LATENCY, BESIDE_PRODUCTS, PRECOND, UPDATES, DOT, TIMES };

static ovk_err open_trial(trial *t)
{
  const ovk_solver *S = t->S;
  t->diagonal = ovk__precond_inverse_diagonal(S->M).d;
  for (int k = 0; k < VECTORS; k++) {
    OVK_TRY(ovk_mat_create_vec(S->A, &t->v[k]));
    OVK_TRY(ovk_vec_fill(t->v[k], 1));
  }
  return ovk_reduction_create(S->ctx, S->opts.backend, SUMS, &t->sum);
}

static void close_trial(trial *t)
{
  ovk_reduction_destroy(&t->sum);
  for (int k = 0; k < VECTORS; k++) ovk_vec_destroy(&t->v[k]);
}

static ovk_err begin(trial *t)
{
  for (int k = 0; k < SUMS; k++) ovk_reduction_values(t->sum)[k] = 1;
  return ovk_reduction_begin(t->sum);
}

static ovk_err add_up(trial *t)
{
  OVK_TRY(begin(t));
  return ovk_reduction_wait(t->sum);
}

static ovk_err multiply(trial *t, ovk_poll poll)
{
  double dot;
  return ovk__mat_mult_dot(t->S->A, t->v[0], t->v[1], poll, &dot);
}

static ovk_err add_up_beside_products(trial *t)
{
  OVK_TRY(begin(t));
  const ovk_poll poll = ovk_reduction_poll(t->sum, t->S->opts.poll_rows);
  ovk_err err = OVK_OK;
  for (int k = 0; k < t->products; k++) {
    const ovk_err product = multiply(t, poll);
    if (!err) err = product;
  }
  const ovk_err sum = ovk_reduction_wait(t->sum);
  return err ? err : sum;
}

/* Over so many vectors that they are about as far from the processor as those of a method. */
static void update_all(trial *t)
{
  for (int k = 0; k < VECTORS; k += 2) {
    ovk__axpy(t->S->A->layout.local, 1e-3, t->v[k]->array, t->v[k + 1]->array, ovk_poll_none());
  }
}

/* Of the first rows again and again, as many as there are. */
static void multiply_in_cache(trial *t)
{
  const ovk_lidx rows = t->S->A->layout.local, most = CACHED_ROWS;
  for (ovk_lidx left = rows; left > 0; left -= most) {
    t->unused += ovk__dot(left < most ? left : most, t->v[0]->array, t->v[1]->array);
  }
}

static ovk_err run(trial *t, int what)
{
  switch (what) {
  case PRODUCT:
    return multiply(t, ovk_poll_none());
  case PRECOND:
    return t->diagonal ? OVK_OK : ovk__precond_apply(t->S->M, t->v[0], t->v[1], ovk_poll_none());
  case UPDATES:
    update_all(t);
    return OVK_OK;
  case DOT:
    multiply_in_cache(t);
    return OVK_OK;
  case LATENCY:
    return add_up(t);
  default:
    return add_up_beside_products(t);
  }
}

/* A failure must not keep this rank from doing what the others do. */
static void keep(trial *t, ovk_err err)
{
  if (!err || t->err) return;
  t->err = err;
  snprintf(t->why, sizeof t->why, "%s", t->S->ctx->message);
}

/* times[k] <- the least of what run(k) took on this rank, which a sum lets start with the others.
 */
static void measure(trial *t, int from, int to, double times[TIMES])
{
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = from; k < to; k++) {
      keep(t, add_up(t));
      const double start = MPI_Wtime();
      keep(t, run(t, k));
      times[k] = fmin(times[k], MPI_Wtime() - start);
    }
  }
}

/* The same, the greatest of all ranks. What failed on one is all ranks' t->failed. */
static ovk_err measure_on_all(trial *t, int from, int to, double times[TIMES])
{
  ovk_ctx *ctx = t->S->ctx;
  measure(t, from, to, times);
  if (t->err) ovk__say(ctx, "%s", t->why);
  t->failed = ovk__agree(ctx, t->err) != OVK_OK;
  OVK_TRY_MPI(ctx, MPI_Allreduce(MPI_IN_PLACE, times + from, to - from, MPI_DOUBLE, MPI_MAX,
                                 ovk_ctx_comm(ctx)));
  return OVK_OK;
}

/* Sums first, since all else is idle where they are cheap. */
static ovk_err measure_all(trial *t, double times[TIMES], bool *cheap_sums)
{
  OVK_TRY(measure_on_all(t, PRODUCT, BESIDE_PRODUCTS, times));
  *cheap_sums = times[LATENCY] < NEXT_TO_NOTHING * times[PRODUCT];
  if (t->failed || *cheap_sums) return OVK_OK;
  t->products = (int)fmin(ceil(times[LATENCY] / times[PRODUCT]), MOST_PRODUCTS);
  return measure_on_all(t, BESIDE_PRODUCTS, TIMES, times);
}

/* The part of a sum that products hid, of what they could have hidden. */
static double hidden(const trial *t, const double times[TIMES])
{
  const double work = t->products * times[PRODUCT], most = fmin(times[LATENCY], work);
  const double shown = times[BESIDE_PRODUCTS] - work;
  const double part = most > 0 ? (times[LATENCY] - shown) / most : 0;
  return fmax(0, fmin(part, 1));
}

ovk_err ovk__trial(const ovk_solver *S, ovk__costs *out)
{
  trial t = {.S = S};
  double times[TIMES];
  for (int k = 0; k < TIMES; k++) times[k] = INFINITY;
  *out = (ovk__costs){0};
  ovk_err err = open_trial(&t);
  if (!err) err = measure_all(&t, times, &out->cheap_sums);
  close_trial(&t);
  out->failed = t.failed;
  out->product = times[PRODUCT];
  out->latency = times[LATENCY];
  if (t.failed || out->cheap_sums) return err;
  out->precond = times[PRECOND];
  out->update = times[UPDATES] / UPDATED;
  out->dot = times[DOT];
  out->hidden = hidden(&t, times);
  return err;
}
