/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of a context's operations under way. */
#include "engine/job.h"
#include "core/ctx_impl.h"

void ovk__job_enter(ovk_ctx *ctx, ovk__job *job)
{
  job->next = ctx->jobs;
  ctx->jobs = job;
}

static void leave(ovk_ctx *ctx, const ovk__job *job)
{
  ovk__job **link = &ctx->jobs;
  while (*link != job) link = &(*link)->next;
  *link = job->next;
}

int ovk__job_test(ovk_ctx *ctx, ovk__job *job, bool *complete)
{
  const int err = job->advance(job->self, complete);
  if (err || *complete) leave(ctx, job);
  return err;
}

/* Who waits, and for what. */
typedef struct waiter {
  const ovk_ctx *ctx;
  const ovk__job *job;
} waiter;

static int advance_all(void *self, bool *complete)
{
  const waiter *w = self;
  const int err = w->job->advance(w->job->self, complete);
  if (err || *complete) return err;
  for (const ovk__job *other = w->ctx->jobs; other; other = other->next) {
    bool through; /* whoever waits for it asks again, as for a failure */
    if (other != w->job) (void)other->advance(other->self, &through);
  }
  return err;
}

int ovk__job_wait(ovk_ctx *ctx, int spins, ovk__job *job)
{
  waiter w = {ctx, job};
  const int err = ovk__wait(spins, advance_all, &w);
  leave(ctx, job);
  return err;
}
