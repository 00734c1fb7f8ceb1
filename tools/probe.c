/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one way of summing. */
#include "probe.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double busy_seconds = 0.02; /* of the rank that keeps the others waiting */
enum { PEER_DELAYS = 3 };

ovk_err probe_create(ovk_ctx *ctx, const char *spec, int count, probe *out)
{
  *out = (probe){.spec = spec, .count = count, .ctx = ctx, .request = MPI_REQUEST_NULL};
  out->blocking = strcmp(spec, "mpi:allreduce") == 0;
  if (!out->blocking && strcmp(spec, "mpi:iallreduce") != 0) {
    TRY(ovk_reduction_create(ctx, spec, count, &out->reduction));
    out->values = ovk_reduction_values(out->reduction);
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

static ovk_err wait(probe *p)
{
  if (p->reduction) return ovk_reduction_wait(p->reduction);
  const int code = MPI_Wait(&p->request, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? OVK_OK : tool_mpi(p->ctx, code, "MPI_Wait");
}

static void clear(probe *p)
{
  memset(p->values, 0, (size_t)p->count * sizeof *p->values); /* sums of sums would overflow */
}

/* Computes without a call into any library but for the clock. */
static void be_busy(double seconds)
{
  const double start = MPI_Wtime();
  while (MPI_Wtime() - start < seconds) continue;
}

static ovk_err start_together(const probe *p, double *start)
{
  TRY(tool_mpi(p->ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"));
  *start = MPI_Wtime();
  return OVK_OK;
}

/* *mean <- seconds of one begin, `busy` seconds of work, and wait. */
static ovk_err time_sums(probe *p, int iterations, double busy, double *mean)
{
  double start;
  clear(p);
  TRY(start_together(p, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(begin(p));
    if (busy > 0) be_busy(busy);
    TRY(wait(p));
  }
  *mean = (MPI_Wtime() - start) / iterations;
  return OVK_OK;
}

static double time_work(int iterations, double busy)
{
  const double start = MPI_Wtime();
  for (int k = 0; k < iterations; k++) be_busy(busy);
  return (MPI_Wtime() - start) / iterations;
}

/* Means of the two calls; each interval holds one reading of the clock, which is taken off. */
static ovk_err time_calls(probe *p, int iterations, double *in_begin, double *in_wait)
{
  double start, clock = MPI_Wtime();
  for (int k = 0; k < iterations; k++) (void)MPI_Wtime();
  clock = (MPI_Wtime() - clock) / iterations;
  clear(p);
  TRY(start_together(p, &start));
  *in_begin = *in_wait = 0;
  for (int k = 0; k < iterations; k++) {
    const double before = MPI_Wtime();
    TRY(begin(p));
    const double between = MPI_Wtime();
    TRY(wait(p));
    *in_begin += between - before;
    *in_wait += MPI_Wtime() - between;
  }
  *in_begin = fmax(0, *in_begin / iterations - clock);
  *in_wait = fmax(0, *in_wait / iterations - clock);
  return OVK_OK;
}

/* The last rank is busy after its begin; how long do the others wait? */
static ovk_err time_peer_delay(probe *p, double *seconds)
{
  const int rank = ovk_ctx_rank(p->ctx), size = ovk_ctx_size(p->ctx);
  *seconds = size > 1 ? 0 : NAN;
  for (int k = 0; k < PEER_DELAYS && size > 1; k++) {
    double start;
    clear(p);
    TRY(start_together(p, &start));
    TRY(begin(p));
    if (rank == size - 1) be_busy(busy_seconds);
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

ovk_err probe_measure(probe *p, int iterations, double figures[PROBE_FIGURES])
{
  double pure, overlapped;
  TRY(time_sums(p, iterations, 0, &pure));
  TRY(tool_mpi(p->ctx, MPI_Allreduce(MPI_IN_PLACE, &pure, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
               "MPI_Allreduce")); /* all ranks work as long */
  TRY(time_calls(p, iterations, &figures[PROBE_BEGIN], &figures[PROBE_WAIT]));
  const double work = time_work(iterations, pure);
  TRY(time_sums(p, iterations, pure, &overlapped));
  TRY(time_peer_delay(p, &figures[PROBE_PEER_DELAY]));
  figures[PROBE_LATENCY] = pure;
  TRY(tool_mpi(
      p->ctx,
      MPI_Allreduce(MPI_IN_PLACE, figures, PROBE_FIGURES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
      "MPI_Allreduce"));
  double times[2] = {work, overlapped};
  TRY(tool_mpi(p->ctx, MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  figures[PROBE_OVERLAP_OSU] = per_cent(1 - (times[1] - times[0]) / pure);
  figures[PROBE_OVERLAP_IMB] = per_cent((pure + times[0] - times[1]) / fmin(pure, times[0]));
  return OVK_OK;
}
