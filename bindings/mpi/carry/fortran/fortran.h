/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of Fortran programs (mpif.h, use mpi) that the Fortran library of Open MPI would
 * otherwise pass by the C ones. Numbers and handles come by address, the error goes to the last
 * argument.
 */
#ifndef OVK_CARRY_FORTRAN_H
#define OVK_CARRY_FORTRAN_H

#include "carry/carry.h"

#include <mpi.h>
#include <stdbool.h>

typedef const MPI_Fint in;
typedef MPI_Fint out;

/* Begins the definition of one of them. */
#define CARRY_FORTRAN(name, ...)                                                                   \
  CARRY_REPLACES void name(__VA_ARGS__);                                                           \
  void name(__VA_ARGS__)

#endif
