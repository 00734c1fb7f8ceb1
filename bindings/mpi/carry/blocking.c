/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking reductions: each decides, and carries the operation or hands it back. */
#include "carry/blocking.h"
#include "carry/boards/errors.h"
#include "carry/boards/progress.h"
#include "carry/over_nodes.h"

/* Waits also if the arguments are wrong: the operation may still be in the queue of the board. */
static int run_on_board(carry_plan *p, ovk_board *board)
{
  bool late;
  (void)carry_comm_begin(p->on, board, &p->operation, &late);
  carry_comm_wait(p->on, board, &p->operation);
  return carry_operation_code(p->on, &p->operation);
}

/* Where no item travels, no rank waits. */
static int run_empty(const carry_plan *p)
{
  const ovk_board_operation *o = &p->operation;
  const bool valid = o->root >= 0 && o->root < p->on->ranks;
  return valid ? MPI_SUCCESS : carry_report(p->on->comm, MPI_ERR_ROOT);
}

int carry_run(carry_plan *p)
{
  if (p->bytes == 0 && p->operation.kind != OVK_BOARD_BARRIER) return run_empty(p);
  ovk_board *board = p->bytes <= CARRY_SMALL ? p->on->small : p->on->large;
  const int code =
      p->on->exchange ? carry_run_over_nodes(p->on, board, &p->operation) : run_on_board(p, board);
  if (code && p->failed) return p->failed;
  return code ? carry_report(p->on->comm, code) : MPI_SUCCESS;
}

int carry_run_allreduce(carry_plan *p, const void *send, void *receive, int count,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  carry_allreduce(p, send, receive, count, type, op);
  carry_decide(p, comm, CARRY_BLOCKS);
  return p->reason == CARRY_CARRIED ? carry_run(p)
                                    : PMPI_Allreduce(send, receive, count, type, op, comm);
}

int carry_run_reduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                     MPI_Op op, int root, MPI_Comm comm)
{
  carry_reduce(p, send, receive, count, type, op, root);
  carry_decide(p, comm, CARRY_BLOCKS);
  return p->reason == CARRY_CARRIED ? carry_run(p)
                                    : PMPI_Reduce(send, receive, count, type, op, root, comm);
}
