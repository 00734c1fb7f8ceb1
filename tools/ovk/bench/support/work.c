/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that keeps a processor busy and makes no calls. */
#include "bench/support/work.h"

#include <math.h>
#include <mpi.h>

void work(long steps)
{
  volatile double place = 1; /* volatile, or the compiler would drop the loop */
  double x = place;
  for (long k = 0; k < steps; k++) x = 0.5 * x + 1; /* each step depends on the one before */
  place = x;
}

long work_steps(double seconds)
{
  enum { STEPS = 50000, TRIES = 3 };
  double least = INFINITY; /* the minimum, as other times include disturbances */
  for (int k = 0; k < TRIES; k++) {
    const double start = MPI_Wtime();
    work(STEPS);
    least = fmin(least, MPI_Wtime() - start);
  }
  return lrint(fmax(1, seconds / least * STEPS));
}
