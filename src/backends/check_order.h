/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of check mode, and the reductions that are in flight. */
#ifndef OVK_BACKENDS_CHECK_ORDER_H
#define OVK_BACKENDS_CHECK_ORDER_H

#include "backends/sum_claims.h"
#include "core/job.h"

/* CLAIMED: this rank has begun it; SUMMING: all ranks have, and the inner reduction is in flight;
 * SUMMED: that has ended on this rank. */
typedef enum ovk__check_stage {
  OVK__OVER,
  OVK__CLAIMED,
  OVK__SUMMING,
  OVK__SUMMED
} ovk__check_stage;

/* The request of a reduction. */
typedef struct ovk__check_request {
  struct ovk__check_state *state;
  struct ovk__check_request *next; /* the next in the order of begins */
  ovk_sum *sum;
  ovk__job job;
  ovk__claim claim;
  ovk__check_stage stage;
  double since; /* time of the first poll without completion */
  ovk__kept_error failed;
} ovk__check_request;

/* The state of the backend. */
typedef struct ovk__check_state {
  ovk_ctx *ctx;
  const char *spec;
  ovk__allgather claims, verdicts;
  ovk__check_request *begun; /* reductions in flight, in the order of begins */
  bool busy;                 /* ovk__check_advance() is running */
  bool at_once;              /* the decorated backend's begin does not wait for other ranks */
  bool lost;                 /* a timeout has expired */
} ovk__check_state;

/* Appends a reduction that this rank begins. */
void ovk__check_claim(ovk__check_request *request);

/* These are an ovk__advance, whose self is a request, and record no message. The first advances all
 * reductions, since a reduction of another backend may wait for any of them. The second also checks
 * the timeout of this one. The third does the same, and is complete when the reduction has begun or
 * failed. */
int ovk__check_advance(void *self, bool *complete);
int ovk__check_poll(void *self, bool *complete);
int ovk__check_poll_claim(void *self, bool *complete);

#endif
