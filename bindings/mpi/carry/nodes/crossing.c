/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of nonblocking operations between nodes. A message has the part of a node, and a tag for
 * each lane, operation and node. Operations share a tag if their numbers differ by a multiple of
 * numbers_of(). Receivers do not know which rank of a node sends. */
#include "carry/nodes/crossing.h"
#include "carry/nodes/exchange.h"
#include "carry/nodes/receive.h"
#include "carry/nodes/rounds.h"
#include "carry/process/process.h"
#include "comm/engine/combine.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4096, MOST_NODES = 8, FEWEST_NUMBERS = 1024 };

struct carry_crossing {
  carry_nodes *nodes;
  ovk_board_operation operation;
  carry_receive receives[MOST_NODES];
  MPI_Request sends[CARRY_MOST_MESSAGES];
  int nreceives, nsends, first_tag;
  bool sent, failed;
  int here; /* the node of this rank */
  size_t bytes, stride;
  _Alignas(16) char messages[]; /* of each node, with room for ranks that differ in the bytes */
};

/* Operations of a lane with different tags. */
static int numbers_of(const carry_nodes *s)
{
  return s->most_tag / LANES / s->n;
}

int carry_crossing_messages(const carry_nodes *nodes)
{
  return nodes->size - nodes->fewest;
}

bool carry_lane_open(carry_nodes *nodes, carry_lane *out)
{
  const carry_nodes *s = nodes;
  if (s->n > MOST_NODES || s->lanes == LANES || numbers_of(s) < FEWEST_NUMBERS) return false;
  *out = (carry_lane){.number = nodes->lanes++};
  return true;
}

static bool is_of(const carry_crossing *x, ovk_board_kind kind)
{
  return x->operation.kind == kind;
}

static bool has_root(const carry_crossing *x)
{
  return carry_exchange_has_root(&x->operation);
}

static bool is_root(const carry_crossing *x)
{
  return has_root(x) && x->nodes->rank == x->operation.root;
}

/* Whether this rank gets the combination of all parts. */
static bool gets_sum(const carry_crossing *x)
{
  return !has_root(x) || (is_of(x, OVK_BOARD_REDUCE) && is_root(x));
}

/* Whether the root is on this node. */
static bool has_root_here(const carry_crossing *x)
{
  return has_root(x) && x->nodes->node[x->operation.root] == x->here;
}

static carry_message *message_of(carry_crossing *x, int node)
{
  return (carry_message *)(x->messages + (size_t)node * x->stride);
}

/* A reduction to a rank of another node has the root there; here all ranks may get the part. */
static void plan_inside(carry_crossing *x, ovk_board_operation *inside)
{
  const ovk_board_operation *o = &x->operation;
  carry_message *own = message_of(x, x->here);
  const bool here = has_root_here(x);
  *inside = *o;
  inside->elected = false;
  inside->complete = is_of(x, OVK_BOARD_BCAST) && !here;
  inside->error = OVK_OK;
  inside->root = here ? x->nodes->place[o->root] : 0;
  if (is_of(x, OVK_BOARD_REDUCE) && !here) inside->kind = OVK_BOARD_ALLREDUCE;
  const bool reduces = is_of(x, OVK_BOARD_ALLREDUCE) || is_of(x, OVK_BOARD_REDUCE);
  if (reduces && (o->receive || !gets_sum(x))) inside->receive = own->data;
  if (is_of(x, OVK_BOARD_BCAST) && is_root(x) && o->send) memcpy(own->data, o->send, x->bytes);
}

carry_crossing *carry_crossing_new(carry_nodes *nodes, carry_lane *lane, size_t most,
                                   const ovk_board_operation *operation,
                                   ovk_board_operation *inside)
{
  enum { LINE = 64 };
  const size_t stride = (sizeof(carry_message) + most + LINE - 1) / LINE * LINE;
  carry_crossing *x = calloc(1, sizeof *x + (size_t)nodes->n * stride);
  if (!x) return NULL;
  x->nodes = nodes;
  x->operation = *operation;
  x->here = nodes->node[nodes->rank];
  x->bytes = carry_exchange_bytes(operation);
  x->stride = stride;
  plan_inside(x, inside);
  const int numbers = numbers_of(nodes);
  carry_message *own = message_of(x, x->here);
  own->number = lane->begun++;
  own->arguments = carry_rounds_arguments(operation);
  x->first_tag = (lane->number * numbers + (int)(own->number % (uint64_t)numbers)) * nodes->n;
  return x;
}

/* After an error of the MPI the memory stays: messages may still arrive there. */
void carry_crossing_free(carry_crossing **crossing)
{
  if (*crossing && !(*crossing)->failed) free(*crossing);
  *crossing = NULL;
}

