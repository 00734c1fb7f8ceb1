/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI's types and operations, predefined or the user's. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_MPI_TYPES_H
#define OVK_COMM_ENGINE_COLLECTIVES_MPI_TYPES_H

#include "core/context/check.h"

/* Checks a type, and an operation for it; op may be MPI_OP_NULL. *size <- the bytes of an item.
 * `what`: for messages. `any_order`: the operation must be commutative. Not collective. */
ovk_err ovk__mpi_type_check(ovk_ctx *ctx, const char *what, MPI_Datatype type, MPI_Op op,
                            bool any_order, size_t *size);

/* "MPI_DOUBLE, MPI_SUM": alike on ranks that have been given the same. */
enum { OVK__MPI_TYPE_TEXT = 64 };
void ovk__mpi_type_describe(MPI_Datatype type, MPI_Op op, char text[OVK__MPI_TYPE_TEXT]);

#endif
