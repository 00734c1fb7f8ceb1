/* SPDX-License-Identifier: BSD-2-Clause */
/* Persistent collective operations under the names of MPI 4.0. Open MPI 4.1 has them as an
 * extension. */
#ifndef OVK_PERSISTENT_NAMES_H
#define OVK_PERSISTENT_NAMES_H

#include <mpi.h>
#include <ovkrylov/comm/schedule.h>

#ifdef OVK_ALLREDUCE_INIT_IS_EXTENSION
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Reduce_init MPIX_Reduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Barrier_init MPIX_Barrier_init
#define PMPI_Allreduce_init PMPIX_Allreduce_init
#define PMPI_Reduce_init PMPIX_Reduce_init
#define PMPI_Bcast_init PMPIX_Bcast_init
#define PMPI_Barrier_init PMPIX_Barrier_init
#endif

#endif
