/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of reductions, for the log. */
#ifndef OVK_CARRY_NAMES_H
#define OVK_CARRY_NAMES_H

#include <mpi.h>

/* Bytes of a type's name and an operation's, and the words between them. */
enum { CARRY_NAMES = MPI_MAX_OBJECT_NAME + 40 };

/* "MPI_LONG_DOUBLE with MPI_SUM". It has no comma and no line break. */
void carry_name_reduction(MPI_Datatype type, MPI_Op op, char out[CARRY_NAMES]);

#endif
