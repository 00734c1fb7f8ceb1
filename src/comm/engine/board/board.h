/* SPDX-License-Identifier: BSD-2-Clause */
/* The data that ranks post on a board, and the state of a board. */
#ifndef OVK_COMM_ENGINE_BOARD_BOARD_H
#define OVK_COMM_ENGINE_BOARD_BOARD_H

#include "core/context/handle.h"
#include "core/node/arena.h"

#include <ovkrylov/comm/board.h>

/* The place of a part of an operation. It starts on a cache line, which a short part shares with
 * the number. */
typedef struct ovk__posted {
  _Atomic uint64_t number; /* number of the posted operation; that of rank 0 may be CLAIMED */
  uint64_t what; /* arguments of the operation, see ovk__board_describe(); 0: they are wrong */
  char data[];
} ovk__posted;

/* Bit of the number: a rank is elected for the operation. */
#define OVK__BOARD_CLAIMED (UINT64_C(1) << 63)

/* The start of the area of a rank, alone in its cache line. */
typedef struct ovk__reader {
  _Atomic uint64_t read; /* the rank has read all operations up to this number */
  char padding[56];
} ovk__reader;

struct ovk_board {
  ovk_ctx *ctx, *held;
  int rank, size;
  bool elects;                     /* see ovk__board_elect() */
  int spins;                       /* see core/job.h */
  uint64_t places;                 /* a power of two */
  size_t bytes, stride;            /* maximum bytes of a part; bytes from one place to the next */
  ovk__slot slot;                  /* slot in the memory for boards of the context */
  char **areas;                    /* [rank]: an ovk__reader, then the places */
  ovk_board_operation **in_flight; /* [number modulo places]; NULL: complete, or failed in begin */
  ovk_board_operation *queue, *last; /* operations that have begun and have no place yet */
  uint64_t begun, read;              /* numbers count from 1; those in the queue have none */
  uint64_t read_by_all;              /* as last seen */
};
OVK_IS_HANDLE(ovk_board);

static inline ovk__posted *ovk__board_place(const ovk_board *b, int rank, uint64_t number)
{
  return (ovk__posted *)(b->areas[rank] + sizeof(ovk__reader) +
                         (number & (b->places - 1)) * b->stride);
}

/* The arguments that must be the same on all ranks, in one word that is not 0. */
uint64_t ovk__board_describe(const ovk_board_operation *operation);

/* Record an error message and return the error if the arguments are wrong. */
ovk_err ovk__board_check(const ovk_board *board, const ovk_board_operation *operation);

/* Bytes of a part. */
size_t ovk__board_bytes_of(const ovk_board_operation *operation);

/* From now on all-reduces and barriers elect one rank, which has `elected` set, and are complete
 * only after that. The rank that posts its part last is elected in begin, or one that advances the
 * board meanwhile. If its operation was queued, any rank may be. ovk_board_progress() elects none,
 * for threads that must not do the work of the elected rank. To be called on all ranks before the
 * first operation. */
void ovk__board_elect(ovk_board *board);

/* ovk_board_progress(), in which this rank may be elected. */
bool ovk__board_advance(ovk_board *board);

/* Whether the parts that the operation needs have arrived. */
bool ovk__board_has_arrived(const ovk_board *board, const ovk_board_operation *operation);

/* Check whether the parts that the operation needs have arrived. If so, set the result or the
 * error, and `complete`. */
void ovk__board_read(const ovk_board *board, ovk_board_operation *operation);

#endif
