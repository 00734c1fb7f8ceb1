/* SPDX-License-Identifier: BSD-2-Clause */
/* One collective operation to be measured: a sum over a backend, an all-to-all or a sum to rank 0
 * on the library's own engine, or the MPI's call for one of them; all are begun, tested and waited
 * for alike. */
#ifndef OVK_TOOL_OPERATION_H
#define OVK_TOOL_OPERATION_H

#include <ovkrylov/ovkrylov.h>

typedef enum operation_kind {
  OPERATION_SUM,
  OPERATION_ALLTOALL,
  OPERATION_REDUCE,
  OPERATION_KINDS
} operation_kind;

typedef struct operation {
  const struct operation_calls *calls;
  const char *spec;    /* of a backend or the engine, or such as "mpi:iallreduce" */
  const char *backend; /* the same, but for "auto" what it chose */
  bool blocking;       /* an MPI's own call that returns when all is over */
  int count;           /* doubles in a sum, or to each rank; all zeros: sums of sums stay so */
  ovk_ctx *ctx;
  ovk_reduction *reduction;   /* where it is a sum over a backend */
  ovk_collective *collective; /* where it is over the engine */
  MPI_Request request;        /* where it is the MPI's own */
  double *send, *receive;     /* of all but sums over a backend; a sum has one buffer, `receive` */
  double *in, *out;           /* where its numbers go; where the result is, which can be the same */
} operation;

/* The MPI's own operations of a kind, by spec: the blocking one, then the other. */
extern const char *const operation_own[OPERATION_KINDS][2];

/* Collective; nothing is left to free after a failure. `spec` must outlive the operation. */
ovk_err operation_create(ovk_ctx *ctx, operation_kind kind, const char *spec, int count,
                         operation *out);
void operation_destroy(operation *op);

ovk_err operation_begin(operation *op);
ovk_err operation_test(operation *op); /* also when it is complete */
ovk_err operation_wait(operation *op);

#endif
