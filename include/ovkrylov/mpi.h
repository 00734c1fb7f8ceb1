/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI, as the library was built with it: without the C++ classes that MPI 3 dropped, which a C++
 * program would have to link, and refused if it is another one, whose handles mean something else.
 */
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

/* MPICH's offspring (Intel MPI, MVAPICH, Cray MPI) share its handles and its MPICH_VERSION or
 * I_MPI_VERSION. */
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
