/* SPDX-License-Identifier: BSD-2-Clause */
/* A remote agent's side of the control connection. This thread answers messages; the agent's own
 * thread carries the task lists out. The rank keeps the time of its sums and decides what follows a
 * failure; all that an agent does about one is to end, which breaks its connections. */
#include "agent/agent.h"
#include "agent/control.h"
#include "agent/list_message.h"
#include "base/mem.h"
#include "base/sized.h"
#include "core/ctx_impl.h"
#include "engine/engine.h"

#include <errno.h>
#include <limits.h>
#include <ovkrylov/agent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 1 << 20, SPEC_SIZE = 512 };

static const size_t memory_enough = (size_t)256 << 20;

/* What the queues of a connection take on common adapters. */
static const size_t connection_bytes = 128 << 10;

/* Seconds for a rank to send a message that it has begun, and to introduce itself. */
static const double patience = 10;

/* A task list in hand. */
typedef struct held {
  ovk__list_content content;
  ovk__task_list list;
  double *values;
  struct held *next;
} held;

typedef struct service {
  ovk_ctx *ctx;
  int socket;
  ovk_agent_terms terms;
  ovk__endpoint *endpoint;
  ovk__engine engine;
  ovk__agent *agent;
  held *lists;
  uint64_t bytes; /* of all lists */
  long nlists;    /* that it has taken */
} service;

static bool is_due(void *self, uint64_t generation)
{
  const held *h = self;
  (void)generation; /* the run's next one */
  return ovk__run_is_due(h->list.run);
}

/* Not yet in the list of those in hand. */
static void free_held(held *h)
{
  (void)ovk__run_destroy(&h->list.run);
  ovk__schedule_free(&h->content.schedule);
  free(h->values);
  free(h);
}

static void drop(service *s, held **link)
{
  held *h = *link;
  *link = h->next;
  /* The memory of one in flight is not used again, as peers may write to it. */
  if (!h->list.running) s->bytes -= h->content.bytes;
  ovk__agent_remove(s->agent, &h->list);
  free_held(h);
}

static held **find(service *s, uint64_t id)
{
  held **link = &s->lists;
  while (*link && (*link)->content.id != id) link = &(*link)->next;
  return link;
}

static ovk_err make(service *s, const ovk__message *m, held *h)
{
  const ovk__list_content *c = &h->content;
  OVK_TRY(ovk__list_read(s->ctx, m->words, m->n, s->ctx->rank, ovk__endpoint_partner(s->endpoint),
                         &h->content));
  OVK_CHECK(!*find(s, c->id), s->ctx, OVK_ERR_ARG, "a second task list %llu",
            (unsigned long long)c->id);
  OVK_CHECK(c->bytes <= s->terms.memory - s->bytes, s->ctx, OVK_ERR_MEMORY,
            "a task list of %llu bytes beside %llu in hand, and %zu are the most",
            (unsigned long long)c->bytes, (unsigned long long)s->bytes, s->terms.memory);
  OVK_NEW_ZEROS(s->ctx, h->values, c->count);
  const ovk__task task = {.schedule = &c->schedule,
                          .output = h->values,
                          .element = sizeof *h->values,
                          .combine = ovk__combine_sum_double};
  h->list = (ovk__task_list){.arrived = is_due, .self = h};
  return ovk__run_make(&s->engine, &task, 0, &h->list.run);
}

static ovk_err send_letters(const service *s, const ovk__letters *letters)
{
  enum { HEAD = 3 }; /* words in front of each letter */
  uint64_t *words;
  size_t n = 1;
  for (int k = 0; k < letters->n; k++) n += HEAD + (size_t)letters->list[k].nout;
  OVK_NEW_ARRAY(s->ctx, words, n);
  uint64_t *next = words;
  *next++ = (uint64_t)letters->n;
  for (int k = 0; k < letters->n; k++) {
    const ovk__letter *l = &letters->list[k];
    *next++ = (uint64_t)l->peer;
    *next++ = (uint64_t)l->nout;
    *next++ = (uint64_t)l->nin;
    memcpy(next, l->out, (size_t)l->nout * sizeof *next);
    next += l->nout;
  }
  const ovk_err err = ovk__control_send(s->ctx, s->socket, OVK__LETTERS, words, n);
  free(words);
  return err;
}

/* *refused: what is wrong with the message is told to the rank, and the service goes on. */
static ovk_err take_list(service *s, const ovk__message *m, ovk_err *refused)
{
  held *h = calloc(1, sizeof *h);
  OVK_CHECK(h, s->ctx, OVK_ERR_MEMORY, "no memory for a task list");
  *refused = make(s, m, h);
  if (*refused) {
    free_held(h);
    return OVK_OK;
  }
  h->next = s->lists;
  s->lists = h;
  s->bytes += h->content.bytes;
  s->nlists++;
  return send_letters(s, ovk__run_letters(h->list.run));
}

