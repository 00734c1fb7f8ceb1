/* SPDX-License-Identifier: BSD-2-Clause */
/* Which requests are all-reduces, and when they may complete. There are few at a time, so a list
 * suffices. */
#include "delay.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  MPI_Request request;
  int64_t due; /* 0: persistent and not started */
  bool persistent;
} entry;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects all but the two counters */
static entry *entries;                                    /* the oldest first */
static int used, room;
static atomic_int in_flight, persistent; /* written under the mutex, read without */

/* Without memory for its entry an all-reduce is not delayed. */
static void append(entry added)
{
  if (used == room) {
    const int more = 2 * room + 16;
    entry *grown = realloc(entries, (size_t)more * sizeof *entries);
    if (!grown) return;
    entries = grown;
    room = more;
  }
  entries[used++] = added;
  atomic_fetch_add(added.persistent ? &persistent : &in_flight, 1);
}

static void add(entry added)
{
  pthread_mutex_lock(&mutex);
  append(added);
  pthread_mutex_unlock(&mutex);
}

static void drop(entry *e)
{
  memmove(e, e + 1, (size_t)(entries + --used - e) * sizeof *e);
}

/* The oldest. An MPI may return one handle for several requests that complete at once; they cannot
 * be told apart, so each waits for the latest of them. */
static entry *find(MPI_Request request, bool only_in_flight)
{
  for (entry *e = entries; e < entries + used; e++) {
    if (e->request == request && (e->due || !only_in_flight)) return e;
  }
  return NULL;
}

void delay_add(MPI_Request request, int64_t due)
{
  if (due && request != MPI_REQUEST_NULL) add((entry){request, due, false});
}

void delay_add_persistent(MPI_Request request)
{
  if (delay_due()) add((entry){request, 0, true});
}

void delay_start(MPI_Request request)
{
  if (!atomic_load(&persistent)) return;
  pthread_mutex_lock(&mutex);
  entry *e = find(request, false);
  if (e && e->persistent) {
    if (!e->due) atomic_fetch_add(&in_flight, 1);
    e->due = delay_due();
  }
  pthread_mutex_unlock(&mutex);
}

void delay_forget(MPI_Request request)
{
  if (!atomic_load(&persistent)) return;
  pthread_mutex_lock(&mutex);
  entry *e = find(request, false);
  if (e && e->persistent) {
    if (e->due) atomic_fetch_sub(&in_flight, 1);
    atomic_fetch_sub(&persistent, 1);
    drop(e);
  }
  pthread_mutex_unlock(&mutex);
}

static bool any(void)
{
  return atomic_load(&in_flight) > 0;
}

static int64_t latest_of(const entry *oldest)
{
  int64_t latest = oldest->due;
  for (const entry *e = oldest + 1; e < entries + used; e++) {
    if (e->request == oldest->request && e->due > latest) latest = e->due;
  }
  return latest;
}

static void end(entry *e)
{
  e->due = 0;
  atomic_fetch_sub(&in_flight, 1);
  if (!e->persistent) drop(e);
}

/* The latest time of n requests; with `taken` they then count as complete. */
static int64_t look_up(int n, const MPI_Request *requests, bool taken)
{
  int64_t latest = 0;
  if (!any()) return 0;
  pthread_mutex_lock(&mutex);
  for (int k = 0; k < n; k++) {
    entry *e = requests[k] == MPI_REQUEST_NULL ? NULL : find(requests[k], true);
    if (!e) continue;
    const int64_t due = latest_of(e);
    if (due > latest) latest = due;
    if (taken) end(e);
  }
  pthread_mutex_unlock(&mutex);
  return latest;
}

int64_t delay_find(MPI_Request request)
{
  return look_up(1, &request, false);
}

int64_t delay_take(MPI_Request request)
{
  return look_up(1, &request, true);
}

int64_t delay_find_all(int n, const MPI_Request *requests)
{
  return look_up(n, requests, false);
}

int64_t delay_take_all(int n, const MPI_Request *requests)
{
  return look_up(n, requests, true);
}

bool delay_is_over(int n, const MPI_Request *requests)
{
  const int64_t due = delay_find_all(n, requests);
  if (due && delay_now() < due) {
    delay_progress_mpi();
    return false;
  }
  if (due) (void)delay_take_all(n, requests);
  return true;
}
