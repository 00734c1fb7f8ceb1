/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded after libovk_mpi: a profiling layer that needs MPI_Init to start. MPI_Finalize ends
 * the program if a call that libovk_mpi does not carry has reached it not at all, or twice. */
#include <mpi.h>
#include <stdio.h>

#define COUNTS __attribute__((visibility("default"))) /* as in the header of Open MPI */

static int begun, made, freed;

COUNTS int MPI_Init(int *argc, char ***argv)
{
  begun++;
  return PMPI_Init(argc, argv);
}

COUNTS int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  begun++;
  return PMPI_Init_thread(argc, argv, required, provided);
}

COUNTS int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
  made++;
  return PMPI_Comm_dup(comm, copy);
}

COUNTS int MPI_Comm_free(MPI_Comm *comm)
{
  freed++;
  return PMPI_Comm_free(comm);
}

COUNTS int MPI_Finalize(void)
{
  if (begun != 1 || made == 0 || freed != made) {
    fprintf(stderr, "%d calls of MPI_Init, %d communicators, %d freed\n", begun, made, freed);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  return PMPI_Finalize();
}
