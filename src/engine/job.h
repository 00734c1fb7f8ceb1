/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations under way. Nothing moves by itself, and ranks may wait for several operations in
 * different orders: so whoever waits for one moves all of the context's on. */
#ifndef OVK_ENGINE_JOB_H
#define OVK_ENGINE_JOB_H

#include "core/check.h"
#include "engine/yield.h"

#include <stdatomic.h>

/* A part of what it stands for. */
typedef struct ovk__job {
  ovk__advance *advance; /* once it is complete or has failed, says so again whenever asked */
  void *self;
  struct ovk__job *next; /* in the context's list, or a thread's */
  /* where a thread moves it on, see progress.h: */
  atomic_bool over;
  int code; /* MPI's, once it is over */
} ovk__job;

/* Enters a job that has been started. It leaves when test or wait returns completion or MPI's code
 * of a failure. */
void ovk__job_enter(ovk_ctx *ctx, ovk__job *job);
int ovk__job_test(ovk_ctx *ctx, ovk__job *job, bool *complete);
int ovk__job_wait(ovk_ctx *ctx, int spins, ovk__job *job);

#endif
