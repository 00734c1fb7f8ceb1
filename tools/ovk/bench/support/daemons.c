/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise: a daemon on each core that ranks may run on. */
#define _GNU_SOURCE /* sched_getaffinity, pthread_attr_setaffinity_np */
#include "bench/support/daemons.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct daemon_thread {
  struct daemons *all;
  int core;
  pthread_t thread;
  double used; /* CPU seconds, set when it has ended */
} daemon_thread;

struct daemons {
  ovk_ctx *ctx;
  double duration, period; /* seconds */
  double started;
  atomic_bool end;
  int ncores, nrunning;
  daemon_thread threads[CPU_SETSIZE];
};

static double now(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double when)
{
  const double seconds = floor(when);
  const struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (when - seconds))};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) continue;
}

/* Multiplies matrices until this thread has used its core for `seconds`. BLAS is not used, as it
 * may start threads on other cores. */
static void make_noise(double seconds)
{
  enum { N = 8 };            /* about a microsecond a product */
  volatile double place = 1; /* or the compiler would drop the products */
  double a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N * N; i++) a[i / N][i % N] = b[i / N][i % N] = place;
  const double until = now(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (now(CLOCK_THREAD_CPUTIME_ID) < until) {
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        c[i][j] = 0;
        for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
      }
    }
    place = c[N - 1][N - 1];
    a[0][0] = 1 / place; /* makes each product depend on the one before */
  }
}

static void *run_daemon(void *arg)
{
  static const double golden = 0.6180339887498949; /* its multiples modulo 1 are evenly spread */
  daemon_thread *d = arg;
  const struct daemons *all = d->all;
  double next = now(CLOCK_MONOTONIC) + all->period * fmod(golden * (1 + d->core), 1);
  for (;;) {
    sleep_until(next);
    if (atomic_load(&all->end)) break;
    make_noise(all->duration);
    next = fmax(next + all->period, now(CLOCK_MONOTONIC)); /* missed periods are not made up for */
  }
  d->used = now(CLOCK_THREAD_CPUTIME_ID);
  return NULL;
}

/* A core belongs to the lowest rank of its node that may run on it. */
static ovk_err claim_cores(daemons *d, MPI_Comm node)
{
  cpu_set_t mine;
  int owner[CPU_SETSIZE], me = 0;
  double unknown = sched_getaffinity(0, sizeof mine, &mine) != 0;
  TRY(tool_mpi(d->ctx, MPI_Comm_rank(node, &me), "MPI_Comm_rank"));
  for (int core = 0; core < CPU_SETSIZE; core++)
    owner[core] = unknown == 0 && CPU_ISSET((size_t)core, &mine) ? me : INT_MAX;
  TRY(tool_mpi(d->ctx, MPI_Allreduce(MPI_IN_PLACE, owner, CPU_SETSIZE, MPI_INT, MPI_MIN, node),
               "MPI_Allreduce"));
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (owner[core] == me) d->threads[d->ncores++] = (daemon_thread){.all = d, .core = core};
  TRY(tool_greatest(d->ctx, &unknown, 1));
  if (unknown == 0) return OVK_OK;
  return ovk_ctx_fail(d->ctx, OVK_ERR_UNSUPPORTED,
                      "the system does not report on which cores ranks run");
}

static ovk_err find_cores(daemons *d)
{
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_FUNNELED) {
    return ovk_ctx_fail(d->ctx, OVK_ERR_UNSUPPORTED, "this MPI allows no threads");
  }
  MPI_Comm node;
  TRY(tool_mpi(d->ctx,
               MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
               "MPI_Comm_split_type"));
  const ovk_err err = claim_cores(d, node);
  MPI_Comm_free(&node);
  return err;
}

ovk_err daemons_create(ovk_ctx *ctx, daemons **out)
{
  *out = calloc(1, sizeof **out);
  TRY(tool_got_memory(ctx, *out != NULL));
  (*out)->ctx = ctx;
  return find_cores(*out);
}

static int start_one(daemon_thread *d)
{
  pthread_attr_t attributes;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET((size_t)d->core, &core);
  int code = pthread_attr_init(&attributes);
  if (code) return code;
  code = pthread_attr_setaffinity_np(&attributes, sizeof core, &core);
  if (!code) code = pthread_create(&d->thread, &attributes, run_daemon, d);
  pthread_attr_destroy(&attributes);
  return code;
}

/* Signals are left to the main thread. */
static int start_all(daemons *d)
{
  int code = 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (d->nrunning < d->ncores && !code) {
    code = start_one(&d->threads[d->nrunning]);
    if (!code) d->nrunning++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

/* CPU seconds used by all daemons of this rank. */
static double join_all(daemons *d)
{
  double used = 0;
  atomic_store(&d->end, true);
  for (; d->nrunning > 0; d->nrunning--) {
    pthread_join(d->threads[d->nrunning - 1].thread, NULL);
    used += d->threads[d->nrunning - 1].used;
  }
  return used;
}

ovk_err daemons_start(daemons *d, int microseconds, int hertz)
{
  d->duration = 1e-6 * microseconds;
  d->period = 1.0 / hertz;
  d->started = now(CLOCK_MONOTONIC);
  atomic_store(&d->end, false);
  double code = start_all(d);
  TRY(tool_greatest(d->ctx, &code, 1));
  if (code == 0) return OVK_OK;
  join_all(d);
  return ovk_ctx_fail(d->ctx, OVK_ERR_UNSUPPORTED, "no thread for each core: %s",
                      strerror((int)code));
}

ovk_err daemons_stop(daemons *d, double *share)
{
  const double passed = now(CLOCK_MONOTONIC) - d->started;
  const int n = d->nrunning;
  double time[2] = {join_all(d), n * passed};
  TRY(tool_mpi(d->ctx, MPI_Allreduce(MPI_IN_PLACE, time, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  *share = time[0] / time[1];
  return OVK_OK;
}

void daemons_destroy(daemons **d)
{
  if (!*d) return;
  join_all(*d);
  free(*d);
  *d = NULL;
}
