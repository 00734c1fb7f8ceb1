/* SPDX-License-Identifier: BSD-2-Clause */
/* The side of a remote agent of connections until they are authenticated. */
#include "comm/agent/server.h"
#include "comm/agent/wire/control.h"
#include "core/abi_struct.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

static ovk_err make_server(ovk_agent_server *s, const ovk_agent_options *options)
{
  enum { MEMORY_ENOUGH = 256 << 20 };
  OVK_TRY(OVK_TAKE_SIZED(s->ctx, ovk_agent_options, passes, options, &s->options));
  OVK_CHECK(s->options.secret, s->ctx, OVK_ERR_ARG, "an agent needs a secret");
  OVK_CHECK(s->options.passes >= 0, s->ctx, OVK_ERR_ARG,
            "passes is %d, allowed are 0 and positive numbers", s->options.passes);
  if (!s->options.memory) s->options.memory = MEMORY_ENOUGH;
  return ovk__tls_create(s->ctx, OVK__AGENT_SIDE, s->options.secret, &s->tls);
}

ovk_err ovk_agent_server_create(const ovk_agent_options *options, ovk_agent_server **out)
{
  ovk_agent_server *s = *out = calloc(1, sizeof *s);
  if (!s) return OVK_ERR_MEMORY;
  OVK_TRY(ovk__ctx_create_alone(0, 1, &s->ctx));
  return make_server(s, options);
}

void ovk_agent_server_destroy(ovk_agent_server **server)
{
  ovk_agent_server *s = *server;
  if (!s) return;
  ovk__tls_destroy(&s->tls);
  ovk_ctx_destroy(&s->ctx);
  free(s);
  *server = NULL;
}

const char *ovk_agent_server_message(const ovk_agent_server *server)
{
  return server && server->ctx ? ovk_ctx_error(server->ctx) : "no memory";
}

ovk_err ovk_agent_client_create(ovk_agent_server *server, int socket, ovk_agent_client **out)
{
  OVK_NEW_AT(server->ctx, *out, ovk_agent_client, client);
  client->server = server;
  return ovk__stream_create(server->ctx, server->tls, socket, &client->stream);
}

void ovk_agent_client_destroy(ovk_agent_client **client)
{
  ovk_agent_client *c = *client;
  if (!c) return;
  ovk__stream_destroy(&c->stream);
  free(c);
  *client = NULL;
}

ovk_err ovk_agent_client_authenticate(ovk_agent_client *client, short *events)
{
  return ovk__stream_authenticate(client->server->ctx, client->stream, events);
}

ovk_err ovk_agent_client_refuse(ovk_agent_client *client, const char *why)
{
  return ovk__control_say(client->server->ctx, client->stream, 0, OVK__FAILED, why);
}
