/* SPDX-License-Identifier: BSD-2-Clause */
/* Long blocks of calls that are carried with any length: messages of the MPI, on the communicator
 * of the team, whose blocking calls are in one order on all ranks. */
#include "carry/parts/moving.h"

int carry_begin_messages(const carry_moving *v, MPI_Request *requests, int *code)
{
  enum { TAG = 1 };
  const carry_move *m = v->move;
  const MPI_Comm comm = ovk_ctx_comm(m->plan->on->team->ctx);
  int n = 0;
  for (int rank = m->first; rank < m->end && !*code; rank++) {
    if (!carry_is_message(v, &v->in[rank], rank)) continue;
    *code = PMPI_Irecv(carry_blocks_at(&m->receive, rank), carry_blocks_count(&m->receive, rank),
                       carry_blocks_type(&m->receive, rank), rank, TAG, comm, &requests[n]);
    if (!*code) n++;
  }
  for (int k = 0; k < m->nsend && !*code; k++) {
    if (!carry_is_message(v, &v->out[k], carry_goes_to(v, k))) continue;
    *code =
        PMPI_Isend(carry_blocks_at(&m->send, k), carry_blocks_count(&m->send, k),
                   carry_blocks_type(&m->send, k), carry_goes_to(v, k), TAG, comm, &requests[n]);
    if (!*code) n++;
  }
  return n;
}

int carry_count_messages(const carry_moving *v)
{
  const carry_move *m = v->move;
  int n = 0;
  for (int rank = m->first; rank < m->end; rank++) n += carry_is_message(v, &v->in[rank], rank);
  for (int k = 0; k < m->nsend; k++) n += carry_is_message(v, &v->out[k], carry_goes_to(v, k));
  return n;
}
