/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations under way, and waiting for them. Nothing moves by itself, and ranks may wait for
 * several operations in different orders: so whoever waits for one moves all of the context's on.
 */
#ifndef OVK_ENGINE_JOB_H
#define OVK_ENGINE_JOB_H

#include "core/check.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Moves something on as far as it goes without blocking; returns MPI's code. Once it is complete or
 * has failed, it says so again whenever asked. */
typedef int ovk__advance(void *self, bool *complete);

/* Advances until it is complete or fails, and the context's jobs meanwhile. After each `spins` vain
 * looks MPI and other processes have their turn. */
int ovk__wait(ovk_ctx *ctx, int spins, ovk__advance *advance, void *self);

/* How often to look before that: once where a node has more ranks than processors, else rarely, as
 * it takes longer than a small sum. */
int ovk__spins(int ranks_on_node);

/* For those who look without waiting: counts a vain look, and now and then lets MPI work. A rank
 * that only looks at shared memory would else never push out what MPI keeps back of its messages.
 */
void ovk__looked_in_vain(ovk_ctx *ctx, unsigned *looks);

/* An operation that has been started, a part of what it stands for. */
typedef struct ovk__job {
  ovk__advance *advance;
  void *self;
  struct ovk__job *next; /* in the context's list, or a thread's */
  /* where a thread moves it on, see progress.h: */
  atomic_bool over;
  int code; /* MPI's, once it is over */
} ovk__job;

/* Enters a job into the context's list. It leaves when test or wait returns completion, or MPI's
 * code of a failure. */
void ovk__job_enter(ovk_ctx *ctx, ovk__job *job);
void ovk__job_leave(ovk_ctx *ctx, const ovk__job *job); /* for those that never complete */
int ovk__job_test(ovk_ctx *ctx, ovk__job *job, bool *complete);
int ovk__job_wait(ovk_ctx *ctx, int spins, ovk__job *job);

#endif
