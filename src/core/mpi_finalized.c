/* SPDX-License-Identifier: BSD-2-Clause */
/* The only place that checks whether MPI is finalized. */
#include "core/mpi_finalized.h"

bool ovk__mpi_is_over(void)
{
  int finalized = 0;
  return MPI_Finalized(&finalized) == MPI_SUCCESS && finalized;
}

void ovk__comm_free(MPI_Comm *comm)
{
  if (*comm != MPI_COMM_NULL && !ovk__mpi_is_over()) MPI_Comm_free(comm);
}
