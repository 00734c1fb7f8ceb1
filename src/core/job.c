/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of a context's operations in flight, and waiting. */
#include "core/job.h"
#include "core/context/ctx_impl.h"
#include "core/processors.h"

#include <sched.h>
#include <time.h>

ovk_err ovk__spins(ovk_ctx *ctx, MPI_Comm comm, int ranks_on_node, int *spins)
{
  enum { SPINS_OF_NODES = 100, MANY_SPINS = 10000 };
  int processors = 0, ranks = 0;
  OVK_TRY(ovk__processors(ctx, comm, &processors));
  OVK_TRY_MPI(ctx, MPI_Comm_size(comm, &ranks));
  *spins = ranks_on_node > processors ? 1 : ranks_on_node < ranks ? SPINS_OF_NODES : MANY_SPINS;
  return OVK_OK;
}

/* Calls the progress engine of MPI; any call that checks for messages does. */
static void progress_mpi(const ovk_ctx *ctx)
{
  int flag;
  if (ctx->comm == MPI_COMM_NULL) return; /* ovk__ctx_create_alone() */
  (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ctx->comm, &flag, MPI_STATUS_IGNORE);
}

void ovk__on_empty_poll(ovk_ctx *ctx, unsigned *polls)
{
  enum { POLLS_BEFORE_MPI = 1000 };
  if (++*polls % POLLS_BEFORE_MPI == 0) progress_mpi(ctx);
}

/* Advances all jobs except that of `self`. Errors are ignored here: advance returns them again to
 * the function that waits for the job. */
static void advance_others(const ovk_ctx *ctx, const void *self)
{
  for (const ovk__job *job = ctx->jobs; job; job = job->next) {
    bool complete;
    if (job->self != self) (void)job->advance(job->self, &complete);
  }
}

/* Pauses for some nanoseconds: polling a cache line without pause slows down the processor that is
 * to write it. */
static void pause_briefly(void)
{
  enum { STEPS = 10 };
  for (volatile int k = 0; k < STEPS; k++) continue;
}

/* Releases the processor: by yielding and, if that has not helped for long where ranks share
 * processors, by sleeping, so that the system's own threads can run. */
static void release_processor(bool shared, int *times)
{
  enum { YIELDS = 100, NAP = 20000 }; /* nanoseconds */
  if (shared && ++*times > YIELDS) {
    nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
  } else {
    sched_yield();
  }
}

int ovk__wait(ovk_ctx *ctx, int spins, ovk__advance *advance, void *self)
{
  int times = 0;
  for (int k = 1;; k = k % spins + 1) {
    bool complete = false;
    const int err = advance(self, &complete);
    if (err || complete) return err;
    advance_others(ctx, self);
    pause_briefly();
    if (k == spins) {
      progress_mpi(ctx);
      release_processor(spins == 1, &times);
    }
  }
}

static void job_serve(ovk_ctx *ctx)
{
  advance_others(ctx, NULL);
  sched_yield();
}

void ovk__job_enter(ovk_ctx *ctx, ovk__job *job)
{
  ctx->serve = job_serve;
  job->next = ctx->jobs;
  ctx->jobs = job;
}

void ovk__job_leave(ovk_ctx *ctx, const ovk__job *job)
{
  ovk__job **link = &ctx->jobs;
  while (*link && *link != job) link = &(*link)->next;
  if (*link) *link = job->next;
}

void ovk__jobs_drop(ovk_ctx *ctx)
{
  ctx->jobs = NULL;
}

int ovk__job_test(ovk_ctx *ctx, ovk__job *job, bool *complete)
{
  const int err = job->advance(job->self, complete);
  if (err || *complete) ovk__job_leave(ctx, job);
  return err;
}

int ovk__job_wait(ovk_ctx *ctx, int spins, ovk__job *job)
{
  const int err = ovk__wait(ctx, spins, job->advance, job->self);
  ovk__job_leave(ctx, job);
  return err;
}
