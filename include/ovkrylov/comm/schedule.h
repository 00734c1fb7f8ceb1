/* SPDX-License-Identifier: BSD-2-Clause */
/* User-defined collective operations. The user writes a schedule, as in LibNBC (Hoefler, Lumsdaine,
 * Rehm, "Implementation and performance analysis of non-blocking collective operations for MPI",
 * SC'07), and the engine of the library executes it. */
#ifndef OVKRYLOV_COMM_SCHEDULE_H
#define OVKRYLOV_COMM_SCHEDULE_H

#include <ovkrylov/comm/collective.h>
#include <ovkrylov/list.h>

OVK_BEGIN_DECLS

/**
 * The actions of one rank in a collective operation, in rounds. A round starts its messages
 * together. When all of them are complete, its combinations and copies are executed in order, and
 * the next round starts. Messages from one rank to another arrive in the order in which both have
 * listed them. Each rank writes a schedule; ovk_collective_create_scheduled() checks that they
 * match.
 */
typedef struct ovk_schedule ovk_schedule;

/** The memory that a schedule works on. */
typedef enum ovk_buffer {
  OVK_INPUT,  /**< only read */
  OVK_OUTPUT, /**< read and written */
  OVK_WORK    /**< memory of the library, as much as the schedule uses; undefined when an operation
                   begins */
} ovk_buffer;

/** The items of a buffer from number `first` on. */
typedef struct ovk_place {
  ovk_buffer buffer;
  size_t first;
} ovk_place;

/**
 * Create an empty schedule, in its first round. Not collective.
 *
 * @param out  to be freed with ovk_schedule_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_schedule_create(ovk_ctx *ctx, ovk_schedule **out);

/** Destroy a schedule and set *schedule to NULL. NULL is allowed. Operations created from it
 * remain. Not collective. */
OVK_API void ovk_schedule_destroy(ovk_schedule **schedule);

/**
 * End the round. Later actions belong to the next one. An empty round is dropped. Not collective.
 *
 * Errors of this function and of the next four are kept: ovk_schedule_check() and
 * ovk_collective_create_scheduled() return them.
 *
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY: also if an earlier call has failed
 */
OVK_API ovk_err ovk_schedule_round(ovk_schedule *schedule);

/**
 * Add a message to rank `peer`. A message after a combination or copy begins a new round. Not
 * collective.
 *
 * @param count  of items; may be 0, as in barriers
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_send(ovk_schedule *schedule, int peer, ovk_place from, int count);

/**
 * Add the receipt of a message from rank `peer`. In its round no other message may use the same
 * place. A message after a combination or copy begins a new round. Not collective.
 *
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_receive(ovk_schedule *schedule, int peer, ovk_place to, int count);

/**
 * Add a combination of two ranges that do not overlap: to <- from op to, item by item, as in
 * MPI_Reduce_local(). Not collective.
 *
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_combine(ovk_schedule *schedule, ovk_place from, ovk_place to,
                                     int count);

/**
 * Add a copy, to <- from. Not collective.
 *
 * @return as ovk_schedule_round()
 */
OVK_API ovk_err ovk_schedule_copy(ovk_schedule *schedule, ovk_place from, ovk_place to, int count);

/**
 * List the actions of the schedule of this rank as text, as ovk_list_schedule(). Not collective.
 *
 * @param each  called for each action in its order
 * @return OVK_ERR_ARG
 */
OVK_API ovk_err ovk_schedule_print(const ovk_schedule *schedule, ovk_action_fn each, void *arg);

/**
 * Check the schedules of all ranks. Collective. The error names the first fault, its rank and its
 * round.
 *
 * Checks on each rank: peers are other ranks, all accesses are within the buffers, OVK_INPUT is not
 * written, OVK_WORK is written before it is read, and messages of a round do not overlap in memory.
 * Checks over all ranks: each message is received with the number of items that are sent, and no
 * ranks wait for each other indefinitely, for any delay of messages. The check takes a few
 * all-to-alls, and as many all-gathers as there are messages in the longest chain.
 *
 * @param schedule  that of this rank; not changed
 * @param inputs    items of OVK_INPUT on this rank
 * @param outputs   items of OVK_OUTPUT on this rank
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY, OVK_ERR_MPI, the same on all ranks
 */
OVK_API ovk_err ovk_schedule_check(ovk_ctx *ctx, const ovk_schedule *schedule, int inputs,
                                   int outputs);

/**
 * Create a persistent operation from the schedules of all ranks, after ovk_schedule_check().
 * Collective.
 *
 * All messages use one channel: with "nbc" channel=p2p (default), or shm if all peers share a node;
 * with "verbs" the NIC.
 *
 * @param schedule  that of this rank; not needed after the function returns
 * @param input     `inputs` items; may be `output` if the schedule permits it
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
