/* SPDX-License-Identifier: BSD-2-Clause */
/* The log of OVK_MPI_LOG: the calls of the program, and whether each was carried. */
#ifndef OVK_CARRY_LOG_H
#define OVK_CARRY_LOG_H

#include <mpi.h>
#include <stdint.h>

typedef enum carry_call {
  CARRY_ALLREDUCE,
  CARRY_REDUCE,
  CARRY_BCAST,
  CARRY_BARRIER,
  CARRY_IALLREDUCE,
  CARRY_IREDUCE,
  CARRY_IBCAST,
  CARRY_IBARRIER,
  CARRY_ALLREDUCE_INIT,
  CARRY_REDUCE_INIT,
  CARRY_BCAST_INIT,
  CARRY_BARRIER_INIT,
  CARRY_SCAN,
  CARRY_EXSCAN,
  CARRY_REDUCE_SCATTER,
  CARRY_REDUCE_SCATTER_BLOCK,
  CARRY_GATHER,
  CARRY_GATHERV,
  CARRY_ALLGATHER,
  CARRY_ALLGATHERV,
  CARRY_SCATTER,
  CARRY_SCATTERV,
  CARRY_ALLTOALL,
  CARRY_ALLTOALLV,
  CARRY_ALLTOALLW,
  CARRY_NCALLS
} carry_call;

/* Why an operation is handed back to the MPI. */
typedef enum carry_reason {
  CARRY_CARRIED, /* it is not */
  CARRY_OFF,
  CARRY_NO_WORLD,
  CARRY_SESSION,
  CARRY_NO_COMM,
  CARRY_WORLDS,
  CARRY_ONE_RANK,
  CARRY_INTER,
  CARRY_NODES,
  CARRY_NO_SETUP,
  CARRY_FREEING,
  CARRY_COMMS,
  CARRY_LAYER,
  CARRY_F08,
  CARRY_NOT_YET,
  CARRY_TYPE,
  CARRY_IN_PLACE,
  CARRY_LARGE,
  CARRY_EMPTY,
  CARRY_MANY,
  CARRY_EXACT,
  CARRY_NREASONS
} carry_reason;

/* The time in seconds; 0 without a log. */
double carry_now(void);

/* Adds a call that began at the time `start`. */
void carry_note(carry_call call, carry_reason reason, int64_t bytes, double start);

/* Adds to the last note of CARRY_TYPE: a reduction of `count` items. The log has the type and the
 * operation of the first one of each call. */
void carry_note_refused(carry_call call, MPI_Datatype type, MPI_Op op, int count);

#endif
