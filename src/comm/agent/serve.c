/* SPDX-License-Identifier: BSD-2-Clause */
/* The side of a remote agent of an authenticated connection. This thread answers control messages;
 * the thread of the agent executes the task lists. The rank measures the time of its reductions and
 * handles failures. After a failure the agent only ends, which breaks its connections. */
#include "comm/agent/server.h"
#include "comm/agent/task_lists.h"
#include "comm/agent/wire/session_message.h"
#include "core/context/ctx_impl.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { SPEC_SIZE = 512 };

/* Bytes of the queues of a connection on common NICs. */
static const size_t connection_bytes = 128 << 10;

/* Seconds for a rank to send a message that it has begun, and to open its session. */
static const double patience = 10;

typedef struct service {
  ovk_ctx *ctx;
  ovk__stream *stream;
  const ovk_agent_options *options;
  ovk__task_lists task_lists;
} service;

/* Waits for a message or for a failure of the endpoint. */
static ovk_err wait_for_message(const service *s)
{
  enum { MILLISECONDS = 100 };
  struct pollfd file = {.fd = ovk__stream_socket(s->stream), .events = POLLIN};
  int ready = ovk__stream_has_bytes(s->stream);
  while (ready == 0) {
    OVK_CHECK(!ovk__endpoint_failed(s->task_lists.endpoint), s->ctx, OVK_ERR_NETWORK, "%s",
              ovk__endpoint_why(s->task_lists.endpoint));
    ready = poll(&file, 1, MILLISECONDS);
    if (ready < 0 && errno == EINTR) ready = 0;
  }
  OVK_CHECK(ready > 0, s->ctx, OVK_ERR_NETWORK, "the connection: %s", strerror(errno));
  return OVK_OK;
}

static ovk_err refuse(const service *s)
{
  return ovk__control_say(s->ctx, s->stream, patience, OVK__REFUSED, ovk_ctx_error(s->ctx));
}

static ovk_err send_answer(const service *s, const ovk__message *m)
{
  if (!m->kind) return OVK_OK;
  if (m->kind == OVK__REFUSED) return refuse(s);
  return ovk__control_send(s->ctx, s->stream, patience, (ovk__control_kind)m->kind, m->words, m->n);
}

static ovk_err answer(service *s, const ovk__message *m)
{
  ovk__message its;
  ovk__endpoint_enter(s->task_lists.endpoint);
  ovk_err err = ovk__task_lists_answer(&s->task_lists, m, &its);
  ovk__endpoint_leave(s->task_lists.endpoint);
  if (!err) err = send_answer(s, &its);
  ovk__message_free(&its);
  return err;
}

/* The maximum number of words of a message, which takes memory in addition to the lists while it is
 * read. */
static size_t longest_message(const service *s)
{
  const size_t words = s->options->memory / 8 / sizeof(uint64_t);
  return words < OVK__CONTROL_MOST ? words : OVK__CONTROL_MOST;
}

static ovk_err serve(service *s)
{
  ovk_err err = OVK_OK;
  bool over = false;
  while (!err && !over) {
    ovk__message m = {0};
    err = wait_for_message(s);
    if (!err) err = ovk__control_receive(s->ctx, s->stream, patience, longest_message(s), &m);
    over = !err && m.kind == 0;
    if (!err && !over) err = answer(s, &m);
    if (err == OVK_ERR_RANGE) err = refuse(s);
    ovk__message_free(&m);
  }
  return err;
}

static ovk_err open_endpoint(service *s, const ovk__session *session)
{
  char text[SPEC_SIZE];
  const char *keys = s->options->nic ? s->options->nic : "";
  ovk_spec *spec = NULL;
  const int n = snprintf(text, sizeof text, "verbs:timeout_ms=%d%s%s", (int)session->timeout_ms,
                         *keys ? "," : "", keys);
  OVK_CHECK(n < SPEC_SIZE, s->ctx, OVK_ERR_ARG, "the NIC keys are too long: '%s'", keys);
  static const ovk_option known[] = {OVK__DEVICE_OPTIONS, OVK_OPTIONS_END};
  ovk_err err = ovk_spec_parse(s->ctx, text, &spec);
  if (!err) err = ovk_spec_check_keys(s->ctx, spec, known);
  if (!err) err = ovk__endpoint_open(s->ctx, MPI_COMM_NULL, spec, &s->task_lists.endpoint);
  ovk_spec_destroy(&spec);
  if (!err)
    ovk__endpoint_limit_connections(s->task_lists.endpoint, s->options->memory / connection_bytes);
  return err;
}

static ovk_err open_task_lists(service *s, const ovk__session *session)
{
  ovk__task_lists *h = &s->task_lists;
  s->ctx->rank = (int)session->rank;
  s->ctx->size = (int)session->size;
  OVK_TRY(open_endpoint(s, session));
  h->ctx = s->ctx;
  h->memory = s->options->memory;
  h->engine = (ovk__engine){.ctx = s->ctx,
                            .transport = {.ctx = s->ctx,
                                          .comm = MPI_COMM_NULL,
                                          .node = MPI_COMM_NULL,
                                          .comm_group = MPI_GROUP_NULL,
                                          .node_group = MPI_GROUP_NULL,
                                          .endpoint = h->endpoint},
                            .spins = 1};
  return ovk__agent_open(s->ctx, h->endpoint, s->options->passes, &h->agent);
}

static void close_task_lists(ovk__task_lists *h)
{
  ovk__agent_close(&h->agent);
  if (h->endpoint) ovk__endpoint_hang_up(h->endpoint);
  ovk__task_lists_free(h);
  ovk__endpoint_close(&h->endpoint);
}

/* Serves a client from the first message to the end. */
static ovk_err serve_client(service *s)
{
  ovk__session session = {0};
  OVK_TRY(ovk__session_receive(s->ctx, s->stream, patience, &session));
  OVK_TRY(open_task_lists(s, &session));
  OVK_TRY(ovk__control_send(s->ctx, s->stream, patience, OVK__DONE, NULL, 0));
  return serve(s);
}

ovk_err ovk_agent_client_serve(ovk_agent_client *client)
{
  ovk_agent_server *server = client->server;
  service s = {.ctx = server->ctx, .stream = client->stream, .options = &server->options};
  char why[OVK__MESSAGE_SIZE];
  const ovk_err err = serve_client(&s);
  if (err) {
    snprintf(why, sizeof why, "%s", ovk_ctx_error(s.ctx));
    (void)ovk__control_say(s.ctx, s.stream, patience, OVK__FAILED, why);
  } else {
    snprintf(why, sizeof why, "rank %d of %d, sums created: %ld", s.ctx->rank, s.ctx->size,
             s.task_lists.taken);
  }
  close_task_lists(&s.task_lists);
  ovk__set_message(s.ctx, "%s", why);
  return err;
}
