/* SPDX-License-Identifier: BSD-2-Clause */
/* Times inside single calls, which can be as short as reading the clock. */
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>
#include <time.h>

ovk_err timing_start(ovk_ctx *ctx, double *start)
{
  TRY(tool_mpi(ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"));
  *start = MPI_Wtime();
  return OVK_OK;
}

double timing_clock(void)
{
  enum { READINGS = 200, TRIES = 5 };
  double least = INFINITY; /* the minimum, as other times include disturbances */
  for (int k = 0; k < TRIES; k++) {
    const double start = MPI_Wtime();
    for (int n = 0; n < READINGS; n++) (void)MPI_Wtime();
    least = fmin(least, MPI_Wtime() - start);
  }
  return least / READINGS;
}

double timing_processor(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double timing_processor_clock(void)
{
  enum { READINGS = 200 };
  double least = INFINITY;
  for (int k = 0; k < READINGS; k++) {
    const double start = timing_processor();
    least = fmin(least, timing_processor() - start);
  }
  return least;
}

ovk_err timing_add(operation *op, ovk_err (*call)(operation *), double *inside)
{
  const double start = MPI_Wtime();
  TRY(call(op));
  *inside += MPI_Wtime() - start;
  return OVK_OK;
}

double timing_mean(double seconds, int iterations, double readings, double clock)
{
  return fmax(0, seconds / iterations - readings * clock);
}

double timing_per_cent(double fraction)
{
  return 100 * fmin(1, fmax(0, fraction));
}
