/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations of one's own: a schedule, as LibNBC has them (Hoefler, Lumsdaine, Rehm,
 * "Implementation and performance analysis of non-blocking collective operations for MPI", SC'07),
 * is written by the user and carried out by the library's engine. */
#ifndef OVKRYLOV_COMM_SCHEDULE_H
#define OVKRYLOV_COMM_SCHEDULE_H

#include <ovkrylov/comm/collective.h>
#include <ovkrylov/list.h>

OVK_BEGIN_DECLS

/**
 * What one rank does in a collective operation, in rounds. A round starts its messages together;
 * when all of them are complete, its combinations and copies are carried out in order, and the next
 * round starts. Messages from one rank to another arrive in the order in which both have listed
 * them. Each rank writes its own schedule; ovk_collective_create_scheduled() checks that they fit
 * together.
 */
typedef struct ovk_schedule ovk_schedule;

/** The memory that a schedule works on. */
typedef enum ovk_buffer {
  OVK_INPUT,  /**< only read */
  OVK_OUTPUT, /**< read and written */
  OVK_WORK    /**< the library's, as long as the schedule uses it; its content is undefined when an
                   operation begins */
} ovk_buffer;

/** The items of a buffer from number `first` on. */
typedef struct ovk_place {
  ovk_buffer buffer;
  size_t first;
} ovk_place;

/**
 * Makes an empty schedule, whose first round has begun. Not collective.
 *
 * @param out  to be freed with ovk_schedule_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_schedule_create(ovk_ctx *ctx, ovk_schedule **out);

/** Frees a schedule and sets *schedule to NULL. NULL is allowed. Operations made from it stay. Not
 * collective. */
OVK_API void ovk_schedule_destroy(ovk_schedule **schedule);

/**
 * Ends the round; what is added from here on belongs to the next one. A round without anything in
 * it is dropped. Not collective.
 *
 * Errors of this function and of the next four are kept, so that it is enough to look at that of
 * ovk_schedule_check() or ovk_collective_create_scheduled().
 *
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY: also where an earlier call has failed
 */
OVK_API ovk_err ovk_schedule_round(ovk_schedule *schedule);

/**
 * Adds a message to rank `peer`. A message behind a combination or copy begins a new round. Not
 * collective.
 *
 * @param count  of items; may be 0, as in barriers
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_send(ovk_schedule *schedule, int peer, ovk_place from, int count);

/**
 * Adds the receipt of a message from rank `peer`. In its round nothing else may be received to, or
 * sent from, the same place. A message behind a combination or copy begins a new round. Not
 * collective.
 *
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_receive(ovk_schedule *schedule, int peer, ovk_place to, int count);

/**
 * Adds a combination of two ranges that do not overlap: to <- from op to, item by item, as
 * MPI_Reduce_local() does. Not collective.
 *
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_combine(ovk_schedule *schedule, ovk_place from, ovk_place to,
                                     int count);

/**
 * Adds a copy, to <- from. Not collective.
 *
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_copy(ovk_schedule *schedule, ovk_place from, ovk_place to, int count);

/**
 * Tells this rank's schedule in words, as ovk_list_schedule() does. Not collective.
 *
 * @param each  called for each action in its order
 * @return OVK_ERR_ARG
 */
OVK_API ovk_err ovk_schedule_print(const ovk_schedule *schedule, ovk_action_fn each, void *arg);

/**
 * Checks all ranks' schedules. On each rank: peers are other ranks, nothing leaves the buffers,
 * OVK_INPUT is not written, OVK_WORK is not read before it is written, and no two messages of a
 * round meet in memory. Of all ranks: each message is received, with as many items as are sent, and
 * no ranks wait for each other for ever, however late a message leaves. The first fault is named,
 * with its rank and its round. It takes a few all-to-alls of the ranks, and as many all-gathers as
 * there are messages in the longest chain. Collective.
 *
 * @param schedule  this rank's; not changed
 * @param inputs    items of OVK_INPUT on this rank
 * @param outputs   items of OVK_OUTPUT on this rank
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY, OVK_ERR_MPI, alike on all ranks
 */
OVK_API ovk_err ovk_schedule_check(ovk_ctx *ctx, const ovk_schedule *schedule, int inputs,
                                   int outputs);

/**
 * A persistent operation from all ranks' schedules, after ovk_schedule_check(). Collective.
 *
 * All messages go over one channel: over "nbc" over channel=p2p (default) or shm, where all peers
 * share a node, over "verbs" over the adapter.
 *
 * @param schedule  this rank's; not needed any more when the function returns
 * @param input     `inputs` items; may be `output` where the schedule allows for that
 * @param output    `outputs` items
 * @param type      of the items on all ranks, see ovk_collective_create_allreduce_mpi()
 * @param op        of all combinations, which need not be commutative; MPI_OP_NULL: there are none
 * @param out       to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scheduled(ovk_ctx *ctx, const char *spec,
                                                const ovk_schedule *schedule, const void *input,
                                                int inputs, void *output, int outputs,
                                                MPI_Datatype type, MPI_Op op, ovk_collective **out);

OVK_END_DECLS

#endif
