/* SPDX-License-Identifier: BSD-2-Clause */
/* Progress by the caller or by a thread. What thread and callers share is guarded by one mutex, but
 * for the flag of a job that is over, which callers look at without it. */
#include "engine/progress.h"
#include "core/ctx_impl.h"
#include "engine/engine.h"
#include "engine/topology.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

struct ovk__progress {
  ovk_ctx *ctx;
  int spins;
  bool threaded;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t work; /* for the thread: there is a job, or the end */
  pthread_cond_t news; /* for callers: a job is over, or the thread is there */
  ovk__job *fresh;     /* begun, not yet looked at by the thread */
  bool end;
};

/* What the thread is told at its start, and what it answers. */
typedef struct birth {
  ovk__progress *progress;
  ovk_ctx *ctx; /* the thread may use it, as its caller waits meanwhile */
  int core;
  bool done;
  ovk_err err;
} birth;

/* Moves all jobs on by a step; returns those that go on. */
static ovk__job *step(ovk__progress *p, ovk__job *jobs)
{
  ovk__job *left = NULL;
  while (jobs) {
    ovk__job *job = jobs;
    jobs = job->next;
    bool complete = false;
    job->code = job->advance(job->self, &complete);
    if (complete || job->code) {
      pthread_mutex_lock(&p->mutex);
      atomic_store_explicit(&job->over, true, memory_order_release); /* now it is the caller's */
      pthread_cond_broadcast(&p->news);
      pthread_mutex_unlock(&p->mutex);
    } else {
      job->next = left;
      left = job;
    }
  }
  return left;
}

/* Waits for jobs if there is none; takes over fresh ones. NULL: the end. */
static ovk__job *take_fresh(ovk__progress *p, ovk__job *jobs)
{
  pthread_mutex_lock(&p->mutex);
  while (!jobs && !p->fresh && !p->end) pthread_cond_wait(&p->work, &p->mutex);
  while (p->fresh) {
    ovk__job *job = p->fresh;
    p->fresh = job->next;
    job->next = jobs;
    jobs = job;
  }
  pthread_mutex_unlock(&p->mutex);
  return jobs;
}

static void *run_thread(void *arg)
{
  birth *born = arg;
  ovk__progress *p = born->progress;
  const ovk_err err = born->core == OVK__NO_CORE ? OVK_OK : ovk__pin_thread(born->ctx, born->core);
  pthread_mutex_lock(&p->mutex);
  born->err = err;
  born->done = true; /* from here on `born` is gone */
  pthread_cond_broadcast(&p->news);
  pthread_mutex_unlock(&p->mutex);
  ovk__job *jobs = NULL;
  while (!err && (jobs = take_fresh(p, jobs))) {
    jobs = step(p, jobs);
    sched_yield();
  }
  return NULL;
}

/* Signals are for the program's own threads. */
static int create_thread(birth *born)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(&born->progress->thread, NULL, run_thread, born);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

static ovk_err check_mpi(ovk_ctx *ctx)
{
  int level;
  OVK_TRY_MPI(ctx, MPI_Query_thread(&level));
  const char *name = level == MPI_THREAD_SINGLE       ? "MPI_THREAD_SINGLE"
                     : level == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                     : level == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                                                      : "MPI_THREAD_MULTIPLE";
  OVK_CHECK(level >= MPI_THREAD_MULTIPLE, ctx, OVK_ERR_UNSUPPORTED,
            "progress=thread needs MPI_THREAD_MULTIPLE, but this program runs with %s: ask "
            "MPI_Init_thread() for it",
            name);
  return OVK_OK;
}

static ovk_err start_thread(ovk_ctx *ctx, int core, ovk__progress *p)
{
  birth born = {.progress = p, .ctx = ctx, .core = core};
  const int code = create_thread(&born);
  OVK_CHECK(code == 0, ctx, OVK_ERR_MEMORY, "no thread for progress=thread: error %d", code);
  p->threaded = true;
  pthread_mutex_lock(&p->mutex);
  while (!born.done) pthread_cond_wait(&p->news, &p->mutex);
  pthread_mutex_unlock(&p->mutex);
  return born.err;
}

ovk_err ovk__progress_open(const ovk__engine *engine, bool threaded, int core, ovk__progress **out)
{
  ovk_ctx *ctx = engine->ctx;
  ovk__progress *p = *out = calloc(1, sizeof *p);
  OVK_CHECK(p, ctx, OVK_ERR_MEMORY, "no memory for the progress of collective operations");
  p->ctx = ctx;
  p->spins = engine->spins;
  pthread_mutex_init(&p->mutex, NULL);
  pthread_cond_init(&p->work, NULL);
  pthread_cond_init(&p->news, NULL);
  if (!threaded) return OVK_OK;
  OVK_TRY(check_mpi(ctx));
  return start_thread(ctx, core, p);
}

void ovk__progress_close(ovk__progress **progress)
{
  ovk__progress *p = *progress;
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  p->end = true;
  pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->mutex);
  if (p->threaded) pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->news);
  pthread_cond_destroy(&p->work);
  pthread_mutex_destroy(&p->mutex);
  free(p);
  *progress = NULL;
}

void ovk__progress_begin(ovk__progress *progress, ovk__job *job)
{
  ovk__progress *p = progress;
  if (!p->threaded) {
    ovk__job_enter(p->ctx, job);
    return;
  }
  atomic_store_explicit(&job->over, false, memory_order_relaxed);
  pthread_mutex_lock(&p->mutex);
  job->next = p->fresh;
  p->fresh = job;
  pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->mutex);
}

/* A caller's look at what the thread does. */
static int look(void *self, bool *complete)
{
  const ovk__job *job = self;
  *complete = atomic_load_explicit(&job->over, memory_order_acquire);
  return *complete ? job->code : MPI_SUCCESS;
}

int ovk__progress_test(ovk__progress *progress, ovk__job *job, bool *complete)
{
  return progress->threaded ? look(job, complete) : ovk__job_test(progress->ctx, job, complete);
}

/* A short sum is worth a few looks; then the caller sleeps, for the thread may need its processor.
 */
int ovk__progress_wait(ovk__progress *progress, ovk__job *job)
{
  enum { LOOKS = 1000 };
  ovk__progress *p = progress;
  if (!p->threaded) return ovk__job_wait(p->ctx, p->spins, job);
  bool complete = false;
  for (int k = 0; k < LOOKS && !complete; k++) {
    (void)look(job, &complete);
    if (!complete) sched_yield();
  }
  if (!complete && p->ctx->jobs) return ovk__wait(p->ctx, 1, look, job); /* they need the caller */
  pthread_mutex_lock(&p->mutex);
  while (!atomic_load_explicit(&job->over, memory_order_acquire)) {
    pthread_cond_wait(&p->news, &p->mutex);
  }
  pthread_mutex_unlock(&p->mutex);
  return job->code;
}
