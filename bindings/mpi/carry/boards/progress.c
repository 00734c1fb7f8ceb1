/* SPDX-License-Identifier: BSD-2-Clause */
/* Progress of the operations on all communicators, and waits for one of them. With
 * MPI_THREAD_MULTIPLE, a waiting thread releases the boards between two looks: the operation may
 * need a call of another thread. */
#include "carry/boards/progress.h"
#include "carry/boards/progress_thread.h"
#include "carry/process/process.h"

#include <sched.h>

/* While locked. */
static carry_comm *newest; /* a list of the communicators with boards */
static int in_flight;      /* on all of them */

void carry_progress_enlist(carry_comm *c)
{
  pthread_mutex_init(&c->boards, NULL);
  carry_lock();
  c->next = newest;
  newest = c;
  carry_unlock();
}

carry_comm *carry_progress_unlist(bool any)
{
  carry_lock();
  carry_comm **link = &newest;
  while (*link && !any && !((*link)->freed && (*link)->requests == 0)) link = &(*link)->next;
  carry_comm *c = *link;
  if (c) *link = c->next;
  carry_unlock();
  return c;
}

void carry_comm_count(carry_comm *c, int more, int more_requests)
{
  c->in_flight += more;
  in_flight += more;
  c->requests += more_requests;
}

bool carry_is_in_flight(void)
{
  return in_flight > 0;
}

bool carry_progress(void)
{
  bool late = false;
  for (carry_comm *c = newest; c && in_flight > 0; c = c->next) {
    if (c->in_flight > 0) late = carry_comm_progress(c) || late;
  }
  return late;
}

/* Some MPIs do not look at messages of other ranks for MPI_COMM_SELF. */
void carry_let_others_run(void)
{
  int flag;
  (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  sched_yield();
}

static void progress_all(void *arg)
{
  (void)arg;
  (void)carry_progress();
}

static void wait_alone(ovk_board *board, ovk_board_operation *operation)
{
  static const ovk_poll idle = {.progress = progress_all, .every = 1};
  carry_lock();
  (void)ovk_board_wait(board, operation, &idle);
  carry_unlock();
}

/* Other communicators need no help: the progress thread runs while this rank is late. */
static void wait_among_threads(carry_comm *c, ovk_board *board,
                               const ovk_board_operation *operation)
{
  enum { LOOKS = 100 };
  for (unsigned k = 1; !carry_comm_look(c, board, operation); k++) {
    if (k % LOOKS == 0) carry_let_others_run();
  }
}

void carry_comm_wait(carry_comm *c, ovk_board *board, ovk_board_operation *operation)
{
  if (carry_is_threaded()) {
    wait_among_threads(c, board, operation);
  } else {
    wait_alone(board, operation);
  }
}
