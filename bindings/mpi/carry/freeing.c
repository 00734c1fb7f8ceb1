/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that free communicators. They delete the attributes of the program, whose functions may
 * still call on the communicator. If its state has been deleted before, such a call must not create
 * another one: no call would delete it, and the next communicator may have the same handle. */
#include "carry/freeing.h"
#include "carry/carry.h"
#include "carry/process/process.h"

/* Such functions may free other communicators. */
typedef struct freeing {
  MPI_Comm comm;
  const struct freeing *outer;
} freeing;

static CARRY_THREADS_OWN const freeing *innermost;

bool carry_is_freeing(MPI_Comm comm)
{
  const freeing *f = innermost;
  while (f && f->comm != comm) f = f->outer;
  return f;
}

static int free_comm(int by_mpi(MPI_Comm *), MPI_Comm *comm)
{
  const freeing f = {comm ? *comm : MPI_COMM_NULL, innermost};
  innermost = &f;
  const int code = by_mpi(comm);
  innermost = f.outer;
  return code;
}

CARRY_REPLACES int MPI_Comm_free(MPI_Comm *comm)
{
  return free_comm(PMPI_Comm_free, comm);
}

CARRY_REPLACES int MPI_Comm_disconnect(MPI_Comm *comm)
{
  return free_comm(PMPI_Comm_disconnect, comm);
}
