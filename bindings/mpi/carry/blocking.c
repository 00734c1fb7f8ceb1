/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking reductions: each decides, and carries the operation or hands it back. */
#include "carry/blocking.h"
#include "carry/boards/errors.h"
#include "carry/boards/progress.h"

/* Waits also if the arguments are wrong: the operation may still be in the queue of the board. */
int carry_run(carry_plan *p)
{
  bool late;
  ovk_board *board = p->bytes <= CARRY_SMALL ? p->on->small : p->on->large;
  (void)carry_comm_begin(p->on, board, &p->operation, &late);
  carry_comm_wait(p->on, board, &p->operation);
  const int code = carry_operation_code(p->on, &p->operation);
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
