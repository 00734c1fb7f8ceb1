/* SPDX-License-Identifier: BSD-2-Clause */
/* A call that moves items, while it runs. */
#ifndef OVK_CARRY_MOVING_H
#define OVK_CARRY_MOVING_H

#include "carry/parts/move.h"
#include "carry/process/process.h"

typedef struct carry_moving {
  carry_move *move;
  int rank, ranks;
  bool lists;            /* a part has a block for each rank, and starts with their ends */
  int64_t most;          /* longer blocks are messages, unless they stay on this rank */
  carry_piece *out, *in; /* [block], [rank] */
  MPI_Request *requests; /* of messages that this rank sends, one for each rank at most */
  char *packed;          /* blocks with gaps, without them */
} carry_moving;

/* The rank that block k is sent to; -1: all ranks. */
static inline int carry_goes_to(const carry_moving *v, int k)
{
  const carry_move *m = v->move;
  return m->nsend > 1 ? k : m->rooted ? m->root : -1;
}

/* Whether a piece of this rank and another one is a message. */
static inline bool carry_is_message(const carry_moving *v, const carry_piece *piece, int other)
{
  return piece->bytes > v->most && other != v->rank;
}

/* Bytes of a part with a block for each rank. */
static inline int64_t carry_listed_bytes(const carry_moving *v, int64_t bytes)
{
  return bytes + (int64_t)sizeof(int32_t) * v->ranks;
}

/* pieces.c: functions of the board, for a carry_moving. */
void carry_put_pieces(void *moving, void *part);
bool carry_take_piece(void *moving, int rank, const void *part, size_t bytes);

/* Bytes of block k on the board. */
int64_t carry_posted_bytes(const carry_moving *v, int k);

/* Finds the pieces of the blocks. False: arguments are wrong, and the MPI reports them. */
bool carry_find_pieces(carry_moving *v);

/* Packs the blocks with gaps that this rank sends, and makes room for those that it receives. False
 * without memory, or if the MPI does not pack a block. */
bool carry_pack_pieces(carry_moving *v);

/* Unpacks the blocks with gaps that this rank has received. Returns the code of the MPI. */
int carry_unpack_pieces(const carry_moving *v);

/* messages.c. Begins to send the messages of this rank, and returns their number. *code <- that of
 * the first failure, which ends the loop. */
int carry_send_messages(const carry_moving *v, MPI_Request *requests, int *code);

/* Receives the messages for this rank. False if one of them is not as long as its block. */
bool carry_receive_messages(const carry_moving *v);

#endif
