/* SPDX-License-Identifier: BSD-2-Clause */
/* A roll call: gathers a record of each rank on all ranks, without blocking. Used by check mode. */
#ifndef OVK_CORE_ROLL_CALL_H
#define OVK_CORE_ROLL_CALL_H

#include "base/check.h"

#include <stdbool.h>
#include <stddef.h>

/* At most one call is in flight. */
typedef struct ovk__roll_call {
  MPI_Comm comm; /* a communicator of its own */
  MPI_Request request;
  int ranks;
  size_t bytes; /* bytes of a record */
  char *mine;   /* this rank's record, initially zero; to be filled before start */
  char *all;    /* the records of all ranks, when complete */
  bool called;  /* started, and not complete */
} ovk__roll_call;

/* Collective; errors are agreed; after an error the roll call is closed. */
ovk_err ovk__roll_call_open(ovk_ctx *ctx, size_t bytes, ovk__roll_call *roll);

/* If a call is not complete, its memory is not freed: MPI may still write there. */
void ovk__roll_call_close(ovk__roll_call *roll);

/* Return MPI's error codes. */
int ovk__roll_call_start(ovk__roll_call *roll);
int ovk__roll_call_test(ovk__roll_call *roll, bool *complete);

/* A rank's record. */
const void *ovk__roll_call_of(const ovk__roll_call *roll, int rank);

/* The first rank whose record differs from that of rank 0; 0 if none does. */
int ovk__roll_call_odd_one(const ovk__roll_call *roll);

#endif
