/* SPDX-License-Identifier: BSD-2-Clause */
/* Destruction after MPI_Finalize(), as by destructors of other languages: memory is freed and no
 * MPI function is called; MPI has freed its own objects. */
#ifndef OVK_CORE_MPI_FINALIZED_H
#define OVK_CORE_MPI_FINALIZED_H

#include <mpi.h>
#include <stdbool.h>

/* True after MPI_Finalize(). To be checked before an MPI object is freed. */
static inline bool ovk__mpi_is_over(void)
{
  int finalized = 0;
  return MPI_Finalized(&finalized) == MPI_SUCCESS && finalized;
}

/* Frees a communicator, unless it is MPI_COMM_NULL or MPI is finalized. */
static inline void ovk__comm_free(MPI_Comm *comm)
{
  if (*comm != MPI_COMM_NULL && !ovk__mpi_is_over()) MPI_Comm_free(comm);
}

#endif
