/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI types and operations that boards can carry. */
#ifndef OVK_CARRY_TYPES_H
#define OVK_CARRY_TYPES_H

#include <mpi.h>
#include <ovkrylov/comm/board.h>
#include <stdbool.h>
#include <stdint.h>

/* Sets type, op, items and count of a reduction of `count` MPI items, and its bytes. Returns false
 * for types and operations that are not carried. */
bool carry_numbers(MPI_Datatype type, MPI_Op op, int count, ovk_board_operation *out,
                   int64_t *bytes);

/* Whether items of this type have no gaps in memory, so that they can be copied as they are. */
bool carry_is_plain(MPI_Datatype type);

/* *size <- the bytes of an item without its gaps. Returns carry_is_plain(). */
bool carry_plain_size(MPI_Datatype type, int64_t *size);

/* pairs.c: items for MPI_MAXLOC and MPI_MINLOC. */
typedef struct carry_pairs {
  size_t extent, gap; /* bytes of an item; of these, after the index */
  ovk_board_items maxloc, minloc;
} carry_pairs;
extern const carry_pairs carry_double_int, carry_float_int, carry_long_int, carry_short_int,
    carry_int_int, carry_float_float, carry_double_double;

#endif
