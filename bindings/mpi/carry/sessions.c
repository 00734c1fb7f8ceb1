/* SPDX-License-Identifier: BSD-2-Clause */
/* Communicators of sessions (MPI 4.0). They are left to the MPI: a session has a separate thread
 * level, and its processes need not call MPI_Init. */
#include "carry/carry.h"
#include "carry/communicator.h"
#include "carry/process/process.h"

CARRY_REPLACES int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info,
                                              MPI_Errhandler handler, MPI_Comm *comm)
{
  typedef int function(MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *);
  function *next = (function *)carry_next("MPI_Comm_create_from_group",
                                          (carry_function *)PMPI_Comm_create_from_group);
  const int code = next(group, tag, info, handler, comm);
  if (!code && *comm != MPI_COMM_NULL) (void)carry_comm_hand_back(*comm, CARRY_SESSION);
  return code;
}
