/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations of ranks that share memory, with arguments passed at their begin. */
#ifndef OVKRYLOV_COMM_BOARD_H
#define OVKRYLOV_COMM_BOARD_H

#include <ovkrylov/comm/collectives_reduce.h>

OVK_BEGIN_DECLS

/**
 * A board is shared memory of one node. Each rank posts its part of an operation there, and the
 * other ranks read it. The operations of collectives.h are persistent and have fixed buffers. Here
 * each operation has its arguments, without allocation or agreement.
 *
 * All ranks begin the same operations of a board in the same order. Several may be in flight, and
 * ranks may wait for them in different orders. begin posts the part of a rank: an operation is
 * complete on a rank when all ranks whose parts it needs have begun it. No begin waits for other
 * ranks. A rank that is ahead of another by `places` operations posts its part in a later begin,
 * test or wait, after the other rank has read the older part. test and wait read all operations in
 * flight of their board.
 *
 * Parts are combined in the order of ranks, so all ranks obtain the same bits. One thread at a time
 * may use a board.
 */
typedef struct ovk_board ovk_board;

/** The kinds of operations of a board. */
typedef enum ovk_board_kind {
  OVK_BOARD_BARRIER,
  OVK_BOARD_BCAST,     /**< from `root`, which needs no part of other ranks */
  OVK_BOARD_REDUCE,    /**< to `root`; the others need no part */
  OVK_BOARD_ALLREDUCE, /**< the same bits on all ranks */
  OVK_BOARD_PARTS      /**< each rank says which parts it needs, see ovk_board_parts */
} ovk_board_kind;

/** Reductions of items without an ovk_type. Their parts are moved as bytes, and passed to these
 * functions whole or in pieces of 2048 bytes, which must hold whole items. */
typedef struct ovk_board_items {
  int number; /**< 0 to 15: ranks that give different numbers get an error */
  void (*combine)(void *to, const void *from, size_t bytes); /**< to <- to op from */
  void (*store)(void *to, const void *from, size_t bytes);   /**< into the result */
} ovk_board_items;

/** The functions of an OVK_BOARD_PARTS on a rank, and the ranks whose parts it needs. Ranks that
 * need no part wait for no rank. Parts of ranks may differ in length. */
typedef struct ovk_board_parts {
  int first, end; /**< this rank needs the parts of the ranks from `first` to `end` - 1 */
  int number;     /**< 0 to 255: ranks that need a part of one with another number get an error */
  void *self;     /**< passed to the functions; called by this rank in begin, test and wait of any
                   * operation of     the board */
  void (*put)(void *self, void *part); /**< writes the part of this rank, `count` bytes */
  bool (*take)(void *self, int rank, const void *part,
               size_t bytes); /**< reads a part, in the order of ranks; false is an error */
} ovk_board_parts;

/** An operation: its arguments, which are the same on all ranks except for the buffers, and its
 * state. Between begin and completion it must not move, and belongs to the board with its buffers;
 * also if begin has returned an error. */
typedef struct ovk_board_operation {
  ovk_board_kind kind;
  const void *send; /**< the part of this rank; of a broadcast, that of `root`; may be `receive` */
  void *receive;    /**< the result; ignored on ranks without one */
  int count;        /**< numbers, >= 0 */
  ovk_type type;    /**< of the numbers; a broadcast uses its size only */
  ovk_op op;        /**< of reductions */
  const ovk_board_items *items; /**< NULL: `type` and `op` apply; otherwise the functions of a
                                 * reduction in place of `op`, with OVK_TYPE_UINT8 */
  const ovk_board_parts *parts; /**< of OVK_BOARD_PARTS, with OVK_TYPE_UINT8; `send` and `receive`
                                 * are ignored, and `count` may differ between ranks */
  int root;                     /**< of broadcasts, reductions to one rank and parts */
  bool complete;                /**< set by the board: the result is there, or `error` */
  bool elected;                 /**< internal */
  ovk_err error; /**< set by the board, OVK_ERR_ARG: ranks differ in the arguments, or those of
                  * another rank are wrong */
  unsigned long long number;        /**< internal */
  struct ovk_board_operation *next; /**< internal */
} ovk_board_operation;

/**
 * Create a board. Collective. Errors are agreed.
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
 * Destroy a board and set *board to NULL. NULL is allowed. Collective. It waits for the operations
 * in flight only, and ranks may destroy boards in different orders. The memory belongs to the
 * context: a later board uses it again after all ranks have destroyed this one.
 */
OVK_API void ovk_board_destroy(ovk_board **board);

/**
 * Begin an operation. Collective. It does not wait for other ranks.
 *
 * @return OVK_ERR_ARG for wrong arguments; wait returns it as well, also on the ranks that read the
 *         part of this rank
 */
OVK_API ovk_err ovk_board_begin(ovk_board *board, ovk_board_operation *operation);

/**
 * Read the posted parts for all operations in flight, and update their `complete`. Not collective.
 *
 * @return whether any operation is still in flight
 */
OVK_API bool ovk_board_progress(ovk_board *board);

/** @return true if an operation is queued, because its place is still being read by other ranks.
 * Not collective. */
OVK_API bool ovk_board_is_behind(const ovk_board *board);

/**
 * Wait until an operation of this board is complete. Not collective.
 *
 * @param idle  called while it waits; NULL: none
 * @return OVK_ERR_ARG, see ovk_board_operation.error; the error of a begin that has failed
 */
OVK_API ovk_err ovk_board_wait(ovk_board *board, ovk_board_operation *operation,
                               const ovk_poll *idle);

OVK_END_DECLS

#endif