/* The peers' words, in the order of the letters; false: there are not as many. */
static bool read_letters(const ovk__message *m, const ovk__letters *letters)
{
  const uint64_t *next = m->words + 1, *end = m->words + m->n;
  for (int k = 0; k < letters->n; k++) {
    const ovk__letter *l = &letters->list[k];
    if (end - next < l->nin) return false;
    memcpy(l->in, next, (size_t)l->nin * sizeof *next);
    next += l->nin;
  }
  return next == end && letters->n > 0; /* none are left of a list that has been joined */
}

static ovk_err join(service *s, const ovk__message *m, ovk_err *refused)
{
  held *h = m->n ? *find(s, m->words[0]) : NULL;
  OVK_CHECK(h && read_letters(m, ovk__run_letters(h->list.run)), s->ctx, OVK_ERR_ARG,
            "letters for no task list");
  *refused = ovk__run_join(h->list.run);
  if (*refused) return OVK_OK;
  ovk__agent_add(s->agent, &h->list);
  ovk__agent_rouse(s->agent); /* its next sleep includes new connections */
  return ovk__control_send(s->ctx, s->socket, OVK__DONE, NULL, 0);
}

static ovk_err drop_list(service *s, const ovk__message *m)
{
  held **link = m->n ? find(s, m->words[0]) : NULL;
  OVK_CHECK(link && *link, s->ctx, OVK_ERR_ARG, "the end of a task list that is not in hand");
  drop(s, link);
  return OVK_OK;
}

static ovk_err answer(service *s, const ovk__message *m)
{
  ovk_err refused = OVK_OK, err = OVK_OK;
  ovk__endpoint_enter(s->endpoint);
  switch (m->kind) {
  case OVK__LIST:
    err = take_list(s, m, &refused);
    break;
  case OVK__JOIN:
    err = join(s, m, &refused);
    break;
  case OVK__DROP:
    err = drop_list(s, m);
    break;
  default:
    err = OVK_FAIL(s->ctx, OVK_ERR_ARG, "a message of kind %llu that is not for agents",
                   (unsigned long long)m->kind);
  }
  ovk__endpoint_leave(s->endpoint);
  if (err || !refused) return err;
  return ovk__control_refuse(s->ctx, s->socket, ovk_ctx_error(s->ctx));
}

/* Waits for a message, and meanwhile for a failure of the endpoint. */
static ovk_err wait_for_message(const service *s)
{
  enum { MILLISECONDS = 100 };
  struct pollfd file = {.fd = s->socket, .events = POLLIN};
  int ready = 0;
  while (ready == 0) {
    OVK_CHECK(!ovk__endpoint_failed(s->endpoint), s->ctx, OVK_ERR_NETWORK, "%s",
              ovk__endpoint_why(s->endpoint));
    ready = poll(&file, 1, MILLISECONDS);
    if (ready < 0 && errno == EINTR) ready = 0;
  }
  OVK_CHECK(ready > 0, s->ctx, OVK_ERR_NETWORK, "the connection: %s", strerror(errno));
  return OVK_OK;
}

static ovk_err serve(service *s)
{
  ovk_err err = OVK_OK;
  bool over = false;
  while (!err && !over) {
    ovk__message m = {0};
    err = wait_for_message(s);
    if (!err) err = ovk__control_receive(s->ctx, s->socket, OVK__CONTROL_MOST, &m);
    over = !err && m.kind == 0;
    if (!err && !over) err = answer(s, &m);
    ovk__message_free(&m);
  }
  return err;
}

/* As long for a wrong secret as for a right one. */
static bool is_same(const uint64_t *a, const uint64_t *b)
{
  volatile uint64_t difference = 0;
  for (int k = 0; k < OVK__SECRET_WORDS; k++) difference |= a[k] ^ b[k];
  return difference == 0;
}

static ovk_err check_hello(const service *s, const ovk__message *m, ovk__hello *out)
{
  uint64_t secret[OVK__SECRET_WORDS];
  ovk__hello *h = out;
  OVK_CHECK(m->kind == OVK__HELLO && m->n == OVK__HELLO_WORDS, s->ctx, OVK_ERR_ARG,
            "a connection that does not begin with a rank's hello");
  memcpy(h, m->words, sizeof *h);
  OVK_CHECK(h->version == OVK__CONTROL_VERSION, s->ctx, OVK_ERR_ARG,
            "version %llu of the control messages, and the agent's is %d",
            (unsigned long long)h->version, OVK__CONTROL_VERSION);
  OVK_TRY(ovk__secret_read(s->ctx, s->terms.secret, secret));
  OVK_CHECK(is_same(h->secret, secret), s->ctx, OVK_ERR_ARG, "the secret is not the agent's");
  OVK_CHECK(h->size >= 1 && h->size <= RANKS_MOST && h->rank < h->size, s->ctx, OVK_ERR_ARG,
            "rank %llu of %llu", (unsigned long long)h->rank, (unsigned long long)h->size);
  OVK_CHECK(h->timeout_ms <= INT_MAX, s->ctx, OVK_ERR_ARG, "a timeout of %llu ms",
            (unsigned long long)h->timeout_ms);
  return OVK_OK;
}