/* Ranks that differ in the root of a broadcast get a message, so its tag does not depend on it. */
static int tag_of(const carry_crossing *x, int node)
{
  return x->first_tag + (is_of(x, OVK_BOARD_BCAST) ? 0 : node);
}

static void receive_from(carry_crossing *x, int node)
{
  carry_receive *r = &x->receives[x->nreceives++];
  *r = (carry_receive){.to = message_of(x, node),
                       .number = message_of(x, x->here)->number,
                       .tag = tag_of(x, node),
                       .bytes = (int)x->stride};
  if (!carry_receive_open(x->nodes, r)) x->failed = true;
}

void carry_crossing_open(carry_crossing *x)
{
  if (is_of(x, OVK_BOARD_BCAST)) {
    if (!has_root_here(x)) receive_from(x, x->nodes->node[x->operation.root]);
  } else if (gets_sum(x)) {
    for (int node = 0; node < x->nodes->n; node++) {
      if (node != x->here) receive_from(x, node);
    }
  }
}

static void send_to(carry_crossing *x, int rank)
{
  const int bytes = (int)(sizeof(carry_message) + x->bytes);
  if (PMPI_Isend(message_of(x, x->here), bytes, MPI_BYTE, rank, tag_of(x, x->here), x->nodes->begun,
                 &x->sends[x->nsends++])) {
    x->failed = true;
  }
}

void carry_crossing_send(carry_crossing *x, const ovk_board_operation *inside, bool complete)
{
  const carry_nodes *s = x->nodes;
  const bool sends =
      is_of(x, OVK_BOARD_BCAST) ? is_root(x) : complete && inside->elected && !has_root_here(x);
  if (x->sent || !sends) return;
  x->sent = true;
  if (inside->error) message_of(x, x->here)->arguments = 0;
  if (is_of(x, OVK_BOARD_REDUCE)) {
    send_to(x, x->operation.root);
    return;
  }
  /* Neighbors first send to different ranks. */
  for (int k = 1; k < s->size; k++) {
    const int rank = (s->rank + k) % s->size;
    if (s->node[rank] != x->here) send_to(x, rank);
  }
}

bool carry_crossing_has_arrived(carry_crossing *x)
{
  int sent = 1;
  bool all = true;
  if (x->nsends > 0 && PMPI_Testall(x->nsends, x->sends, &sent, MPI_STATUSES_IGNORE)) {
    x->failed = true;
  }
  for (int k = 0; k < x->nreceives; k++) {
    all = carry_receive_has_arrived(x->nodes, &x->receives[k], &x->failed) && all;
  }
  return (sent && all) || x->failed;
}

/* Whether the nodes whose parts this rank needs had the same arguments. */
static bool are_same(carry_crossing *x)
{
  const uint64_t arguments = carry_rounds_arguments(&x->operation);
  for (int node = 0; node < x->nodes->n; node++) {
    const bool needed =
        is_of(x, OVK_BOARD_BCAST) ? node == x->nodes->node[x->operation.root] : node != x->here;
    if (needed && message_of(x, node)->arguments != arguments) return false;
  }
  return true;
}

/* In the order of the nodes. */
static void combine_parts(carry_crossing *x)
{
  const ovk_board_operation *o = &x->operation;
  char *sum = message_of(x, 0)->data;
  for (int node = 1; node < x->nodes->n; node++) {
    const char *part = message_of(x, node)->data;
    if (o->items) {
      o->items->combine(sum, part, x->bytes);
    } else {
      ovk__combine_of(o->type, o->op)(sum, part, (size_t)o->count);
    }
  }
  if (o->items) {
    o->items->store(o->receive, sum, x->bytes);
  } else {
    memcpy(o->receive, sum, x->bytes);
  }
}

ovk_err carry_crossing_finish(carry_crossing *x, const ovk_board_operation *inside)
{
  const ovk_board_operation *o = &x->operation;
  const bool receives = is_of(x, OVK_BOARD_BCAST) ? !has_root_here(x) : gets_sum(x);
  if (inside->error) return inside->error;
  if (x->failed) return OVK_ERR_MPI;
  if (!receives) return OVK_OK;
  if (!are_same(x)) return OVK_ERR_ARG;
  if (x->bytes == 0) return OVK_OK;
  if (!o->receive) return OVK_ERR_ARG;
  if (is_of(x, OVK_BOARD_BCAST)) {
    memcpy(o->receive, message_of(x, x->nodes->node[o->root])->data, x->bytes);
  } else {
    combine_parts(x);
  }
  return OVK_OK;
}
