/* SPDX-License-Identifier: BSD-2-Clause */
/* Times the parts of an iteration. All ranks make the same calls even if one fails on some rank. */
#include "solvers/auto/autotune.h"
#include "backends/open.h"
#include "core/context/agree.h"
#include "solvers/auto/select_method.h"
#include "solvers/kernels/updates/updates.h"

#include <math.h>
#include <stdio.h>

enum {
  ROUNDS = 3,
  CACHED_ROWS = 1024,
  SUMS = 4,
  UPDATED = 4,
  VECTORS = 2 * UPDATED,
  FIRST_VECTORS = 2, /* of a product; the others have to be in memory for updates only */
  MOST_PRODUCTS = 16
};

/* A first product, with cold caches, takes at most so many times as long as later ones. */
static const double COLD = 4;

/* State of a trial. */
typedef struct autotuner {
  ovk_solver *S;
  ovk_vec *v[VECTORS];
  ovk_reduction *sum;
  int products;                /* products overlapped with a reduction: about as long as it takes */
  double unused;               /* inner products, so that they are not optimized away */
  double shown;                /* seconds of a reduction that an M without polls does not hide */
  bool failed;                 /* a part failed on some rank */
  ovk_err err;                 /* this rank's first failure */
  char why[OVK__MESSAGE_SIZE]; /* its message */
} autotuner;

/* The timed parts. The first four decide whether the others are needed. A sweep is an update in
 * cache, so it takes no longer than those of a method. */
enum { PRODUCT, LATENCY, SWEEP, PRECOND, BESIDE_PRODUCTS, UPDATES, DOT, RUNS, SHOWN = RUNS, TIMES };

static ovk_err autotune_create_vectors(autotuner *t, int from, int to)
{
  for (int k = from; k < to; k++) {
    OVK_TRY(ovk_mat_create_vec(t->S->A, &t->v[k]));
    OVK_TRY(ovk_vec_fill(t->v[k], 1));
  }
  return OVK_OK;
}

static void autotune_cleanup(autotuner *t)
{
  ovk_reduction_destroy(&t->sum);
  for (int k = 0; k < VECTORS; k++) ovk_vec_destroy(&t->v[k]);
}

static ovk_err autotune_begin_reduction(autotuner *t)
{
  for (int k = 0; k < SUMS; k++) ovk_reduction_values(t->sum)[k] = 1;
  return ovk_reduction_begin(t->sum);
}

static ovk_err autotune_reduce(autotuner *t)
{
  OVK_TRY(autotune_begin_reduction(t));
  return ovk_reduction_wait(t->sum);
}

static ovk_err autotune_multiply(autotuner *t, ovk_poll poll)
{
  return ovk__mat_mult_dot(t->S->A, t->v[0], t->v[1], poll, NULL);
}

static ovk_err autotune_reduce_over_spmv(autotuner *t)
{
  OVK_TRY(autotune_begin_reduction(t));
  const ovk_poll poll = ovk_reduction_poll(t->sum, t->S->opts.poll_rows);
  ovk__kept_error first = {0};
  for (int k = 0; k < t->products; k++) {
    ovk__keep_error(t->S->ctx, autotune_multiply(t, poll), &first);
  }
  ovk__keep_error(t->S->ctx, ovk_reduction_wait(t->sum), &first);
  return ovk__kept_error_of(t->S->ctx, &first);
}

static ovk_err autotune_precondition(autotuner *t)
{
  return ovk__precond_apply(t->S->M, t->v[0], t->v[1], ovk_poll_none());
}

/* The same overlapped with a reduction, for an M that does not poll: it takes as long as alone. */
static ovk_err autotune_reduce_over_precond(autotuner *t)
{
  const double start = MPI_Wtime();
  OVK_TRY(autotune_begin_reduction(t));
  const double begun = MPI_Wtime();
  const ovk_err precond = autotune_precondition(t);
  const double applied = MPI_Wtime();
  const ovk_err sum = ovk_reduction_wait(t->sum);
  t->shown = fmin(t->shown, MPI_Wtime() - applied + (begun - start));
  return precond ? precond : sum;
}

/* All vectors are enough for the cache misses of a typical method. */
static void autotune_update(autotuner *t, int vectors)
{
  for (int k = 0; k < vectors; k += 2) {
    ovk__axpy(t->S->A->layout.local, 1e-3, t->v[k]->array, t->v[k + 1]->array, ovk_poll_none());
  }
}

/* Inner products of the first rows, repeated until as many rows as this rank has are done. */
static void autotune_multiply_in_cache(autotuner *t)
{
  const ovk_lidx rows = t->S->A->layout.local, most = CACHED_ROWS;
  for (ovk_lidx left = rows; left > 0; left -= most) {
    t->unused += ovk__dot(left < most ? left : most, t->v[0]->array, t->v[1]->array);
  }
}

static ovk_err autotune_time_action(autotuner *t, int what)
{
  switch (what) {
  case PRODUCT:
    return autotune_multiply(t, ovk_poll_none());
  case PRECOND:
    if (t->S->M_kind != OVK__M_OTHER) return OVK_OK; /* takes no time itself */
    return ovk__is_silent(t->S) ? autotune_reduce_over_precond(t) : autotune_precondition(t);
  case SWEEP:
  case UPDATES:
    autotune_update(t, what == SWEEP ? FIRST_VECTORS : VECTORS);
    return OVK_OK;
  case DOT:
    autotune_multiply_in_cache(t);
    return OVK_OK;
  case LATENCY:
    return autotune_reduce(t);
  default:
    return autotune_reduce_over_spmv(t);
  }
}

