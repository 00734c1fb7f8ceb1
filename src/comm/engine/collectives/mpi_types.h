/* SPDX-License-Identifier: BSD-2-Clause */
/* Predefined and user-defined MPI types and operations. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_MPI_TYPES_H
#define OVK_COMM_ENGINE_COLLECTIVES_MPI_TYPES_H

#include "core/context/check.h"

/* Check a type, and an operation for it; op may be MPI_OP_NULL. *size <- the bytes of an item.
 * `what`: name of the call, for messages. `any_order`: the operation must be commutative. Not
 * collective. */
ovk_err ovk__mpi_type_check(ovk_ctx *ctx, const char *what, MPI_Datatype type, MPI_Op op,
                            bool any_order, size_t *size);

/* Describe a type and an operation, for example "MPI_DOUBLE, MPI_SUM". The text is the same on
 * ranks with the same arguments. */
enum { OVK__MPI_TYPE_TEXT = 64 };
void ovk__mpi_type_describe(MPI_Datatype type, MPI_Op op, char text[OVK__MPI_TYPE_TEXT]);

#endif
