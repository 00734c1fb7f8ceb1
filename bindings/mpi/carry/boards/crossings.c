/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking operations of ranks on several nodes. With MPI_THREAD_MULTIPLE a mutex protects their
 * list and messages, also while the MPI is called: no callback of the MPI takes it, and no thread
 * takes it while it has another lock. */
#include "carry/boards/crossings.h"
#include "carry/boards/progress.h"
#include "carry/boards/progress_thread.h"
#include "carry/process/process.h"

#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static carry_request *newest; /* a list; with the mutex */
static carry_number unfinished;

static void crossings_lock(void)
{
  if (carry_is_threaded()) pthread_mutex_lock(&mutex);
}

static void crossings_unlock(void)
{
  if (carry_is_threaded()) pthread_mutex_unlock(&mutex);
}

ovk_err carry_crossings_begin(carry_request *r, bool *late)
{
  ovk_err err = OVK_OK;
  *late = false;
  r->crossed = false;
  crossings_lock();
  carry_crossing_open(r->crossing);
  if (!r->operation.complete) err = carry_comm_begin(r->on, r->board, &r->operation, late);
  r->next_crossing = newest;
  newest = r;
  carry_number_add(&unfinished, 1);
  crossings_unlock();
  carry_crossings_advance();
  return err;
}

/* First all boards: whoever is elected sends now. */
static void advance_boards(void)
{
  const ovk_board *last = NULL;
  carry_lock();
  for (const carry_request *r = newest; r; r = r->next_crossing) {
    if (r->board != last) carry_comm_elect(r->on, r->board);
    last = r->board;
  }
  carry_unlock();
}

static bool is_complete_inside(carry_request *r)
{
  carry_lock();
  const bool complete = carry_comm_has_completed(r->on, &r->operation);
  carry_unlock();
  return complete;
}

/* Returns whether the operation has ended. */
static bool advance_crossing(carry_request *r)
{
  const bool complete = is_complete_inside(r);
  carry_crossing_send(r->crossing, &r->operation, complete);
  if (!carry_crossing_has_arrived(r->crossing) || !complete) return false;
  const ovk_err err = carry_crossing_finish(r->crossing, &r->operation);
  carry_lock();
  r->operation.error = err;
  r->crossed = true;
  carry_unlock();
  return true;
}

void carry_crossings_advance(void)
{
  if (carry_number_is_zero(&unfinished)) return;
  crossings_lock();
  advance_boards();
  for (carry_request **link = &newest; *link;) {
    carry_request *r = *link, *next = r->next_crossing;
    if (advance_crossing(r)) {
      *link = next; /* another thread may use the request from now on */
      carry_number_add(&unfinished, -1);
    } else {
      link = &r->next_crossing;
    }
  }
  crossings_unlock();
}

static bool has_crossed(const carry_request *r)
{
  carry_lock();
  const bool crossed = r->crossed;
  carry_unlock();
  return crossed;
}

/* Once all messages of this rank have arrived, an advance does not call the progress of the MPI,
 * but other ranks may need it before they begin. */
void carry_crossings_wait(const carry_request *r)
{
  enum { LOOKS = 16 };
  for (unsigned k = 1; !has_crossed(r); k++) {
    carry_crossings_advance();
    if (has_crossed(r)) return;
    if (k % LOOKS == 0) {
      carry_let_others_run();
    } else {
      sched_yield();
    }
  }
}
