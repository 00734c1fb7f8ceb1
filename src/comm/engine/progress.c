/* SPDX-License-Identifier: BSD-2-Clause */
/* Progress by the caller or by a thread. One mutex protects the data that thread and callers share,
 * except for job->over, which callers also read without it. */
#include "comm/engine/progress.h"
#include "comm/engine/engine.h"
#include "comm/engine/topology/topology.h"
#include "core/base/thread.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct ovk__progress {
  ovk_ctx *ctx;
  int spins;
  bool threaded;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t work; /* signals the thread: there is a job, or `end` is set */
  pthread_cond_t news; /* signals callers: a job is complete, or the thread has started */
  ovk__job *fresh;     /* jobs that have begun and that the thread has not taken yet */
  bool end;
  int key; /* keyval of the attribute of MPI_COMM_SELF whose deletion ends the thread */
};

/* Arguments of the new thread, and its result. */
typedef struct thread_start {
  ovk__progress *progress;
  ovk_ctx *ctx; /* the thread may use it while its creator waits */
  int core;
  bool done;
  ovk_err err;
} thread_start;

/* Advances all jobs once and returns those that are not complete. */
static ovk__job *advance_jobs(ovk__progress *p, ovk__job *jobs)
{
  ovk__job *left = NULL;
  while (jobs) {
    ovk__job *job = jobs;
    jobs = job->next;
    bool complete = false;
    job->code = job->advance(job->self, &complete);
    if (complete || job->code) {
      pthread_mutex_lock(&p->mutex);
      /* Pairs with test_over(): a caller that sees the flag sees the code and all that the job has
       * written. From here on the job belongs to the caller. */
      atomic_store_explicit(&job->over, true, memory_order_release);
      pthread_cond_broadcast(&p->news);
      pthread_mutex_unlock(&p->mutex);
    } else {
      job->next = left;
      left = job;
    }
  }
  return left;
}

/* Takes new jobs; sleeps while there are no jobs at all. Returns NULL at the end, even if jobs are
 * in flight. */
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
  if (p->end) jobs = NULL;
  pthread_mutex_unlock(&p->mutex);
  return jobs;
}

static void *run_thread(void *arg)
{
  thread_start *start = arg;
  ovk__progress *p = start->progress;
  const ovk_err err =
      start->core == OVK__NO_CORE ? OVK_OK : ovk__pin_thread(start->ctx, start->core);
  pthread_mutex_lock(&p->mutex);
  start->err = err;
  start->done = true; /* the creator may return now: `start` is no longer valid */
  pthread_cond_broadcast(&p->news);
  pthread_mutex_unlock(&p->mutex);
  ovk__job *jobs = NULL;
  while (!err && (jobs = take_fresh(p, jobs))) {
    jobs = advance_jobs(p, jobs);
    sched_yield();
  }
  return NULL;
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
            "progress=thread needs MPI_THREAD_MULTIPLE, but the thread level is %s: request it by "
            "MPI_Init_thread()",
            name);
  return OVK_OK;
}

static void stop_thread(ovk__progress *p)
{
  if (!p->threaded || p->end) return;
  pthread_mutex_lock(&p->mutex);
  p->end = true;
  pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->mutex);
  pthread_join(p->thread, NULL);
}

static int attribute_is_deleted(MPI_Comm comm, int key, void *progress, void *unused)
{
  (void)comm;
  (void)key;
  (void)unused;
  stop_thread(progress);
  return MPI_SUCCESS;
}

/* MPI_Finalize() first deletes the attributes of MPI_COMM_SELF; deleting this one ends the thread
 * before MPI is finalized. */
static ovk_err follow_mpi(ovk_ctx *ctx, ovk__progress *p)
{
  OVK_TRY_MPI(ctx,
              MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, attribute_is_deleted, &p->key, NULL));
  OVK_TRY_MPI(ctx, MPI_Comm_set_attr(MPI_COMM_SELF, p->key, p));
  return OVK_OK;
}

static void unfollow_mpi(ovk__progress *p)
{
  if (p->key == MPI_KEYVAL_INVALID || ovk__mpi_is_over()) return;
  MPI_Comm_delete_attr(MPI_COMM_SELF, p->key);
  MPI_Comm_free_keyval(&p->key);
}

static ovk_err start_thread(ovk_ctx *ctx, int core, ovk__progress *p)
{
  thread_start start = {.progress = p, .ctx = ctx, .core = core};
  const int code = ovk__thread_start(&p->thread, run_thread, &start);
  OVK_CHECK(code == 0, ctx, OVK_ERR_MEMORY, "no thread for progress=thread: error %d", code);
  p->threaded = true;
  pthread_mutex_lock(&p->mutex);
  while (!start.done) pthread_cond_wait(&p->news, &p->mutex);
  pthread_mutex_unlock(&p->mutex);
  return start.err;
}

ovk_err ovk__progress_open(const ovk__engine *engine, bool threaded, int core, ovk__progress **out)
{
  ovk_ctx *ctx = engine->ctx;
  OVK_NEW_AT(ctx, *out, ovk__progress, progress);
  progress->ctx = ctx;
  progress->spins = engine->spins;
  progress->key = MPI_KEYVAL_INVALID;
  pthread_mutex_init(&progress->mutex, NULL);
  pthread_cond_init(&progress->work, NULL);
  pthread_cond_init(&progress->news, NULL);
  if (!threaded) return OVK_OK;
  OVK_TRY(check_mpi(ctx));
  OVK_TRY(start_thread(ctx, core, progress));
  return follow_mpi(ctx, progress);
}

void ovk__progress_close(ovk__progress **progress)
{
  ovk__progress *p = *progress;
  if (!p) return;
  stop_thread(p);
  unfollow_mpi(p);
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
  /* Relaxed: only this caller reads the flag at this time; the mutex publishes the job to the
   * thread. */
  atomic_store_explicit(&job->over, false, memory_order_relaxed);
  pthread_mutex_lock(&p->mutex);
  job->next = p->fresh;
  p->fresh = job;
  pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->mutex);
}

/* Whether the thread has ended the job. Pairs with advance_jobs(): then the job belongs to the
 * caller. */
static int test_over(void *self, bool *complete)
{
  const ovk__job *job = self;
  *complete = atomic_load_explicit(&job->over, memory_order_acquire);
  return *complete ? job->code : MPI_SUCCESS;
}

int ovk__progress_test(ovk__progress *progress, ovk__job *job, bool *complete)
{
  return progress->threaded ? test_over(job, complete)
                            : ovk__job_test(progress->ctx, job, complete);
}

/* Polls a few times, for a short reduction. Then the caller sleeps, because the thread may need its
 * processor. */
int ovk__progress_wait(ovk__progress *progress, ovk__job *job)
{
  enum { POLLS = 1000 };
  ovk__progress *p = progress;
  if (!p->threaded) return ovk__job_wait(p->ctx, p->spins, job);
  bool complete = false;
  for (int k = 0; k < POLLS && !complete; k++) {
    (void)test_over(job, &complete);
    if (!complete) sched_yield();
  }
  if (!complete && p->ctx->jobs)
    return ovk__wait(p->ctx, 1, test_over, job); /* other jobs advance only in this call */
  pthread_mutex_lock(&p->mutex);
  while (!atomic_load_explicit(&job->over, memory_order_acquire)) { /* as in test_over() */
    pthread_cond_wait(&p->news, &p->mutex);
  }
  pthread_mutex_unlock(&p->mutex);
  return job->code;
}
