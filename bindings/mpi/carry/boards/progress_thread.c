/* SPDX-License-Identifier: BSD-2-Clause */
/* A progress thread for a rank that is late: operations that it has begun have no place on their
 * board yet. Meanwhile the rank may be in a call of the MPI that waits for ranks which need these
 * operations. The thread runs until all are posted. It makes no MPI call. */
#include "carry/boards/progress_thread.h"
#include "carry/process/process.h"
#include "core/base/thread.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static bool runs; /* under the mutex where several threads of the program may be in here */
static bool done; /* under the mutex */
static bool (*work)(void);

static void *progress_thread(void *arg)
{
  enum { FIRST_NAP = 20000, LONGEST_NAP = 1280000 }; /* nanoseconds */
  bool more = true;
  for (long nap = FIRST_NAP; more; nap = nap < LONGEST_NAP ? 2 * nap : nap) {
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    pthread_mutex_lock(&mutex);
    more = !done && work();
    done = !more;
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

void carry_lock(void)
{
  if (carry_is_threaded() || runs) pthread_mutex_lock(&mutex);
}

void carry_unlock(void)
{
  if (!carry_is_threaded() && !runs) return;
  const bool over = runs && done;
  const pthread_t ended = thread;
  if (over) runs = false;
  pthread_mutex_unlock(&mutex);
  if (over) pthread_join(ended, NULL);
}

/* Once: each later begin of a rank that is late tries again. */
static void report_no_thread(int error)
{
  static bool reported;
  if (reported) return;
  reported = true;
  fprintf(stderr,
          "libovk_mpi: cannot start a thread (%s): while a rank is more than 128 operations ahead, "
          "others may wait until it calls MPI again\n",
          strerror(error));
}

void carry_progress_thread_start(bool (*progress)(void))
{
  if (runs && !done) return;
  if (runs) {
    pthread_join(thread, NULL); /* it has unlocked the mutex for the last time */
  } else if (!carry_is_threaded()) {
    pthread_mutex_lock(&mutex); /* the carry_unlock() of the caller finds it locked */
  }
  done = false;
  work = progress;
  const int error = ovk__thread_start(&thread, progress_thread, NULL);
  runs = !error;
  if (error) report_no_thread(error);
  if (error && !carry_is_threaded()) pthread_mutex_unlock(&mutex);
}

void carry_progress_thread_end(void)
{
  if (!runs) return;
  pthread_mutex_lock(&mutex);
  done = true;
  carry_unlock();
}
