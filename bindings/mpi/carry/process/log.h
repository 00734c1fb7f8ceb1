/* SPDX-License-Identifier: BSD-2-Clause */
/* The log of OVK_MPI_LOG: the calls of the program, and whether each was carried. */
#ifndef OVK_CARRY_LOG_H
#define OVK_CARRY_LOG_H

#include <mpi.h>
#include <stdint.h>

/* The calls that are logged, with their names: X(call, name). */
#define CARRY_CALLS(X)                                                                             \
  X(CARRY_ALLREDUCE, "MPI_Allreduce")                                                              \
  X(CARRY_REDUCE, "MPI_Reduce")                                                                    \
  X(CARRY_BCAST, "MPI_Bcast")                                                                      \
  X(CARRY_BARRIER, "MPI_Barrier")                                                                  \
  X(CARRY_IALLREDUCE, "MPI_Iallreduce")                                                            \
  X(CARRY_IREDUCE, "MPI_Ireduce")                                                                  \
  X(CARRY_IBCAST, "MPI_Ibcast")                                                                    \
  X(CARRY_IBARRIER, "MPI_Ibarrier")                                                                \
  X(CARRY_ALLREDUCE_INIT, "MPI_Allreduce_init")                                                    \
  X(CARRY_REDUCE_INIT, "MPI_Reduce_init")                                                          \
  X(CARRY_BCAST_INIT, "MPI_Bcast_init")                                                            \
  X(CARRY_BARRIER_INIT, "MPI_Barrier_init")                                                        \
  X(CARRY_SCAN, "MPI_Scan")                                                                        \
  X(CARRY_EXSCAN, "MPI_Exscan")                                                                    \
  X(CARRY_REDUCE_SCATTER, "MPI_Reduce_scatter")                                                    \
  X(CARRY_REDUCE_SCATTER_BLOCK, "MPI_Reduce_scatter_block")                                        \
  X(CARRY_GATHER, "MPI_Gather")                                                                    \
  X(CARRY_GATHERV, "MPI_Gatherv")                                                                  \
  X(CARRY_ALLGATHER, "MPI_Allgather")                                                              \
  X(CARRY_ALLGATHERV, "MPI_Allgatherv")                                                            \
  X(CARRY_SCATTER, "MPI_Scatter")                                                                  \
  X(CARRY_SCATTERV, "MPI_Scatterv")                                                                \
  X(CARRY_ALLTOALL, "MPI_Alltoall")                                                                \
  X(CARRY_ALLTOALLV, "MPI_Alltoallv")                                                              \
  X(CARRY_ALLTOALLW, "MPI_Alltoallw")

/* The outcomes of a call: it was carried, or the reason why it was handed back to the MPI. */
#define CARRY_REASONS(X)                                                                           \
  X(CARRY_CARRIED, "carried")                                                                      \
  X(CARRY_OFF, "switched off")                                                                     \
  X(CARRY_NO_WORLD, "no MPI_Init")                                                                 \
  X(CARRY_SESSION, "of a session")                                                                 \
  X(CARRY_NO_COMM, "no communicator")                                                              \
  X(CARRY_WORLDS, "processes of another world")                                                    \
  X(CARRY_ONE_RANK, "one rank")                                                                    \
  X(CARRY_INTER, "intercommunicator")                                                              \
  X(CARRY_NODES, "ranks on several nodes")                                                         \
  X(CARRY_NO_SETUP, "could not be set up")                                                         \
  X(CARRY_FREEING, "is being freed")                                                               \
  X(CARRY_COMMS, "too many communicators")                                                         \
  X(CARRY_LAYER, "another library's MPI_Wait")                                                     \
  X(CARRY_F08, "use mpi_f08")                                                                      \
  X(CARRY_NOT_YET, "no blocking call before")                                                      \
  X(CARRY_TYPE, "type or operation")                                                               \
  X(CARRY_IN_PLACE, "in place")                                                                    \
  X(CARRY_LARGE, "too large")                                                                      \
  X(CARRY_EMPTY, "empty")                                                                          \
  X(CARRY_MANY, "too many persistent")                                                             \
  X(CARRY_EXACT, "exact sum")

#define CARRY_ENUMERATOR(name, text) name,
typedef enum carry_call { CARRY_CALLS(CARRY_ENUMERATOR) CARRY_NCALLS } carry_call;
typedef enum carry_reason { CARRY_REASONS(CARRY_ENUMERATOR) CARRY_NREASONS } carry_reason;
#undef CARRY_ENUMERATOR

/* The time in seconds; 0 without a log. */
double carry_now(void);

/* Adds a call that began at the time `start`. */
void carry_note(carry_call call, carry_reason reason, int64_t bytes, double start);

/* Adds to the last note of CARRY_TYPE: a reduction of `count` items. The log has the type and the
 * operation of the first one of each call. */
void carry_note_refused(carry_call call, MPI_Datatype type, MPI_Op op, int count);

#endif
