/* SPDX-License-Identifier: BSD-2-Clause */
/* The buffers of calls such as MPI_Gatherv: blocks of items, one for each rank, or one alone. */
#ifndef OVK_CARRY_BLOCKS_H
#define OVK_CARRY_BLOCKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct carry_blocks {
  char *at;
  int count;                  /* items of each block, one block after the other; */
  const int *counts, *displs; /* or [block] of their own. displs: in items, with `types` in bytes */
  MPI_Datatype type;
  const MPI_Datatype *types; /* NULL, or one for each block */
  bool alone;                /* the buffer is one block, whatever its number */
} carry_blocks;

/* The items of a block in memory without gaps: their place in the buffer, or their packed bytes. */
typedef struct carry_piece {
  char *at;
  int64_t bytes; /* < 0: arguments are wrong, and the MPI reports them */
  bool packed;
} carry_piece;

int carry_blocks_count(const carry_blocks *b, int k);
MPI_Datatype carry_blocks_type(const carry_blocks *b, int k);

/* The address of the first item of a block. */
char *carry_blocks_at(const carry_blocks *b, int k);

/* Block k; at NULL if its items have gaps, so that they need to be packed. */
carry_piece carry_blocks_piece(const carry_blocks *b, int k);

/* Block k alone. */
carry_blocks carry_blocks_one(const carry_blocks *b, int k);

#endif
