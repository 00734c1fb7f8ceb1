/* SPDX-License-Identifier: BSD-2-Clause */
/* One measurement: assembly, timed runs, and verification of the result. */
#include "columns.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { WARM_UP = 3, MOST_REPEATS = 1000 };

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

/* Seconds of wall time and of CPU time of this process. */
typedef struct clocks {
  double wall, cpu;
} clocks;

static clocks read_clocks(void)
{
  struct timespec cpu = {0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  return (clocks){MPI_Wtime(), (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec};
}

/* Starts the clocks of all ranks at the same time. */
static clocks start_clocks(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  return read_clocks();
}

/* Seconds since `start`, the maximum over the ranks. */
static clocks stop_clocks(clocks start)
{
  const clocks now = read_clocks();
  double seconds[2] = {now.wall - start.wall, now.cpu - start.cpu};
  MPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return (clocks){seconds[0], seconds[1]};
}

double run_norm(ovk_lidx n, const double *v)
{
  double sum = 0;
  for (ovk_lidx i = 0; i < n; i++) sum += v[i] * v[i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(sum);
}

static ovk_err assemble(ovk_ctx *ctx, run *r)
{
  r->before = memory_read();
  TRY(problem_create(ctx, r->options, &r->problem));
  const clocks start = start_clocks();
  TRY(r->ops->assemble(ctx, r->options, &r->problem.rows, &r->state));
  r->assemble = stop_clocks(start).wall;
  if (!r->options->steps) block_free(&r->problem.rows);
  r->after = memory_read();
  return OVK_OK;
}

/* The operation that is repeated instead of a solve, or NULL. */
static peer_action repeated(const run *r)
{
  return r->options->products ? r->ops->product : r->options->applications ? r->ops->apply : NULL;
}

/* `count` products or applications, or if that is 0 a solve from x = 0. */
static ovk_err run_once(run *r, int count, const double *zeros, clocks *seconds)
{
  const peer_ops *ops = r->ops;
  const bool solves = !count && !r->options->columns;
  if (solves) TRY(ops->load(r->state, PEER_X, zeros));
  const clocks start = start_clocks();
  for (int k = 0; k < count; k++) TRY(repeated(r)(r->state));
  if (solves) TRY(ops->solve(r->state, &r->outcome));
  if (r->options->columns) TRY(columns_solve(r));
  *seconds = stop_clocks(start);
  return OVK_OK;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of n values, which it sorts. */
static double median(double *values, int n)
{
  qsort(values, (size_t)n, sizeof *values, compare);
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* The first preparation, with its time. */
static ovk_err prepare(run *r, int maxit)
{
  const clocks start = start_clocks();
  TRY(r->ops->prepare(r->state, maxit));
  r->setup = stop_clocks(start).wall;
  return OVK_OK;
}

/* A short warm-up, which touches every page, then the timed runs. */
static ovk_err measure(run *r, const double *zeros)
{
  const options *o = r->options;
  double wall[MOST_REPEATS], cpu[MOST_REPEATS];
  clocks seconds;
  const int n = o->repeat < MOST_REPEATS ? o->repeat : MOST_REPEATS;
  const int count = o->products + o->applications; /* one of them is 0 */
  if (!o->products) TRY(prepare(r, o->maxit < WARM_UP ? o->maxit : WARM_UP));
  TRY(run_once(r, count ? WARM_UP : 0, zeros, &seconds));
  if (!count) TRY(r->ops->prepare(r->state, o->maxit));
  for (int k = 0; k < n; k++) {
    TRY(run_once(r, count, zeros, &seconds));
    wall[k] = seconds.wall;
    cpu[k] = seconds.cpu;
  }
  r->seconds = median(wall, n);
  r->cpu = median(cpu, n);
  return OVK_OK;
}

/* Steps with new values; all times are means. */
static ovk_err measure_steps(run *r, const double *zeros)
{
  const int n = r->options->steps;
  TRY(prepare(r, r->options->maxit));
  for (int step = 1; step <= n; step++) {
    clocks solve;
    problem_step(&r->problem, step);
    const clocks start = start_clocks();
    TRY(r->ops->refill(r->state, &r->problem.rows));
    r->refill += stop_clocks(start).wall / n;
    const clocks filled = start_clocks();
    TRY(r->ops->update(r->state));
    r->update += stop_clocks(filled).wall / n;
    TRY(run_once(r, 0, zeros, &solve));
    r->seconds += solve.wall / n;
    r->cpu += solve.cpu / n;
  }
  return OVK_OK;
}

/* Copies the result into `work` and computes its residual and norm. */
static ovk_err check(run *r, double *work)
{
  const problem *p = &r->problem;
  const ovk_lidx n = p->rows.rows;
  const peer_action action = repeated(r);
  if (r->options->columns) return columns_check(r, work);
  if (!action) {
    TRY(r->ops->fetch(r->state, PEER_X, work));
    r->norm = run_norm(n, work);
  }
  TRY((action ? action : r->ops->product)(r->state));
  TRY(r->ops->fetch(r->state, PEER_Y, work));
  if (action) {
    r->norm = run_norm(n, work);
    return OVK_OK;
  }
  for (ovk_lidx i = 0; i < n; i++) work[i] = p->b[i] - work[i];
  r->residual = run_norm(n, work) / run_norm(n, p->b);
  return OVK_OK;
}

ovk_err run_all(ovk_ctx *ctx, run *r)
{
  TRY(assemble(ctx, r));
  const problem *p = &r->problem;
  TRY(r->ops->load(r->state, PEER_B, p->b));
  TRY(r->ops->load(r->state, PEER_X, p->x));
  TRY(columns_create(ctx, r));
  double *work = calloc((size_t)p->rows.rows + 1, sizeof *work);
  if (!work) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for a vector");
  ovk_err err = r->options->steps ? measure_steps(r, work) : measure(r, work);
  if (!err) err = check(r, work);
  free(work);
  return err;
}

void run_close(run *r)
{
  if (r->state) r->ops->close(r->state);
  problem_free(&r->problem);
  free(r->columns.b);
  free(r->columns.x);
}
