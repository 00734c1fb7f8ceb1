/* SPDX-License-Identifier: BSD-2-Clause */
/* Items with gaps, packed without them. MPICH packs nothing at MPI_BOTTOM: it takes it for a
 * missing buffer. So the items get another address, and a type with the distance to it. */
#include "carry/types/packing.h"

/* An address that is not MPI_BOTTOM. */
static char somewhere;

/* *out <- all items there, seen from `somewhere`. */
static int make_distant(int count, MPI_Datatype type, MPI_Datatype *out)
{
  MPI_Aint address;
  PMPI_Get_address(&somewhere, &address);
  const MPI_Aint distance = PMPI_Aint_diff(0, address);
  const int code = PMPI_Type_create_hindexed(1, &count, &distance, type, out);
  return code ? code : PMPI_Type_commit(out);
}

int carry_pack_items(const void *items, int count, MPI_Datatype type, void *packed, int bytes,
                     MPI_Comm comm)
{
  MPI_Datatype distant;
  int at = 0;
  if (items != MPI_BOTTOM) return PMPI_Pack(items, count, type, packed, bytes, &at, comm);
  int code = make_distant(count, type, &distant);
  if (code) return code;
  code = PMPI_Pack(&somewhere, 1, distant, packed, bytes, &at, comm);
  PMPI_Type_free(&distant);
  return code;
}

int carry_unpack_items(const void *packed, int bytes, void *items, int count, MPI_Datatype type,
                       MPI_Comm comm)
{
  MPI_Datatype distant;
  int at = 0;
  if (items != MPI_BOTTOM) return PMPI_Unpack(packed, bytes, &at, items, count, type, comm);
  int code = make_distant(count, type, &distant);
  if (code) return code;
  code = PMPI_Unpack(packed, bytes, &at, &somewhere, 1, distant, comm);
  PMPI_Type_free(&distant);
  return code;
}
