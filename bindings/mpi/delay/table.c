/* SPDX-License-Identifier: BSD-2-Clause */
/* Which requests are all-reduces, and when they may complete. */
#include "requests/table.h"
#include "delay.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects all but the two counters */
static request_table table;
static atomic_int in_flight, persistent; /* written under the mutex, read without */

/* Without memory for its entry an all-reduce is not delayed. */
static void add(request_entry added)
{
  pthread_mutex_lock(&mutex);
  if (request_table_reserve(&table)) {
    request_table_add(&table, added);
    atomic_fetch_add(added.persistent ? &persistent : &in_flight, 1);
  }
  pthread_mutex_unlock(&mutex);
}

/* If several requests have one handle, each waits for the latest, as they cannot be distinguished.
 * */
static request_entry *find(MPI_Request request, bool only_in_flight)
{
  request_entry *e = request_table_find(&table, request, NULL);
  while (e && only_in_flight && !e->due) e = request_table_find(&table, request, e);
  return e;
}

void delay_add(MPI_Request request, int64_t due)
{
  if (due && request != MPI_REQUEST_NULL) add((request_entry){.request = request, .due = due});
}

void delay_add_persistent(MPI_Request request)
{
  if (delay_due()) add((request_entry){.request = request, .persistent = true});
}

void delay_start(MPI_Request request)
{
  if (!atomic_load(&persistent)) return;
  pthread_mutex_lock(&mutex);
  request_entry *e = find(request, false);
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
  request_entry *e = find(request, false);
  if (e && e->persistent) {
    if (e->due) atomic_fetch_sub(&in_flight, 1);
    atomic_fetch_sub(&persistent, 1);
    request_table_remove(&table, e);
  }
  pthread_mutex_unlock(&mutex);
}

static bool any(void)
{
  return atomic_load(&in_flight) > 0;
}

static int64_t latest_of(const request_entry *oldest)
{
  int64_t latest = oldest->due;
  for (const request_entry *e = oldest; e; e = request_table_find(&table, e->request, e)) {
    if (e->due > latest) latest = e->due;
  }
  return latest;
}

static void end(request_entry *e)
{
  e->due = 0;
  atomic_fetch_sub(&in_flight, 1);
  if (!e->persistent) request_table_remove(&table, e);
}

/* The latest time of n requests; with `taken` they then count as complete. */
static int64_t look_up(int n, const MPI_Request *requests, bool taken)
{
  int64_t latest = 0;
  if (!any()) return 0;
  pthread_mutex_lock(&mutex);
  for (int k = 0; k < n; k++) {
    request_entry *e = requests[k] == MPI_REQUEST_NULL ? NULL : find(requests[k], true);
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
