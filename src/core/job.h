/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations in flight, and waiting for them. There is no background progress, and ranks may wait
 * for several operations in different orders: so a rank that waits for one advances all of its
 * context's. */
#ifndef OVK_CORE_JOB_H
#define OVK_CORE_JOB_H

#include "core/context/check.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Advances an operation without blocking; returns the MPI error code. Once it is complete or has
 * failed, further calls return the same. */
typedef int ovk__advance(void *self, bool *complete);

/* Advances an operation until it is complete or fails, and the context's jobs meanwhile. After each
 * `spins` polls without completion it calls the progress of MPI and yields the processor. */
int ovk__wait(ovk_ctx *ctx, int spins, ovk__advance *advance, void *self);

/* *spins <- the number of polls before that: 1 if a node has more ranks of comm than processors for
 * them; some for ranks of several nodes, whose messages take longer than yielding; else many, as
 * yielding takes longer than a small sum. Collective. */
ovk_err ovk__spins(ovk_ctx *ctx, MPI_Comm comm, int ranks_on_node, int *spins);

/* For callers that test without waiting: counts a poll without completion, and calls the progress
 * of MPI at intervals. A rank that polls only shared memory would otherwise never send the messages
 * that MPI holds back. */
void ovk__on_empty_poll(ovk_ctx *ctx, unsigned *polls);

/* An operation that has been started; a member of the object for which it runs. */
typedef struct ovk__job {
  ovk__advance *advance;
  void *self;
  struct ovk__job *next; /* in the context's list, or a thread's */
  /* if a thread advances it, see comm/engine/progress.h: */
  atomic_bool over;
  int code; /* the MPI error code, once it is complete */
} ovk__job;

/* Adds a job to the context's list. It is removed when test or wait returns completion or an error.
 */
void ovk__job_enter(ovk_ctx *ctx, ovk__job *job);
void ovk__job_leave(ovk_ctx *ctx, const ovk__job *job); /* for jobs that never complete */
/* Empties the list: MPI is finalized, no job advances any more. */
void ovk__jobs_drop(ovk_ctx *ctx);
int ovk__job_test(ovk_ctx *ctx, ovk__job *job, bool *complete);
int ovk__job_wait(ovk_ctx *ctx, int spins, ovk__job *job);

#endif
