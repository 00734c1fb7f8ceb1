/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking operations of ranks on several nodes: a reduction on the board of each node to its
 * leader, an exchange between the leaders, and a broadcast on the board. The leader of the root's
 * node is the root. A broadcast needs no reduction, and a reduction to one rank no broadcast. */
#include "carry/over_nodes.h"
#include "carry/boards/crossings.h"
#include "carry/boards/progress.h"

#include <sched.h>
#include <string.h>

/* An operation on this rank. */
typedef struct route {
  carry_comm *on;
  ovk_board *board;
  const ovk_board_operation *operation;
  bool leads;                   /* this rank is the leader of its node */
  void *part;                   /* of a leader: its contribution, then the result */
  ovk_board_operation up, down; /* on the board */
} route;

/* The board may elect this rank for nonblocking operations, which it sends before it waits. */
static void route_begin(route *r, ovk_board_operation *operation)
{
  bool late;
  (void)carry_comm_begin(r->on, r->board, operation, &late);
  carry_crossings_advance();
}

/* Other ranks may have the processor between two looks: messages between nodes take as long. The
 * MPI polls the network, which takes the time of many looks. */
static void route_wait(const route *r, const ovk_board_operation *operation)
{
  enum { LOOKS = 64 };
  for (unsigned k = 1; !carry_comm_look(r->on, r->board, operation); k++) {
    if (k % LOOKS == 0) {
      carry_crossings_advance();
      carry_let_others_run();
    } else {
      sched_yield();
    }
  }
}

static void combine_up(route *r, int leader)
{
  r->up = *r->operation;
  r->up.kind = OVK_BOARD_REDUCE;
  r->up.root = leader;
  r->up.receive = r->leads ? r->part : NULL;
  route_begin(r, &r->up);
  route_wait(r, &r->up);
}

/* The result as bytes. Items with gaps are not received in place. A failed leader has no root: then
 * the board reports an error to the others. */
static void begin_down(route *r, int leader, bool failed)
{
  const ovk_board_operation *o = r->operation;
  r->down = *o;
  r->down.kind = OVK_BOARD_BCAST;
  r->down.items = NULL;
  r->down.op = OVK_OP_SUM;
  r->down.root = failed ? -1 : leader;
  r->down.send = r->part;
  r->down.receive = o->items ? r->part : o->receive;
  route_begin(r, &r->down);
}

static int take_result(const route *r)
{
  const ovk_board_operation *o = r->operation;
  if (!o->receive) return MPI_ERR_ARG;
  if (o->items) {
    o->items->store(o->receive, r->part, (size_t)o->count);
  } else if (r->leads && o->receive != r->part) {
    memcpy(o->receive, r->part, carry_exchange_bytes(o));
  }
  return MPI_SUCCESS;
}

static int run_reduction(route *r, int leader)
{
  const ovk_board_operation *o = r->operation;
  const bool to_one = o->kind == OVK_BOARD_REDUCE;
  int code = MPI_SUCCESS;
  r->part = carry_exchange_part(r->on->exchange);
  combine_up(r, leader);
  if (r->leads) code = carry_exchange_run(r->on->exchange, o, r->part, r->up.error != OVK_OK);
  if (!to_one) {
    begin_down(r, leader, code != MPI_SUCCESS);
    route_wait(r, &r->down);
    if (!code && r->down.error) code = MPI_ERR_ARG;
  } else if (!r->leads && r->up.error) {
    code = MPI_ERR_ARG;
  }
  if (!code && o->count > 0 && (!to_one || r->on->rank == o->root)) code = take_result(r);
  return code;
}

/* The root posts its part before it sends it. */
static int run_broadcast(route *r, int leader)
{
  const ovk_board_operation *o = r->operation;
  const bool root = r->on->rank == o->root;
  int code = MPI_SUCCESS;
  r->part = root ? (void *)o->send : o->receive;
  const bool failed = !r->part; /* without memory */
  if (failed) r->part = carry_exchange_part(r->on->exchange);
  if (root) begin_down(r, leader, failed);
  if (r->leads) code = carry_exchange_run(r->on->exchange, o, r->part, failed);
  if (!root) begin_down(r, leader, r->leads && code);
  route_wait(r, &r->down);
  return !code && r->down.error ? MPI_ERR_ARG : code;
}

int carry_run_over_nodes(carry_comm *c, ovk_board *board, const ovk_board_operation *operation)
{
  carry_nodes *s = c->team->nodes;
  const bool has_root = carry_exchange_has_root(operation);
  const int root = operation->root, node = s->node[s->rank];
  s->operations++;
  if (has_root && (root < 0 || root >= s->size)) return MPI_ERR_ROOT;
  const int leader = has_root && s->node[root] == node ? root : s->leader[node];
  route r = {.on = c, .board = board, .operation = operation, .leads = s->rank == leader};
  return operation->kind == OVK_BOARD_BCAST ? run_broadcast(&r, s->place[leader])
                                            : run_reduction(&r, s->place[leader]);
}
