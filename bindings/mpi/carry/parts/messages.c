/* SPDX-License-Identifier: BSD-2-Clause */
/* Long blocks of calls that are carried with any length: messages of the MPI, on the communicator
 * of the team, whose blocking calls are in one order on all ranks. Each call has a separate tag, as
 * a message of a call that has failed may never be received. */
#include "carry/parts/moving.h"

static MPI_Comm comm_of(const carry_moving *v)
{
  return ovk_ctx_comm(v->move->plan->on->team->ctx);
}

static int tag_of(const carry_moving *v)
{
  return v->move->plan->on->team->moves;
}

int carry_send_messages(const carry_moving *v, MPI_Request *requests, int *code)
{
  const carry_move *m = v->move;
  int n = 0;
  for (int k = 0; k < m->nsend && !*code; k++) {
    if (!carry_is_message(v, &v->out[k], carry_goes_to(v, k))) continue;
    *code = PMPI_Isend(carry_blocks_at(&m->send, k), carry_blocks_count(&m->send, k),
                       carry_blocks_type(&m->send, k), carry_goes_to(v, k), tag_of(v), comm_of(v),
                       &requests[n]);
    if (!*code) n++;
  }
  return n;
}

/* If the message is longer, MPICH calls the handler of the communicator here, but that of
 * MPI_COMM_WORLD where a request completes. */
static bool receive_message(const carry_moving *v, int rank)
{
  const carry_blocks *b = &v->move->receive;
  const int expected = carry_blocks_count(b, rank);
  const MPI_Datatype type = carry_blocks_type(b, rank);
  MPI_Status status;
  int items = -1;
  return !PMPI_Recv(carry_blocks_at(b, rank), expected, type, rank, tag_of(v), comm_of(v),
                    &status) &&
         !PMPI_Get_count(&status, type, &items) && items == expected;
}

bool carry_receive_messages(const carry_moving *v)
{
  bool same = true;
  for (int rank = v->move->first; rank < v->move->end; rank++) {
    if (carry_is_message(v, &v->in[rank], rank)) same = receive_message(v, rank) && same;
  }
  return same;
}
