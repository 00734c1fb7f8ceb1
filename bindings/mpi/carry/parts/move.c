/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that move items: the decision, then their parts on a board and messages for long blocks. */
#include "carry/parts/move.h"
#include "carry/blocking.h"
#include "carry/boards/errors.h"
#include "carry/parts/moving.h"

#include <stdlib.h>

bool carry_move_opens(carry_move *m, MPI_Comm comm)
{
  carry_parts(m->plan, NULL, 0, 0);
  carry_find(m->plan, comm, CARRY_BLOCKS);
  if (m->plan->reason != CARRY_CARRIED) return false;
  carry_team *t = m->plan->on->team;
  t->moves = t->moves < t->most_tag ? t->moves + 1 : 0;
  return true;
}

/* Of blocks that all ranks know, the bytes of the longest one. */
static int64_t longest_block(const carry_moving *v)
{
  const carry_move *m = v->move;
  int64_t bytes = 0;
  for (int k = 0; k < m->nsend; k++) {
    if (v->out[k].bytes > bytes) bytes = v->out[k].bytes;
  }
  for (int rank = m->first; rank < m->end; rank++) {
    if (v->in[rank].bytes > bytes) bytes = v->in[rank].bytes;
  }
  return bytes;
}

/* Bytes on the board; more than CARRY_MOST are too many for any board. */
static int part_bytes(const carry_moving *v)
{
  int64_t bytes = 0;
  for (int k = 0; k < v->move->nsend; k++) bytes += carry_posted_bytes(v, k);
  if (v->lists && v->move->nsend > 0) bytes = carry_listed_bytes(v, bytes);
  return bytes > CARRY_MOST ? -1 : (int)bytes;
}

static int run_board(carry_moving *v, bool able)
{
  carry_plan *p = v->move->plan;
  const ovk_board_parts parts = {.first = able ? v->move->first : -1,
                                 .end = v->move->end,
                                 .number = (int)v->move->call,
                                 .self = v,
                                 .put = carry_put_pieces,
                                 .take = carry_take_piece};
  p->operation.parts = &parts;
  p->operation.root = v->move->root;
  p->operation.count = part_bytes(v);
  return carry_run(p);
}

/* A rank that cannot pack its blocks sends and receives its messages, as others wait for them. */
static int run_moving(carry_moving *v)
{
  const carry_plan *p = v->move->plan;
  const bool has_root = v->move->root >= 0 && v->move->root < v->ranks;
  const bool able = has_root && carry_pack_pieces(v);
  int at_messages = MPI_SUCCESS;
  const int begun = has_root ? carry_send_messages(v, v->requests, &at_messages) : 0;
  int code = run_board(v, able);
  if (has_root && !carry_receive_messages(v)) at_messages = MPI_ERR_ARG;
  if (PMPI_Waitall(begun, v->requests, MPI_STATUSES_IGNORE)) at_messages = MPI_ERR_ARG;
  if (!code && at_messages) code = carry_report(p->on->comm, at_messages);
  if (!code) code = carry_unpack_pieces(v);
  free(v->packed);
  return code;
}

/* Longer blocks are faster as messages, which ranks read from each other's memory:
 * docs/comm/drop-in.md. Where ranks do not know all blocks, the board is that for long parts. */
static void decide_moving(carry_moving *v)
{
  enum { BLOCKS = 16 };
  carry_plan *p = v->move->plan;
  const bool known = v->move->known, valid = carry_find_pieces(v);
  const int64_t longest = p->on->most / BLOCKS,
                room = p->on->most / v->ranks - (int64_t)sizeof(int32_t);
  const int64_t bytes = known ? longest_block(v) : longest;
  v->most = known ? INT64_MAX : longest < room ? longest : room;
  p->bytes = !valid                                      ? -1
             : !known                                    ? CARRY_SMALL + 1
             : v->lists && bytes > 0 && bytes <= longest ? carry_listed_bytes(v, bytes * v->ranks)
                                                         : bytes;
  if (valid && bytes > longest) p->reason = CARRY_LARGE;
  carry_judge(p, CARRY_BLOCKS);
}

/* Bytes that this rank sends, or receives if it sends none: for the log. */
static int64_t moved_bytes(const carry_moving *v)
{
  const carry_move *m = v->move;
  int64_t bytes = 0;
  for (int k = 0; k < m->nsend; k++) bytes += v->out[k].bytes;
  for (int rank = m->first; rank < m->end && m->nsend == 0; rank++) bytes += v->in[rank].bytes;
  return bytes;
}

bool carry_move_run(carry_move *m, int *code)
{
  const carry_comm *c = m->plan->on;
  carry_moving v = {.move = m, .rank = c->rank, .ranks = c->ranks, .out = c->scratch};
  _Static_assert(2 * sizeof *v.out + sizeof *v.requests <= CARRY_SCRATCH, "fits");
  v.in = v.out + c->ranks;
  v.requests = (MPI_Request *)(v.in + c->ranks);
  v.lists = m->call >= CARRY_SCATTER;
  decide_moving(&v);
  const bool carries = m->plan->reason == CARRY_CARRIED;
  if (carries) *code = run_moving(&v);
  if (carries) m->plan->bytes = moved_bytes(&v);
  return carries;
}
