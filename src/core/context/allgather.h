/* SPDX-License-Identifier: BSD-2-Clause */
/* An all-gather: collects a record of each rank on all ranks, without blocking. Used by check mode.
 */
#ifndef OVK_CORE_CONTEXT_ALLGATHER_H
#define OVK_CORE_CONTEXT_ALLGATHER_H

#include "core/context/check.h"

#include <stdbool.h>
#include <stddef.h>

/* At most one call is in flight. */
typedef struct ovk__allgather {
  MPI_Comm comm; /* a separate communicator */
  MPI_Request request;
  int ranks;
  size_t bytes; /* bytes of a record */
  char *mine;   /* this rank's record, initially zero; to be filled before start */
  char *all;    /* the records of all ranks, when complete */
  bool active;  /* started, and not complete */
} ovk__allgather;

/* Allocates the records of `bytes` each. After an error the all-gather is to be closed. */
ovk_err ovk__allgather_allocate(ovk_ctx *ctx, size_t bytes, ovk__allgather *gather);

/* Gives an allocated one its communicator. Collective; errors are not agreed. */
ovk_err ovk__allgather_connect(ovk_ctx *ctx, ovk__allgather *gather);

/* If a call is not complete, its memory is not freed: MPI may still write there. */
void ovk__allgather_close(ovk__allgather *gather);

/* Return MPI error codes. */
int ovk__allgather_start(ovk__allgather *gather);
int ovk__allgather_test(ovk__allgather *gather, bool *complete);

/* A rank's record. */
const void *ovk__allgather_record(const ovk__allgather *gather, int rank);

/* The first rank whose record differs from that of rank 0; 0 if none does. */
int ovk__allgather_first_difference(const ovk__allgather *gather);

#endif
