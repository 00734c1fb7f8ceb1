/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one way of summing. */
#include "probe.h"
#include "tool.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double busy_seconds = 0.02; /* of the rank that keeps the others waiting */
enum { PEER_DELAYS = 3 };

/* Of the overhead: how often a sum is polled, and how many times its latency the work takes, so
 * that wait finds it complete. */
enum { POLLS = 10, WORK_FACTOR = 4 };

ovk_err probe_create(ovk_ctx *ctx, const char *spec, int count, probe *out)
{
  *out = (probe){
      .spec = spec, .backend = spec, .count = count, .ctx = ctx, .request = MPI_REQUEST_NULL};
  out->blocking = strcmp(spec, "mpi:allreduce") == 0;
  if (!out->blocking && strcmp(spec, "mpi:iallreduce") != 0) {
    TRY(ovk_reduction_create(ctx, spec, count, &out->reduction));
    out->values = ovk_reduction_values(out->reduction);
    out->backend = ovk_reduction_spec(out->reduction);
    return OVK_OK;
  }
  out->values = calloc((size_t)count, sizeof *out->values);
  const int mine = out->values != NULL;
  int all = 0;
  TRY(tool_mpi(ctx, MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  return all ? OVK_OK : ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for %d doubles", count);
}

void probe_destroy(probe *p)
{
  if (!p->reduction) free(p->values);
  ovk_reduction_destroy(&p->reduction);
}

static ovk_err begin(probe *p)
{
  if (p->reduction) return ovk_reduction_begin(p->reduction);
  const int code = p->blocking ? MPI_Allreduce(MPI_IN_PLACE, p->values, p->count, MPI_DOUBLE,
                                               MPI_SUM, MPI_COMM_WORLD)
                               : MPI_Iallreduce(MPI_IN_PLACE, p->values, p->count, MPI_DOUBLE,
                                                MPI_SUM, MPI_COMM_WORLD, &p->request);
  return code == MPI_SUCCESS ? OVK_OK : tool_mpi(p->ctx, code, "the MPI's all-reduce");
}

static ovk_err poll(probe *p)
{
  bool complete;
  if (p->reduction) return ovk_reduction_test(p->reduction, &complete);
  int flag;
  const int code = MPI_Test(&p->request, &flag, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? OVK_OK : tool_mpi(p->ctx, code, "MPI_Test");
}

static ovk_err wait(probe *p)
{
  if (p->blocking) return OVK_OK;
  if (p->reduction) return ovk_reduction_wait(p->reduction);
  const int code = MPI_Wait(&p->request, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? OVK_OK : tool_mpi(p->ctx, code, "MPI_Wait");
}

static void clear(probe *p)
{
  memset(p->values, 0, (size_t)p->count * sizeof *p->values); /* sums of sums would overflow */
}

static ovk_err start_together(const probe *p, double *start)
{
  TRY(tool_mpi(p->ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"));
  *start = MPI_Wtime();
  return OVK_OK;
}

/* *mean <- seconds of one begin, work, and wait. */
static ovk_err time_sums(probe *p, int iterations, long steps, double *mean)
{
  double start;
  clear(p);
  TRY(start_together(p, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(begin(p));
    if (steps) work(steps);
    TRY(wait(p));
  }
  *mean = (MPI_Wtime() - start) / iterations;
  return OVK_OK;
}

static double time_work(int iterations, long steps)
{
  const double start = MPI_Wtime();
  for (int k = 0; k < iterations; k++) work(steps);
  return (MPI_Wtime() - start) / iterations;
}

static double time_clock(int iterations)
{
  const double start = MPI_Wtime();
  for (int k = 0; k < iterations; k++) (void)MPI_Wtime();
  return (MPI_Wtime() - start) / iterations;
}

/* Adds the time inside `call`, and that of one reading of the clock, to *inside. */
static ovk_err add_time(probe *p, ovk_err (*call)(probe *), double *inside)
{
  const double start = MPI_Wtime();
  TRY(call(p));
  *inside += MPI_Wtime() - start;
  return OVK_OK;
}

/* A mean without that of n readings of the clock. */
static double mean_of(double seconds, int iterations, int n, double clock)
{
  return fmax(0, seconds / iterations - n * clock);
}

static ovk_err time_calls(probe *p, int iterations, double *in_begin, double *in_wait)
{
  const double clock = time_clock(iterations);
  double start, begins = 0, waits = 0;
  clear(p);
  TRY(start_together(p, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(add_time(p, begin, &begins));
    TRY(add_time(p, wait, &waits));
  }
  *in_begin = mean_of(begins, iterations, 1, clock);
  *in_wait = mean_of(waits, iterations, 1, clock);
  return OVK_OK;
}

/* NBCBench (Hoefler, Lumsdaine, Rehm, SC'07, listing 3): the time inside all calls while work that
 * outlasts the sum is done between them. `steps`: of work between two polls. */
static ovk_err time_overhead(probe *p, int iterations, long steps, double *mean)
{
  const double clock = time_clock(iterations);
  double start, inside = 0;
  clear(p);
  TRY(start_together(p, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(add_time(p, begin, &inside));
    for (int n = 0; n < POLLS; n++) {
      work(steps);
      TRY(add_time(p, poll, &inside));
    }
    TRY(add_time(p, wait, &inside));
  }
  *mean = mean_of(inside, iterations, POLLS + 2, clock);
  return OVK_OK;
}

/* The last rank is busy after its begin; how long do the others wait? */
static ovk_err time_peer_delay(probe *p, double *seconds)
{
  const int rank = ovk_ctx_rank(p->ctx), size = ovk_ctx_size(p->ctx);
  const long steps = work_steps(busy_seconds);
  *seconds = size > 1 ? 0 : NAN;
  for (int k = 0; k < PEER_DELAYS && size > 1; k++) {
    double start;
    clear(p);
    TRY(start_together(p, &start));
    TRY(begin(p));
    if (rank == size - 1) work(steps);
    start = MPI_Wtime();
    TRY(wait(p));
    if (rank < size - 1) *seconds += (MPI_Wtime() - start) / PEER_DELAYS;
  }
  return OVK_OK;
}

static double per_cent(double part)
{
  return 100 * fmin(1, fmax(0, part));
}

static ovk_err slowest(const probe *p, double *values, int n)
{
  return tool_mpi(p->ctx,
                  MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
                  "MPI_Allreduce");
}

ovk_err probe_measure(probe *p, int iterations, double figures[PROBE_FIGURES])
{
  double *const latency = &figures[PROBE_LATENCY], together;
  TRY(time_sums(p, iterations, 0, latency));
  TRY(slowest(p, latency, 1)); /* all ranks work as long */
  const long steps = work_steps(*latency);
  const double alone = time_work(iterations, steps);
  TRY(time_sums(p, iterations, steps, &together));
  TRY(time_calls(p, iterations, &figures[PROBE_BEGIN], &figures[PROBE_WAIT]));
  figures[PROBE_OVERHEAD] = figures[PROBE_BEGIN];
  if (!p->blocking) {
    TRY(time_overhead(p, iterations, 1 + WORK_FACTOR * steps / POLLS, &figures[PROBE_OVERHEAD]));
  }
  TRY(time_peer_delay(p, &figures[PROBE_PEER_DELAY]));
  TRY(slowest(p, figures, PROBE_TIMES));
  double spans[2] = {alone, together};
  TRY(slowest(p, spans, 2));
  const double hidden = *latency - (spans[1] - spans[0]);
  figures[PROBE_OVERLAP_OSU] = per_cent(hidden / *latency);
  figures[PROBE_OVERLAP_IMB] = per_cent(hidden / fmin(*latency, spans[0]));
  return OVK_OK;
}