static ovk_err receive_hello(const service *s, ovk__hello *out)
{
  ovk__message m = {0};
  OVK_TRY(ovk__control_limit(s->ctx, s->socket, patience));
  ovk_err err = ovk__control_receive(s->ctx, s->socket, OVK__HELLO_WORDS, &m);
  if (!err) err = check_hello(s, &m, out);
  ovk__message_free(&m);
  return err;
}

static ovk_err open_endpoint(service *s, const ovk__hello *hello)
{
  char text[SPEC_SIZE];
  const char *keys = s->terms.adapter ? s->terms.adapter : "";
  ovk_spec *spec = NULL;
  const int n = snprintf(text, sizeof text, "verbs:timeout_ms=%d%s%s", (int)hello->timeout_ms,
                         *keys ? "," : "", keys);
  OVK_CHECK(n < SPEC_SIZE, s->ctx, OVK_ERR_ARG, "the adapter's keys are too long: '%s'", keys);
  static const char *const known[] = {"timeout_ms", "device", "port", "gid", NULL};
  ovk_err err = ovk_spec_parse(s->ctx, text, &spec);
  if (!err) err = ovk_spec_check_keys(s->ctx, spec, known);
  if (!err) err = ovk__endpoint_open(s->ctx, MPI_COMM_NULL, spec, &s->endpoint);
  ovk_spec_destroy(&spec);
  if (!err) ovk__endpoint_limit_connections(s->endpoint, s->terms.memory / connection_bytes);
  return err;
}

static ovk_err open_service(service *s, const ovk__hello *hello)
{
  s->ctx->rank = (int)hello->rank;
  s->ctx->size = (int)hello->size;
  OVK_TRY(open_endpoint(s, hello));
  s->engine = (ovk__engine){.ctx = s->ctx,
                            .fabric = {.ctx = s->ctx,
                                       .comm = MPI_COMM_NULL,
                                       .node = MPI_COMM_NULL,
                                       .comm_group = MPI_GROUP_NULL,
                                       .node_group = MPI_GROUP_NULL,
                                       .endpoint = s->endpoint},
                            .spins = 1};
  return ovk__agent_open(s->ctx, s->endpoint, s->terms.passes, &s->agent);
}

static void close_service(service *s)
{
  ovk__agent_close(&s->agent);
  if (s->endpoint) ovk__endpoint_hang_up(s->endpoint);
  while (s->lists) {
    held *h = s->lists;
    s->lists = h->next;
    free_held(h);
  }
  ovk__endpoint_close(&s->endpoint);
}

/* From the hello to the end. */
static ovk_err run(service *s, const ovk_agent_terms *terms)
{
  ovk__hello hello = {0};
  OVK_TRY(OVK_TAKE_SIZED(s->ctx, ovk_agent_terms, passes, terms, &s->terms));
  OVK_CHECK(s->terms.secret, s->ctx, OVK_ERR_ARG, "an agent needs a secret");
  OVK_CHECK(s->terms.passes >= 0, s->ctx, OVK_ERR_ARG, "%d passes", s->terms.passes);
  if (!s->terms.memory) s->terms.memory = memory_enough;
  ovk_err err = receive_hello(s, &hello);
  if (!err) err = open_service(s, &hello);
  if (!err) err = ovk__control_send(s->ctx, s->socket, OVK__DONE, NULL, 0);
  if (!err) err = serve(s);
  return err;
}

ovk_err ovk_agent_serve(int socket, const ovk_agent_terms *terms, char *why, size_t why_size)
{
  service s = {.socket = socket};
  snprintf(why, why_size, "no memory");
  OVK_TRY(ovk__ctx_create_alone(0, 1, &s.ctx));
  const ovk_err err = run(&s, terms);
  if (err) {
    snprintf(why, why_size, "%s", ovk_ctx_error(s.ctx));
    (void)ovk__control_refuse(s.ctx, socket, why);
  } else {
    snprintf(why, why_size, "rank %d of %d, sums created: %ld", s.ctx->rank, s.ctx->size, s.nlists);
  }
  close_service(&s);
  ovk_ctx_destroy(&s.ctx);
  return err;
}
