/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of a context's operations under way, and patience. */
#include "engine/job.h"
#include "core/ctx_impl.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

int ovk__spins(int ranks_on_node)
{
  enum { PATIENT = 10000 };
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return ranks_on_node > processors ? 1 : PATIENT;
}

/* Any call does that looks for messages. */
static void let_mpi_work(const ovk_ctx *ctx)
{
  int flag;
  (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ctx->comm, &flag, MPI_STATUS_IGNORE);
}

void ovk__looked_in_vain(ovk_ctx *ctx, unsigned *looks)
{
  enum { LOOKS_BEFORE_MPI = 1000 };
  if (++*looks % LOOKS_BEFORE_MPI == 0) let_mpi_work(ctx);
}

/* All jobs but that of `self`. Whoever waits for one of them asks it again, also for a failure. */
static void advance_others(const ovk_ctx *ctx, const void *self)
{
  for (const ovk__job *job = ctx->jobs; job; job = job->next) {
    bool complete;
    if (job->self != self) (void)job->advance(job->self, &complete);
  }
}

/* Some nanoseconds: who looks at a cache line all the time holds up the one that is to write it. */
static void pause_briefly(void)
{
  enum { STEPS = 10 };
  for (volatile int k = 0; k < STEPS; k++) continue;
}

/* Lets others have the processor: by yielding, and, when that has not helped for long where ranks
 * share processors, by sleeping, so that the system's own threads have their turn. */
static void make_room(bool shared, int *times)
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
      let_mpi_work(ctx);
      make_room(spins == 1, &times);
    }
  }
}

static void serve(ovk_ctx *ctx)
{
  advance_others(ctx, NULL);
  sched_yield();
}

void ovk__job_enter(ovk_ctx *ctx, ovk__job *job)
{
  ctx->serve = serve;
  job->next = ctx->jobs;
  ctx->jobs = job;
}

void ovk__job_leave(ovk_ctx *ctx, const ovk__job *job)
{
  ovk__job **link = &ctx->jobs;
  while (*link != job) link = &(*link)->next;
  *link = job->next;
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