/* Records a failure; this rank continues with the same collective calls as the others. */
static void autotune_keep(autotuner *t, ovk_err err)
{
  if (!err || t->err) return;
  t->err = err;
  snprintf(t->why, sizeof t->why, "%s", t->S->ctx->message);
}

/* times[k] <- the minimum time of run(k) on this rank. A reduction before each run synchronizes the
 * ranks. */
static void autotune_measure(autotuner *t, int from, int to, int rounds, double times[TIMES])
{
  for (int round = 0; round < rounds; round++) {
    for (int k = from; k < to; k++) {
      autotune_keep(t, autotune_reduce(t));
      const double start = MPI_Wtime();
      autotune_keep(t, autotune_time_action(t, k));
      times[k] = fmin(times[k], MPI_Wtime() - start);
    }
  }
}

/* times <- the maxima over the ranks. Sets t->failed on all ranks if a part failed on any. */
static ovk_err autotune_share(autotuner *t, double times[TIMES])
{
  ovk_ctx *ctx = t->S->ctx;
  times[SHOWN] = t->shown;
  if (t->err) ovk__set_message(ctx, "%s", t->why);
  t->failed = ovk__agree(ctx, t->err) != OVK_OK;
  return ovk__total(ctx, times, TIMES, MPI_MAX);
}

/* Seconds of the updates of an iteration, at least; 0 if no sweep has been timed. */
static double autotune_sweeps(const autotuner *t, const double times[TIMES])
{
  return isfinite(times[SWEEP]) ? ovk__select_sweeps(t->S) * times[SWEEP] : 0;
}

/* Times some parts; *cheap <- whether the times so far show that no sum is worth hiding, if
 * products and sweeps may be `cold` times as fast as timed. */
static ovk_err autotune_try(autotuner *t, int from, int to, int rounds, double cold,
                            double times[TIMES], bool *cheap)
{
  autotune_measure(t, from, to, rounds, times);
  OVK_TRY(autotune_share(t, times));
  const double precond = isfinite(times[PRECOND]) ? times[PRECOND] : 0;
  const double work = (times[PRODUCT] + autotune_sweeps(t, times)) / cold + precond;
  *cheap = times[LATENCY] < ovk__select_negligible(t->S) * work;
  return OVK_OK;
}

/* Times products, reductions and sweeps first, then one application of M, which may be a multigrid
 * cycle. Each part is timed only if the parts before it do not show that reductions are cheap. */
static ovk_err autotune_measure_all(autotuner *t, double times[TIMES], bool *cheap)
{
  const bool known = isfinite(t->S->selection.product_seconds); /* the same on all ranks */
  times[PRODUCT] = t->S->selection.product_seconds;
  if (!known) OVK_TRY(autotune_create_vectors(t, 0, FIRST_VECTORS));
  OVK_TRY(
      autotune_try(t, known ? LATENCY : PRODUCT, known ? SWEEP : PRECOND, 1, COLD, times, cheap));
  if (t->failed || *cheap) return OVK_OK;
  if (known) OVK_TRY(autotune_create_vectors(t, 0, FIRST_VECTORS));
  OVK_TRY(autotune_try(t, PRODUCT, PRECOND, ROUNDS - 1, 1, times, cheap));
  if (t->failed || *cheap) return OVK_OK;
  OVK_TRY(autotune_try(t, PRECOND, PRECOND + 1, 1, 1, times, cheap));
  if (t->failed || *cheap) return OVK_OK;
  OVK_TRY(autotune_create_vectors(t, FIRST_VECTORS, VECTORS));
  t->products = (int)fmin(ceil(times[LATENCY] / times[PRODUCT]), MOST_PRODUCTS);
  autotune_measure(t, PRECOND, RUNS, ROUNDS, times);
  return autotune_share(t, times);
}

/* The time of a reduction that `work` hid, as a fraction of the time that it could hide; `both` is
 * the time of both together. */
static double autotune_hidden(double latency, double work, double both)
{
  const double most = fmin(latency, work), shown = both - work;
  const double fraction = most > 0 ? (latency - shown) / most : 0;
  return fmax(0, fmin(fraction, 1));
}

ovk_err ovk__autotune(ovk_solver *S, ovk__costs *out)
{
  autotuner t = {.S = S, .shown = INFINITY};
  double times[TIMES];
  for (int k = 0; k < TIMES; k++) times[k] = INFINITY;
  *out = (ovk__costs){0};
  ovk_err err = ovk__reduction_create(S->ctx, &S->opened, SUMS, &t.sum);
  if (!err) err = autotune_measure_all(&t, times, &out->cheap_reductions);
  autotune_cleanup(&t);
  out->failed = t.failed;
  out->product = times[PRODUCT];
  out->sweeps = autotune_sweeps(&t, times);
  out->latency = times[LATENCY];
  out->precond = isfinite(times[PRECOND]) ? times[PRECOND] : 0;
  out->never_polls = ovk__is_silent(S);
  if (t.failed || out->cheap_reductions) return err;
  if (out->never_polls) {
    out->precond -= times[SHOWN];
    out->hidden_by_precond = autotune_hidden(times[LATENCY], out->precond, times[PRECOND]);
  }
  out->update = times[UPDATES] / UPDATED;
  out->dot = times[DOT];
  out->hidden =
      autotune_hidden(times[LATENCY], t.products * times[PRODUCT], times[BESIDE_PRODUCTS]);
  return err;
}
