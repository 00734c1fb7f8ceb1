/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations on the boards of one communicator. With MPI_THREAD_MULTIPLE, a thread that waits gives
 * the boards up between two looks: what it waits for may need a call of another thread. */
#include "carry.h"

#include <ovkrylov/comm/board.h>
#include <sched.h>

static void boards_lock(carry_comm *c)
{
  if (carry_is_threaded()) pthread_mutex_lock(&c->boards);
}

static void boards_unlock(carry_comm *c)
{
  if (carry_is_threaded()) pthread_mutex_unlock(&c->boards);
}

/* Whoever has not locked all. */
static void boards_hold(carry_comm *c)
{
  carry_is_threaded() ? boards_lock(c) : carry_lock();
}

static void boards_release(carry_comm *c)
{
  carry_is_threaded() ? boards_unlock(c) : carry_unlock();
}

static bool board_progress(ovk_board *board)
{
  (void)ovk_board_progress(board);
  return ovk_board_is_behind(board);
}

bool carry_comm_progress(carry_comm *c)
{
  boards_lock(c);
  bool behind = board_progress(c->small);
  for (int k = 0; k < c->nkept; k++) behind = board_progress(c->kept[k].board) || behind;
  boards_unlock(c);
  return behind;
}

bool carry_comm_has_completed(carry_comm *c, const ovk_board_operation *operation)
{
  boards_lock(c);
  const bool complete = operation->complete;
  boards_unlock(c);
  return complete;
}

ovk_err carry_comm_begin(carry_comm *c, ovk_board *board, ovk_board_operation *operation,
                         bool *behind)
{
  boards_hold(c);
  const ovk_err err = ovk_board_begin(board, operation);
  *behind = ovk_board_is_behind(board);
  boards_release(c);
  return err;
}

/* For MPI_COMM_SELF some MPIs look at no message of other ranks. */
void carry_let_others_run(void)
{
  int flag;
  (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  sched_yield();
}

static void progress(void *arg)
{
  (void)arg;
  (void)carry_progress();
}

static void wait_alone(ovk_board *board, ovk_board_operation *operation)
{
  static const ovk_poll idle = {.progress = progress, .every = 1};
  carry_lock();
  (void)ovk_board_wait(board, operation, &idle);
  carry_unlock();
}

/* Other communicators need no help: the progress thread is there where this rank is behind. */
static void wait_among_threads(carry_comm *c, ovk_board *board,
                               const ovk_board_operation *operation)
{
  enum { LOOKS = 100 };
  for (unsigned k = 1;; k++) {
    boards_lock(c);
    (void)ovk_board_progress(board);
    const bool complete = operation->complete;
    boards_unlock(c);
    if (complete) return;
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
