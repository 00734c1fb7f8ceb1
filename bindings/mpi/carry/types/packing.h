/* SPDX-License-Identifier: BSD-2-Clause */
/* Items with gaps, packed without them. */
#ifndef OVK_CARRY_PACKING_H
#define OVK_CARRY_PACKING_H

#include <mpi.h>

/* MPI_Pack() and MPI_Unpack() of all items into or from `bytes` bytes. The items may be at
 * MPI_BOTTOM, with addresses in their type. */
int carry_pack_items(const void *items, int count, MPI_Datatype type, void *packed, int bytes,
                     MPI_Comm comm);
int carry_unpack_items(const void *packed, int bytes, void *items, int count, MPI_Datatype type,
                       MPI_Comm comm);

#endif
