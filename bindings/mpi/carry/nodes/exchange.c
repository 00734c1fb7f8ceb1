/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of the leaders of nodes. Messages have a signature of the operation as their tag, and
 * 0 after a failure. The result of a leader depends on messages of all leaders whose parts it
 * needs, so each of them learns of a failure. */
#include "carry/nodes/exchange.h"
#include "comm/engine/combine.h"
#include "comm/engine/schedule/algorithms/algorithms.h"
#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Tags of messages: any other one is a signature. */
enum { FAILED = 0, SIGNATURES = 32749 };

struct carry_exchange {
  const carry_nodes *nodes;
  ovk__schedule schedule;
  ovk__builder builder;
  int *ranks; /* the leaders, from that of the root's node on */
  MPI_Request *requests;
  char *part, *work;
};

/* An operation that runs. */
typedef struct exchange_call {
  carry_exchange *x;
  const ovk_board_operation *operation;
  char *part;
  size_t size; /* bytes of an element of the schedule */
  int tag, code;
} exchange_call;

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

/* Up to SHORT bytes few rounds matter, then few bytes. All leaders send to all others at once if
 * they are few. docs/papers/cluster.md has measured times. */
static void add_rounds(ovk__builder *b, const ovk_board_operation *o)
{
  enum { DEGREE = 4, BINOMIAL = 2 };
  const ovk_place part = {OVK_OUTPUT, 0}, work = {OVK_WORK, 0};
  const size_t count = elements_of(o);
  const bool is_short = count * ovk__type_size(o->type) <= SHORT;
  const int k = !is_short ? BINOMIAL : b->group.size <= FEW ? b->group.size : DEGREE;
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
    if (is_short || o->items) { /* items have no parts of equal size */
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

static char *address(const exchange_call *c, ovk_place place)
{
  return (place.buffer == OVK_WORK ? c->x->work : c->part) + place.first * c->size;
}

static void keep_error(exchange_call *c, int code)
{
  if (!c->code) c->code = code;
}

static void send_message(exchange_call *c, const ovk__action *a, MPI_Request *request)
{
  *request = MPI_REQUEST_NULL;
  keep_error(c, PMPI_Isend(address(c, a->from), (int)(a->count * c->size), MPI_BYTE, a->peer,
                           c->code ? FAILED : c->tag, c->x->nodes->all, request));
}

/* The message may be of another operation, or of one that has failed. If it is longer, MPICH calls
 * the handler of the communicator here, but that of MPI_COMM_WORLD where a request completes. */
static void receive_message(exchange_call *c, const ovk__action *a)
{
  const int expected = (int)(a->count * c->size);
  int bytes = -1;
  MPI_Status status;
  const int code = PMPI_Recv(address(c, a->to), expected, MPI_BYTE, a->peer, MPI_ANY_TAG,
                             c->x->nodes->all, &status);
  if (!code) (void)PMPI_Get_count(&status, MPI_BYTE, &bytes);
  if (code || status.MPI_TAG != c->tag || bytes != expected) keep_error(c, MPI_ERR_ARG);
}

static void work_locally(const exchange_call *c, const ovk__action *a)
{
  const ovk_board_operation *o = c->operation;
  char *to = address(c, a->to);
  const char *from = address(c, a->from);
  if (a->kind == OVK__COPY) {
    memmove(to, from, a->count * c->size);
  } else if (o->items) {
    o->items->combine(to, from, a->count);
  } else {
    ovk__combine_of(o->type, o->op)(to, from, a->count);
  }
}

/* No rank waits before it has sent. */
static void run_round(exchange_call *c, const ovk__round *round)
{
  const carry_exchange *x = c->x;
  const ovk__action *a = x->schedule.actions + round->first;
  const int n = round->nmessages;
  int sent = 0;
  for (int k = 0; k < n; k++) {
    if (a[k].kind != OVK__RECEIVE) send_message(c, &a[k], &x->requests[sent++]);
  }
  for (int k = 0; k < n; k++) {
    if (a[k].kind == OVK__RECEIVE) receive_message(c, &a[k]);
  }
  if (PMPI_Waitall(sent, x->requests, MPI_STATUSES_IGNORE)) keep_error(c, MPI_ERR_ARG);
  for (int k = 0; k < round->nlocal && !c->code; k++) work_locally(c, &a[n + k]);
}

uint64_t carry_exchange_arguments(const ovk_board_operation *o)
{
  enum { ROOTS = 1 << 24 };
  const int numbers = o->items ? 1000 + o->items->number : 32 * (int)o->type + (int)o->op;
  const uint64_t all = ((uint64_t)o->count * 4096 + (uint64_t)numbers) * 4 + (uint64_t)o->kind;
  return 1 + all * ROOTS + (uint64_t)o->root % ROOTS;
}

static int signature(const ovk_board_operation *o)
{
  return 1 + (int)(carry_exchange_arguments(o) % SIGNATURES);
}

int carry_exchange_run(carry_exchange *exchange, const ovk_board_operation *operation, void *part,
                       bool failed)
{
  exchange_call c = {.x = exchange,
                     .operation = operation,
                     .part = part,
                     .size = ovk__type_size(operation->type),
                     .tag = signature(operation),
                     .code = failed ? MPI_ERR_ARG : MPI_SUCCESS};
  exchange_build(exchange, operation);
  const ovk__schedule *s = &exchange->schedule;
  for (int k = 0; k < s->nrounds; k++) run_round(&c, &s->rounds[k]);
  return c.code;
}
