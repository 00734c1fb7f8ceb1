/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of items in the buffers of calls. */
#include "carry/parts/blocks.h"
#include "carry/process/process.h"
#include "carry/types/types.h"

int carry_blocks_count(const carry_blocks *b, int k)
{
  return b->counts ? b->counts[k] : b->count;
}

MPI_Datatype carry_blocks_type(const carry_blocks *b, int k)
{
  return b->types ? b->types[k] : b->type;
}

/* In items, with a list of types in bytes. */
static MPI_Aint place_of(const carry_blocks *b, int k)
{
  return b->alone ? 0 : b->displs ? b->displs[k] : (MPI_Aint)k * b->count;
}

char *carry_blocks_at(const carry_blocks *b, int k)
{
  MPI_Aint start, extent = 1;
  if (!b->types) (void)PMPI_Type_get_extent(b->type, &start, &extent);
  return b->at + extent * place_of(b, k);
}

carry_piece carry_blocks_piece(const carry_blocks *b, int k)
{
  const int count = carry_blocks_count(b, k);
  const MPI_Datatype type = carry_blocks_type(b, k);
  carry_piece piece = {.bytes = -1};
  int64_t size;
  if (b->at == MPI_IN_PLACE) return piece;
  if (count == 0) return (carry_piece){0}; /* an empty block may have no type */
  if (count < 0 || type == MPI_DATATYPE_NULL) return piece;
  const bool plain = carry_plain_size(type, &size);
  /* Too large as it is: no product overflows. */
  piece.bytes = size > CARRY_MOST && count > 0 ? size : size * count;
  if (plain) piece.at = b->at + place_of(b, k) * (b->types ? 1 : size);
  if (plain && !piece.at && piece.bytes > 0) piece.bytes = -1;
  return piece;
}

carry_blocks carry_blocks_one(const carry_blocks *b, int k)
{
  return (carry_blocks){.at = carry_blocks_at(b, k),
                        .count = carry_blocks_count(b, k),
                        .type = carry_blocks_type(b, k),
                        .alone = true};
}
