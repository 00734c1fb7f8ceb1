/* SPDX-License-Identifier: BSD-2-Clause */
/* Communicators of sessions (MPI 4.0). They are left to the MPI: a session has a separate thread
 * level, and its processes need not call MPI_Init. */
#include "carry/carry.h"
#include "carry/communicator.h"

CARRY_REPLACES int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info,
                                              MPI_Errhandler handler, MPI_Comm *comm)
{
  const int code = PMPI_Comm_create_from_group(group, tag, info, handler, comm);
  if (!code && *comm != MPI_COMM_NULL) (void)carry_comm_hand_back(*comm, CARRY_SESSION);
  return code;
}
