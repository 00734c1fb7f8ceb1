/* SPDX-License-Identifier: BSD-2-Clause */
/* Which requests are all-reduces, and when they may complete. There are few at a time, so a list
 * suffices. */
#include "delay.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct delayed {
  MPI_Request request;
  bool persistent;
  int64_t due; /* when it may complete; 0: persistent and not started */
} delayed;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects all but the two counters */
static delayed *table;                                    /* the oldest first */
static int used, room;
static atomic_int in_flight, persistent; /* written under the mutex, read without */

/* Makes room for one more; false without memory. */
static bool table_reserve(void)
{
  if (used < room) return true;
  const int more = 2 * room + 16;
  delayed *grown = realloc(table, (size_t)more * sizeof *grown);
  if (!grown) return false;
  table = grown;
  room = more;
  return true;
}

/* The oldest entry of this request after the entry `after`, which may be NULL; NULL: none. An MPI
 * may return one handle for several requests that complete at once. */
static delayed *table_find(MPI_Request request, const delayed *after)
{
  for (int k = after ? (int)(after - table) + 1 : 0; k < used; k++) {
    if (table[k].request == request) return &table[k];
  }
  return NULL;
}

static void table_remove(delayed *e)
{
  const delayed *last = table + --used;
  memmove(e, e + 1, (size_t)(last - e) * sizeof *e);
}

/* Without memory for its entry an all-reduce is not delayed. */
static void add(delayed added)
{
  pthread_mutex_lock(&mutex);
  if (table_reserve()) {
    table[used++] = added;
    atomic_fetch_add(added.persistent ? &persistent : &in_flight, 1);
  }
  pthread_mutex_unlock(&mutex);
}

/* If several requests have one handle, each waits for the latest, as they cannot be distinguished.
 * */
static delayed *find(MPI_Request request, bool only_in_flight)
{
  delayed *e = table_find(request, NULL);
  while (e && only_in_flight && !e->due) e = table_find(request, e);
  return e;
}

void delay_add(MPI_Request request, int64_t due)
{
  if (due && request != MPI_REQUEST_NULL) add((delayed){.request = request, .due = due});
}

void delay_add_persistent(MPI_Request request)
{
  if (delay_due()) add((delayed){.request = request, .persistent = true});
}

void delay_start(MPI_Request request)
{
  if (!atomic_load(&persistent)) return;
  pthread_mutex_lock(&mutex);
  delayed *e = find(request, false);
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
  delayed *e = find(request, false);
  if (e && e->persistent) {
    if (e->due) atomic_fetch_sub(&in_flight, 1);
    atomic_fetch_sub(&persistent, 1);
    table_remove(e);
  }
  pthread_mutex_unlock(&mutex);
}

static bool any(void)
{
  return atomic_load(&in_flight) > 0;
}

static int64_t latest_of(const delayed *oldest)
{
  int64_t latest = oldest->due;
  for (const delayed *e = oldest; e; e = table_find(e->request, e)) {
    if (e->due > latest) latest = e->due;
  }
  return latest;
}

static void end(delayed *e)
{
  e->due = 0;
  atomic_fetch_sub(&in_flight, 1);
  if (!e->persistent) table_remove(e);
}

/* The latest time of n requests; with `taken` they then count as complete. */
static int64_t look_up(int n, const MPI_Request *requests, bool taken)
{
  int64_t latest = 0;
  if (!any()) return 0;
  pthread_mutex_lock(&mutex);
  for (int k = 0; k < n; k++) {
    delayed *e = requests[k] == MPI_REQUEST_NULL ? NULL : find(requests[k], true);
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
