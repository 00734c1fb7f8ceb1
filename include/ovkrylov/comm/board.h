/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations of ranks that share memory, with arguments that are given when they begin.
 */
#ifndef OVKRYLOV_COMM_BOARD_H
#define OVKRYLOV_COMM_BOARD_H

#include <ovkrylov/comm/collectives_reduce.h>

OVK_BEGIN_DECLS

/**
 * A board is memory of one node in which each rank posts its part of an operation for the others to
 * read. Those of collectives.h are made once for buffers that stay; here the arguments come with
 * each operation, and nothing is allocated or agreed on for it.
 *
 * All ranks begin the same operations of a board in the same order. Several may be in flight, and
 * ranks may wait for them in different orders. What a rank owes the others is posted in begin: an
 * operation is complete on a rank when all whose parts it needs have begun it, whatever they do
 * since. No begin waits for other ranks. But a rank that is ahead of another by `places` operations
 * posts its part only in a later begin, test or wait, once that other has read what the place
 * holds; test and wait read all operations in flight of their board.
 *
 * Parts are combined in the order of ranks: all ranks get the same bits. One thread at a time may
 * use a board.
 */
typedef struct ovk_board ovk_board;

/** What an operation of a board does. */
typedef enum ovk_board_kind {
  OVK_BOARD_BARRIER,
  OVK_BOARD_BCAST,    /**< from `root`, which needs no other rank's part */
  OVK_BOARD_REDUCE,   /**< to `root`; the others need no part */
  OVK_BOARD_ALLREDUCE /**< the same bits on all ranks */
} ovk_board_kind;

/** Reductions of items without an ovk_type. Their parts are moved as bytes, and passed to these
 * functions whole or in pieces of 2048 bytes, which must hold whole items. */
typedef struct ovk_board_items {
  int number; /**< 0 to 15: ranks that give different numbers get an error */
  void (*combine)(void *to, const void *from, size_t bytes); /**< to <- to op from */
  void (*store)(void *to, const void *from, size_t bytes);   /**< into the result */
} ovk_board_items;

/** An operation: its arguments, which are the same on all ranks but for the buffers, and its state.
 * Between begin and its completion it stays where it is, and belongs to the board with its buffers;
 * also where begin has returned an error. */
typedef struct ovk_board_operation {
  ovk_board_kind kind;
  const void *send; /**< this rank's part; of a broadcast, what `root` sends; may be `receive` */
  void *receive;    /**< the result; not looked at where there is none */
  int count;        /**< numbers, >= 0 */
  ovk_type type;    /**< what is moved; of a broadcast only its size counts */
  ovk_op op;        /**< of reductions */
  const ovk_board_items *items; /**< NULL: `type` and `op` tell all; or those of a reduction, in
                                 * place of `op`, with OVK_TYPE_UINT8 */
  int root;                     /**< of broadcasts and reductions to one rank */
  bool complete;                /**< set by the board: the result is there, or `error` */
  ovk_err error; /**< set by the board, OVK_ERR_ARG: ranks differ in the arguments, or those of
                  * another rank are wrong */
  unsigned long long number;        /**< the board's own */
  struct ovk_board_operation *next; /**< the board's own */
} ovk_board_operation;

/**
 * Makes a board. Collective. Errors are agreed.
 *
 * @param places  operations by which a rank may be ahead and post its parts at once, 2 to 65536,
 *                rounded up to a power of two
 * @param bytes   of the longest part of an operation, up to 2^30
 * @param out     to be freed with ovk_board_destroy()
 * @return OVK_ERR_UNSUPPORTED if the ranks do not share a node, OVK_ERR_ARG, OVK_ERR_MEMORY,
 *         OVK_ERR_MPI
 */
OVK_API ovk_err ovk_board_create(ovk_ctx *ctx, int places, size_t bytes, ovk_board **out);

/**
 * Frees a board, after waiting for what is in flight, and sets *board to NULL. NULL is allowed.
 * Collective. No rank waits for others beyond that, and ranks may destroy boards in different
 * orders: the memory belongs to the context. A later board uses it again, once all ranks have
 * destroyed this one.
 */
OVK_API void ovk_board_destroy(ovk_board **board);

/**
 * Begins an operation, without waiting for other ranks. Collective.
 *
 * @return OVK_ERR_ARG for wrong arguments: wait will return it, too, and those that read this
 *         rank's part get an error as well
 */
OVK_API ovk_err ovk_board_begin(ovk_board *board, ovk_board_operation *operation);

/** Reads what has been posted, for all operations in flight: their `complete` tells. Not
 * collective. @return whether any is still in flight */
OVK_API bool ovk_board_progress(ovk_board *board);

/** Not collective. @return whether an operation that was begun here is not posted yet, as other
 * ranks have not read what holds its place */
OVK_API bool ovk_board_is_behind(const ovk_board *board);

/**
 * Waits until an operation of this board is complete. Not collective.
 *
 * @param idle  called while it waits; NULL: nothing
 * @return OVK_ERR_ARG, see ovk_board_operation.error; where begin has failed, its error
 */
OVK_API ovk_err ovk_board_wait(ovk_board *board, ovk_board_operation *operation,
                               const ovk_poll *idle);

OVK_END_DECLS

#endif
