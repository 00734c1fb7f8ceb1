/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of the leaders of nodes: their schedules and their memory. */
#include "carry/nodes/exchange.h"
#include "carry/nodes/rounds.h"
#include "comm/engine/combine.h"
#include "comm/engine/schedule/algorithms/algorithms.h"
#include "core/base/array.h"

#include <stdlib.h>

struct carry_exchange {
  const carry_nodes *nodes;
  ovk__schedule schedule;
  ovk__builder builder;
  int *ranks; /* the leaders, from that of the root's node on */
  MPI_Request *requests;
  char *part, *work;
};

bool carry_exchange_has_root(const ovk_board_operation *o)
{
  return o->kind == OVK_BOARD_BCAST || o->kind == OVK_BOARD_REDUCE;
}

size_t carry_exchange_bytes(const ovk_board_operation *operation)
{
  return (size_t)operation->count * ovk__type_size(operation->type);
}

/* Elements of the schedule. Pairs have a gap after the last one, without which the next part would
 * not be aligned. */
static size_t elements_of(const ovk_board_operation *o)
{
  enum { ALIGNED = 16 };
  const size_t count = (size_t)o->count;
  return o->items ? (count + ALIGNED - 1) / ALIGNED * ALIGNED : count;
}

enum { SHORT = 4096, FEW = 8 };

static bool is_short(const ovk_board_operation *o)
{
  return elements_of(o) * ovk__type_size(o->type) <= SHORT;
}

/* Up to SHORT bytes few rounds matter, then few bytes. All leaders send to all others at once if
 * they are few. docs/papers/cluster.md has measured times. */
static void add_rounds(ovk__builder *b, const ovk_board_operation *o)
{
  enum { DEGREE = 4, BINOMIAL = 2 };
  const ovk_place part = {OVK_OUTPUT, 0}, work = {OVK_WORK, 0};
  const size_t count = elements_of(o);
  const int k = !is_short(o) ? BINOMIAL : b->group.size <= FEW ? b->group.size : DEGREE;
  switch (o->kind) {
  case OVK_BOARD_BARRIER:
    ovk__build_dissemination(b, k - 1);
    break;
  case OVK_BOARD_BCAST:
    ovk__build_tree_bcast(b, k, part, count);
    break;
  case OVK_BOARD_REDUCE:
    ovk__build_tree_reduce(b, k, part, part, work, count);
    break;
  default:
    if (is_short(o) || o->items) { /* items have no parts of equal size */
      ovk__build_kary_allreduce(b, k, part, work, count);
    } else {
      ovk__build_halving_allreduce(b, part, work, count);
    }
  }
}

/* The schedule of this rank. */
static void exchange_build(carry_exchange *x, const ovk_board_operation *o)
{
  const carry_nodes *s = x->nodes;
  const bool rooted = carry_exchange_has_root(o);
  const int first = rooted ? s->node[o->root] : 0;
  for (int k = 0; k < s->n; k++) x->ranks[k] = s->leader[(first + k) % s->n];
  if (rooted) x->ranks[0] = o->root;
  const int index = (s->node[s->rank] - first + s->n) % s->n;
  ovk__build_again(&x->builder, (ovk__group){s->n, index, x->ranks});
  add_rounds(&x->builder, o);
  (void)ovk__build_end(&x->builder);
}

/* Grows the schedule to the longest of each kind, which is that of index 0. *work: bytes. */
static bool exchange_reserve(carry_exchange *x, size_t bytes, size_t *work)
{
  const size_t counts[] = {bytes < SHORT ? bytes : SHORT, bytes};
  ovk_err err = OVK_OK;
  *work = 0;
  for (int k = 0; k < 2 * (OVK_BOARD_ALLREDUCE + 1) && !err; k++) {
    const ovk_board_operation o = {
        .kind = (ovk_board_kind)(k / 2), .count = (int)counts[k % 2], .type = OVK_TYPE_UINT8};
    ovk__build_again(&x->builder, (ovk__group){x->nodes->n, 0, x->ranks});
    add_rounds(&x->builder, &o);
    err = ovk__build_end(&x->builder);
    if (x->schedule.work > *work) *work = x->schedule.work;
  }
  return !err;
}

carry_exchange *carry_exchange_new(ovk_ctx *ctx, const carry_nodes *nodes, size_t bytes)
{
  enum { LINE = 64 };
  const size_t rounded = (bytes + LINE - 1) / LINE * LINE;
  const size_t messages = 2 * (size_t)(nodes->n > FEW ? nodes->n : FEW);
  size_t work = 0;
  carry_exchange *x = calloc(1, sizeof *x);
  if (!x) return NULL;
  x->nodes = nodes;
  x->builder = ovk__build_begin(ctx, (ovk__group){0}, &x->schedule);
  x->ranks = ovk__array((size_t)nodes->n, sizeof *x->ranks);
  x->requests = ovk__array(messages, sizeof *x->requests);
  const bool reserved = x->ranks && exchange_reserve(x, rounded, &work);
  x->part = ovk__zeros(rounded, 1);
  x->work = ovk__zeros(work, 1);
  if (!reserved || !x->requests || !x->part || !x->work) carry_exchange_free(&x);
  return x;
}

void carry_exchange_free(carry_exchange **exchange)
{
  carry_exchange *x = *exchange;
  if (!x) return;
  ovk__schedule_free(&x->schedule);
  free(x->ranks);
  free(x->requests);
  free(x->part);
  free(x->work);
  free(x);
  *exchange = NULL;
}

void *carry_exchange_part(carry_exchange *exchange)
{
  return exchange->part;
}

int carry_exchange_run(carry_exchange *exchange, const ovk_board_operation *operation, void *part,
                       bool failed)
{
  exchange_build(exchange, operation);
  carry_rounds r = {.nodes = exchange->nodes,
                    .operation = operation,
                    .schedule = &exchange->schedule,
                    .is_short = is_short(operation),
                    .requests = exchange->requests,
                    .part = part,
                    .work = exchange->work,
                    .code = failed ? MPI_ERR_ARG : MPI_SUCCESS};
  return carry_rounds_run(&r);
}
