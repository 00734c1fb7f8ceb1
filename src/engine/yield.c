/* SPDX-License-Identifier: BSD-2-Clause */
/* One decision, for all who wait. */
#include "engine/yield.h"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

int ovk__spins(int ranks_on_node)
{
  enum { PATIENT = 10000 };
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return ranks_on_node > processors ? 1 : PATIENT;
}

int ovk__wait(int spins, ovk__advance *advance, void *self)
{
  bool complete = false;
  int err = MPI_SUCCESS;
  for (int k = 1; !err && !complete; k = k % spins + 1) {
    err = advance(self, &complete);
    if (!complete && k == spins) sched_yield();
  }
  return err;
}
