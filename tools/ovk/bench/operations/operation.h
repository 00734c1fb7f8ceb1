/* SPDX-License-Identifier: BSD-2-Clause */
/* One collective operation to be measured: a sum over a backend, any other on the engine of the
 * library, or the corresponding MPI call. All have the same begin, test and wait. The root is rank
 * 0, reductions are sums. */
#ifndef OVK_TOOL_OPERATION_H
#define OVK_TOOL_OPERATION_H

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/ovkrylov.h>

typedef enum operation_kind {
  OPERATION_SUM,
  OPERATION_REDUCE,
  OPERATION_REDUCE_SCATTER,
  OPERATION_SCAN,
  OPERATION_BCAST,
  OPERATION_GATHER,
  OPERATION_SCATTER,
  OPERATION_ALLGATHER,
  OPERATION_ALLTOALL,
  OPERATION_GATHERV, /* from here on shares of different lengths, */
  OPERATION_SCATTERV,
  OPERATION_ALLGATHERV,
  OPERATION_ALLTOALLV, /* up to here */
  OPERATION_BARRIER,
  OPERATION_KINDS
} operation_kind;

typedef struct operation {
  operation_kind kind;
  const char *spec;    /* of a backend or the engine, or for example "mpi:iallreduce" */
  const char *backend; /* the same, except for "auto" the backend that it chose */
  bool blocking;       /* a blocking MPI call */
  int count; /* doubles in a vector, or a share; all are zero, so that repeated sums stay zero */
  int *shares,
      *starts;      /* [rank] of shares of different lengths, whose mean is `count`; else NULL */
  int64_t *offsets; /* the same as starts */
  ovk_ctx *ctx;
  ovk_reduction *reduction;   /* used for a sum over a backend */
  ovk_collective *collective; /* used for an operation of the engine */
  MPI_Request request;        /* used for an MPI operation */
  double *send, *receive;     /* not of sums over a backend; sums and broadcasts use `receive` */
  double *in, *out;           /* input and result, which may be the same */
} operation;

/* The MPI names of the kinds, such as "allreduce". */
extern const char *const operation_names[OPERATION_KINDS];

/* The MPI operations of a kind, by spec: the blocking one, then the non-blocking one. */
extern const char *const operation_own[OPERATION_KINDS][2];

/* Collective; after a failure there is nothing to free. `spec` must outlive the operation. */
ovk_err operation_create(ovk_ctx *ctx, operation_kind kind, const char *spec, int count,
                         operation *out);
void operation_destroy(operation *op);

ovk_err operation_begin(operation *op);
ovk_err operation_test(operation *op); /* also allowed when it is complete */
ovk_err operation_wait(operation *op);

#endif
