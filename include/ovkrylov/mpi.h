/* SPDX-License-Identifier: BSD-2-Clause */
/* The header of the MPI that the library was built with. The C++ classes that MPI 3 removed are
 * excluded, as a C++ program would have to link them. Another MPI is refused: its handles have
 * other types. */
#ifndef OVKRYLOV_MPI_H
#define OVKRYLOV_MPI_H

#include <ovkrylov/version.h>

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

/* Intel MPI, MVAPICH and Cray MPI derive from MPICH. They share its handles, and define
 * MPICH_VERSION or I_MPI_VERSION. */
#if defined OPEN_MPI
#if defined OVK_MPI_IS_MPICH
#error "libovkrylov was built with MPICH, but this program is compiled with Open MPI's mpi.h"
#endif
#elif defined MPICH_VERSION || defined I_MPI_VERSION
#if defined OVK_MPI_IS_OPEN_MPI
#error "libovkrylov was built with Open MPI, but this program is compiled with MPICH's mpi.h"
#endif
#elif defined OVK_MPI_IS_OPEN_MPI
#error "libovkrylov was built with Open MPI, but this program is compiled with another MPI's mpi.h"
#elif defined OVK_MPI_IS_MPICH
#error "libovkrylov was built with MPICH, but this program is compiled with another MPI's mpi.h"
#endif

#endif
