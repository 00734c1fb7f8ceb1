/* SPDX-License-Identifier: BSD-2-Clause */
/* Decisions about a call, and the begin of nonblocking calls. */
#include "carry/plan.h"
#include "carry/boards/errors.h"
#include "carry/boards/requests.h"
#include "carry/communicator.h"
#include "carry/process/process.h"
#include "carry/types/packing.h"
#include "carry/types/types.h"

/* Over nodes the last rank of a node sends to all ranks of the other nodes, where an MPI has
 * rounds. docs/papers/cluster.md has measured times. */
static bool crosses(const carry_plan *p)
{
  const carry_comm *c = p->on;
  const int messages = carry_crossing_messages(c->team->nodes);
  return c->crosses && (p->operation.kind == OVK_BOARD_REDUCE ? 1 : messages) <= c->messages;
}

/* CARRY_CARRIED, or why the boards of the communicator do not take the operation. */
static carry_reason judge_size(const carry_plan *p, carry_way way)
{
  carry_comm *c = p->on;
  if (way != CARRY_BLOCKS && c->exchange && !crosses(p)) return CARRY_NODES;
  if (way != CARRY_BLOCKS && !c->begins) return CARRY_LAYER;
  if (p->operation.kind == OVK_BOARD_BARRIER) return CARRY_CARRIED;
  if (p->operation.kind == OVK_BOARD_PARTS && c->exchange) return CARRY_NODES;
  if (p->bytes == 0 && way == CARRY_BLOCKS) return CARRY_CARRIED; /* nothing is to be done */
  if (p->bytes <= 0) return CARRY_EMPTY;
  /* A reduction to one rank gains less: only the root reads all parts. So does a broadcast between
   * nodes, which MPIs send in segments. */
  const bool less = p->operation.kind == OVK_BOARD_REDUCE ||
                    (c->exchange && p->operation.kind == OVK_BOARD_BCAST);
  const long most = less ? c->most / 2 : c->most;
  if (p->bytes > most) return CARRY_LARGE;
  if (p->bytes <= CARRY_SMALL) return CARRY_CARRIED;
  if (way != CARRY_BLOCKS) return CARRY_LARGE;
  if (!c->large) carry_comm_enlarge(c);
  return p->bytes <= c->most ? CARRY_CARRIED : CARRY_LARGE;
}

void carry_find(carry_plan *p, MPI_Comm comm, carry_way way)
{
  p->start = carry_now();
  p->on = carry_comm_find(comm);
  if (!p->on && way != CARRY_BEGINS && p->bytes >= 0) p->on = carry_comm_open(comm);
  if (!p->on) {
    p->reason = CARRY_NOT_YET;
  } else if (p->on->reason != CARRY_CARRIED) {
    p->reason = p->on->reason;
  }
}

void carry_judge(carry_plan *p, carry_way way)
{
  if (p->reason == CARRY_CARRIED) p->reason = judge_size(p, way);
}

void carry_decide(carry_plan *p, MPI_Comm comm, carry_way way)
{
  carry_find(p, comm, way);
  carry_judge(p, way);
}

/* Member by member: clearing a whole plan takes longer than the rest of the decision. Members that
 * a board sets in begin are omitted. */
static void plan_for(carry_plan *p, ovk_board_kind kind, const void *send, void *receive, int root)
{
  ovk_board_operation *o = &p->operation;
  p->reason = CARRY_CARRIED;
  p->board = NULL;
  p->lane = NULL;
  p->bytes = 0;
  p->type = MPI_DATATYPE_NULL;
  p->failed = MPI_SUCCESS;
  o->kind = kind;
  o->send = send;
  o->receive = receive;
  o->count = 0;
  o->type = OVK_TYPE_UINT8;
  o->op = OVK_OP_SUM;
  o->items = NULL;
  o->root = root;
}

