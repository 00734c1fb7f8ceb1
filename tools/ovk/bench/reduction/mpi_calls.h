/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of the MPI that libovk_mpi.so may carry, by two sets of functions. */
#ifndef OVK_TOOL_MPI_CALLS_H
#define OVK_TOOL_MPI_CALLS_H

#include <mpi.h>

typedef struct mpi_calls {
  int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*iallreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
  int (*wait)(MPI_Request *, MPI_Status *);
  int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
  int (*ireduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request *);
  int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
  int (*ibcast)(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
  int (*barrier)(MPI_Comm);
  int (*ibarrier)(MPI_Comm, MPI_Request *);
  int (*allgather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
  int (*alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
} mpi_calls;

/* By the profiling names, which are never replaced, and as any program calls. */
extern const mpi_calls mpi_calls_of_mpi, mpi_calls_of_programs;

/* Items of a call, in each block where it has one for each rank, and its buffers. */
typedef struct mpi_items {
  const void *send;
  void *receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
} mpi_items;

/* One call on MPI_COMM_WORLD, complete on all ranks if it has a barrier. */
typedef struct mpi_call {
  const char *name;
  int (*run)(const mpi_calls *, const mpi_items *);
} mpi_call;

enum { MPI_CALL_KINDS = 10 };
extern const mpi_call mpi_call_kinds[MPI_CALL_KINDS];

#endif
