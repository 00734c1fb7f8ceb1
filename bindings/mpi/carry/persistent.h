/* SPDX-License-Identifier: BSD-2-Clause */
/* Persistent requests, for calls that complete requests. */
#ifndef OVK_CARRY_PERSISTENT_H
#define OVK_CARRY_PERSISTENT_H

#include <mpi.h>
#include <stdbool.h>

/* Whether there are any. */
bool carry_persistent_any(void);

/* The request that the MPI gets in place of this one: that of the last start, or MPI_REQUEST_NULL
 * if it is not started. A request that is not persistent is returned as it is. */
MPI_Request carry_persistent_active(MPI_Request request);

/* The same, and *request <- MPI_REQUEST_NULL if it is not persistent: once it is complete, a
 * request that another thread creates may have its handle. */
static inline MPI_Request carry_persistent_take(MPI_Request *request)
{
  const MPI_Request seen = carry_persistent_active(*request);
  if (seen == *request) *request = MPI_REQUEST_NULL;
  return seen;
}

/* The request of the program after a call has changed the active one to `seen`. */
MPI_Request carry_persistent_after(MPI_Request request, MPI_Request seen);

#endif
