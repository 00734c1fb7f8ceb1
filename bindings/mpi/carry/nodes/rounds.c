/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of the leaders of nodes. Their tags have the number of the operation, its schedule and a
 * signature, which is 0 after a failure. The result of a leader depends on messages of all leaders
 * whose parts it needs, so each of them learns of a failure. Nodes that differ in the size of an
 * operation run different schedules, so some of its messages may never be received. */
#include "carry/nodes/rounds.h"
#include "comm/engine/combine.h"

#include <string.h>

enum { FAILED = 0, SIGNATURES = 4093, SCHEDULES = 8, TAGS = SCHEDULES * SIGNATURES, NONE = -1 };

uint64_t carry_rounds_arguments(const ovk_board_operation *o)
{
  enum { ROOTS = 1 << 24 };
  const int numbers = o->items ? 1000 + o->items->number : 32 * (int)o->type + (int)o->op;
  const uint64_t all = ((uint64_t)o->count * 4096 + (uint64_t)numbers) * 4 + (uint64_t)o->kind;
  return 1 + all * ROOTS + (uint64_t)o->root % ROOTS;
}

/* Operations with different tags. */
static int numbers_of(const carry_rounds *r)
{
  const int numbers = r->nodes->most_tag / TAGS;
  return numbers > 0 ? numbers : 1;
}

static void number_rounds(carry_rounds *r)
{
  const int signature = 1 + (int)(carry_rounds_arguments(r->operation) % (SIGNATURES - 1));
  r->number = (int)(r->nodes->operations % (uint64_t)numbers_of(r));
  r->kind = 2 * (int)r->operation->kind + r->is_short;
  r->tag = r->number * TAGS + r->kind * SIGNATURES + signature;
}

/* By how many operations a message is older than this one. */
static int age_of(const carry_rounds *r, int tag)
{
  const int numbers = numbers_of(r), age = r->number - tag / TAGS;
  return age > numbers / 2 ? age - numbers : age < -numbers / 2 ? age + numbers : age;
}

static size_t bytes_of(const carry_rounds *r, size_t count)
{
  return count * ovk__type_size(r->operation->type);
}

static char *address(const carry_rounds *r, ovk_place place)
{
  return (place.buffer == OVK_WORK ? r->work : r->part) + bytes_of(r, place.first);
}

static void keep_error(carry_rounds *r, int code)
{
  if (!r->code) r->code = code;
}

/* After a failure without data: no rank waits for the receiver, which may expect nothing. */
static void send_message(carry_rounds *r, const ovk__action *a, MPI_Request *request)
{
  const int bytes = r->code ? 0 : (int)bytes_of(r, a->count);
  *request = MPI_REQUEST_NULL;
  keep_error(r, PMPI_Isend(address(r, a->from), bytes, MPI_BYTE, a->peer,
                           r->code ? r->tag / SIGNATURES * SIGNATURES + FAILED : r->tag,
                           r->nodes->all, request));
}

/* The next message, after those that are left of older operations. If it is too long, MPICH calls
 * the handler of the communicator here, but that of MPI_COMM_WORLD where a request completes. */
static int receive_message(carry_rounds *r, const ovk__action *a)
{
  const int expected = (int)bytes_of(r, a->count), node = r->nodes->node[a->peer];
  int code, age, bytes = -1;
  MPI_Status status = {.MPI_TAG = r->tag};
  do {
    code = PMPI_Recv(address(r, a->to), expected, MPI_BYTE, a->peer, MPI_ANY_TAG, r->nodes->all,
                     &status);
    age = age_of(r, status.MPI_TAG);
  } while (age > 0);
  r->nodes->apart[node] = age < 0 || status.MPI_TAG / SIGNATURES % SCHEDULES != r->kind;
  if (age < 0) r->nodes->early[node] = status.MPI_TAG / TAGS;
  if (code || status.MPI_TAG != r->tag) return MPI_ERR_ARG;
  (void)PMPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes == expected ? MPI_SUCCESS : MPI_ERR_ARG;
}

static void work_locally(const carry_rounds *r, const ovk__action *a)
{
  const ovk_board_operation *o = r->operation;
  char *to = address(r, a->to);
  const char *from = address(r, a->from);
  if (a->kind == OVK__COPY) {
    memmove(to, from, bytes_of(r, a->count));
  } else if (o->items) {
    o->items->combine(to, from, a->count);
  } else {
    ovk__combine_of(o->type, o->op)(to, from, a->count);
  }
}

/* No rank waits before it has sent. */
static void run_round(carry_rounds *r, const ovk__round *round)
{
  const ovk__action *a = r->schedule->actions + round->first;
  const int n = round->nmessages;
  int sent = 0;
  for (int k = 0; k < n; k++) {
    if (a[k].kind != OVK__RECEIVE) send_message(r, &a[k], &r->requests[sent++]);
  }
  for (int k = 0; k < n; k++) {
    if (a[k].kind != OVK__RECEIVE || r->nodes->apart[r->nodes->node[a[k].peer]]) continue;
    keep_error(r, receive_message(r, &a[k]));
  }
  if (PMPI_Waitall(sent, r->requests, MPI_STATUSES_IGNORE)) keep_error(r, MPI_ERR_ARG);
  for (int k = 0; k < round->nlocal && !r->code; k++) work_locally(r, &a[n + k]);
}

int carry_rounds_run(carry_rounds *r)
{
  const ovk__schedule *s = r->schedule;
  bool *apart = r->nodes->apart;
  int *early = r->nodes->early;
  number_rounds(r);
  for (int node = 0; node < r->nodes->n; node++) {
    apart[node] = early[node] == r->number;
    if (!apart[node]) continue;
    early[node] = NONE;
    keep_error(r, MPI_ERR_ARG);
  }
  for (int k = 0; k < s->nrounds; k++) run_round(r, &s->rounds[k]);
  return r->code;
}