/* MPI_IN_PLACE is no memory for a result: boards report that as an error. */
static void plan_reduction(carry_plan *p, ovk_board_kind kind, const void *send, void *receive,
                           int count, MPI_Datatype type, MPI_Op op, int root)
{
  if (receive == MPI_IN_PLACE) receive = NULL;
  plan_for(p, kind, send == MPI_IN_PLACE ? receive : send, receive, root);
  if (!carry_numbers(type, op, count, &p->operation, &p->bytes)) {
    p->reason = CARRY_TYPE;
    p->bytes = 0;
    p->count = count;
    p->type = type;
    p->op = op;
  }
}

void carry_allreduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                     MPI_Op op)
{
  plan_reduction(p, OVK_BOARD_ALLREDUCE, send, receive, count, type, op, 0);
}

void carry_reduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                  MPI_Op op, int root)
{
  plan_reduction(p, OVK_BOARD_REDUCE, send, receive, count, type, op, root);
}

void carry_barrier(carry_plan *p)
{
  plan_for(p, OVK_BOARD_BARRIER, NULL, NULL, 0);
}

void carry_parts(carry_plan *p, const ovk_board_parts *parts, int64_t bytes, int root)
{
  plan_for(p, OVK_BOARD_PARTS, NULL, NULL, root);
  p->operation.parts = parts;
  p->bytes = bytes;
}

void carry_broadcast(carry_plan *p, void *items, int count, MPI_Datatype type, int root)
{
  MPI_Count size = 0;
  plan_for(p, OVK_BOARD_BCAST, items, items, root);
  p->items = items;
  p->count = count;
  if (!carry_is_plain(type)) p->type = type;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  if (size > CARRY_MOST && count > 0) count = 1; /* too large as it is: no product overflows */
  p->bytes = count < 0 || type == MPI_DATATYPE_NULL ? -1 : (int64_t)count * size;
  if (p->bytes <= CARRY_MOST) p->operation.count = (int)p->bytes;
}

void *carry_pack(carry_plan *p, void *packed)
{
  if (!packed || p->on->rank != p->operation.root) return packed;
  p->failed = carry_pack_items(p->items, p->count, p->type, packed, (int)p->bytes, p->on->comm);
  return p->failed ? NULL : packed;
}

static bool copy_items(carry_plan *p, carry_request *r)
{
  r->items = p->items;
  r->count = p->count;
  const bool unpacks = p->on->rank != p->operation.root;
  if (unpacks && PMPI_Type_dup(p->type, &r->type)) return false; /* the program may free it */
  r->operation.send = r->operation.receive = carry_pack(p, r->packed);
  return true;
}

static bool has_wrong_root(const carry_plan *p)
{
  return p->operation.root < 0 || p->operation.root >= p->on->ranks;
}

/* Over nodes the board has a part of the operation. */
static bool plan_crossing(const carry_plan *p, carry_request *r)
{
  carry_lane *lane = p->lane ? p->lane : &p->on->lane;
  const ovk_board_operation operation = r->operation;
  if (!p->on->exchange) return true;
  r->crossing =
      carry_crossing_new(p->on->team->nodes, lane, CARRY_SMALL, &operation, &r->operation);
  return r->crossing;
}

int carry_begin(carry_plan *p, MPI_Request *request)
{
  if (p->on->exchange && has_wrong_root(p)) return carry_report(p->on->comm, MPI_ERR_ROOT);
  carry_request *r = carry_request_new();
  if (!r) return carry_error(p->on->comm, OVK_ERR_MEMORY);
  r->on = p->on;
  r->board = p->board ? p->board : p->on->small;
  r->operation = p->operation;
  if ((p->type != MPI_DATATYPE_NULL && !copy_items(p, r)) || !plan_crossing(p, r)) {
    carry_request_drop(r);
    return carry_error(p->on->comm, OVK_ERR_MEMORY);
  }
  return carry_request_begin(r, p->failed, request);
}

void carry_note_plan(const carry_plan *p, carry_call call, int code)
{
  const bool refused = p->reason == CARRY_TYPE && code == MPI_SUCCESS;
  carry_note(call, p->reason, p->bytes, p->start);
  if (refused) carry_note_refused(call, p->type, p->op, p->count);
}
