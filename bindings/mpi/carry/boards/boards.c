/* SPDX-License-Identifier: BSD-2-Clause */
/* The boards of one communicator. With MPI_THREAD_MULTIPLE each communicator has a mutex for its
 * boards; otherwise carry_lock() protects them. */
#include "carry/boards/boards.h"
#include "carry/boards/progress_thread.h"
#include "carry/process/process.h"
#include "comm/engine/board/board.h"

bool carry_comm_agree(const carry_comm *c, bool here)
{
  const carry_nodes *nodes = c->team->nodes;
  return carry_nodes_agree(nodes ? nodes->all : ovk_ctx_comm(c->team->ctx), here);
}

ovk_err carry_comm_board(carry_comm *c, int places, size_t bytes, ovk_board **out)
{
  const carry_nodes *nodes = c->team->nodes;
  carry_enter();
  ovk_err err = ovk_board_create(c->team->ctx, places, bytes, out);
  if (nodes && !carry_nodes_agree(nodes->all, !err)) {
    ovk_board_destroy(out);
    err = OVK_ERR_MEMORY;
  }
  if (nodes && !err) ovk__board_elect(*out);
  carry_leave();
  return err;
}

bool carry_comm_connect(carry_comm *c, size_t bytes)
{
  const carry_nodes *nodes = c->team->nodes;
  if (!nodes) return true;
  carry_exchange *made = carry_exchange_new(c->team->ctx, nodes, bytes);
  const bool all = carry_nodes_agree(nodes->all, made != NULL);
  if (all) carry_exchange_free(&c->exchange);
  if (all) c->exchange = made;
  if (!all) carry_exchange_free(&made);
  return all;
}

void carry_comm_enlarge(carry_comm *c)
{
  enum { PLACES = 4 };
  if (!carry_comm_connect(c, (size_t)c->most) ||
      carry_comm_board(c, PLACES, (size_t)c->most, &c->large)) {
    c->most = CARRY_SMALL;
  }
}

void carry_comm_close(carry_comm *c)
{
  carry_exchange_free(&c->exchange);
  ovk_board_destroy(&c->small);
  ovk_board_destroy(&c->large);
  while (c->nkept > 0) ovk_board_destroy(&c->kept[--c->nkept].board);
}

static void boards_lock(carry_comm *c)
{
  if (carry_is_threaded()) pthread_mutex_lock(&c->boards);
}

static void boards_unlock(carry_comm *c)
{
  if (carry_is_threaded()) pthread_mutex_unlock(&c->boards);
}

/* For a thread that has not called carry_lock(). */
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
  bool late = board_progress(c->small);
  for (int k = 0; k < c->nkept; k++) late = board_progress(c->kept[k].board) || late;
  boards_unlock(c);
  return late;
}

void carry_comm_elect(carry_comm *c, ovk_board *board)
{
  boards_lock(c);
  (void)ovk__board_advance(board);
  boards_unlock(c);
}

bool carry_comm_has_completed(carry_comm *c, const ovk_board_operation *operation)
{
  boards_lock(c);
  const bool complete = operation->complete;
  boards_unlock(c);
  return complete;
}

ovk_err carry_comm_begin(carry_comm *c, ovk_board *board, ovk_board_operation *operation,
                         bool *late)
{
  boards_hold(c);
  const ovk_err err = ovk_board_begin(board, operation);
  *late = ovk_board_is_behind(board);
  boards_release(c);
  return err;
}

bool carry_comm_look(carry_comm *c, ovk_board *board, const ovk_board_operation *operation)
{
  boards_hold(c);
  (void)ovk_board_progress(board);
  const bool complete = operation->complete;
  boards_release(c);
  return complete;
}
