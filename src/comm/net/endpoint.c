/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens, fails and closes endpoints, and adds connections. */
#include "comm/net/endpoint_impl.h"
#include "core/context/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Works in flight in a queue: more than a rank posts to one peer before it polls for completions.
 */
enum { DEPTH = 256 };

static const ovk_option options[] = {OVK__ENDPOINT_OPTIONS, OVK_OPTIONS_END};

static ovk_err read_choice(ovk_ctx *ctx, const ovk_spec *spec, ovk__endpoint *e,
                           ovk__nic_choice *choice)
{
  /* Seconds that a NIC retries before the connection fails, and between two probes. */
  const double break_after = 4, probe_interval = 0.1;
  long port, gid, timeout;
  double rate;
  OVK_TRY(ovk_spec_int(ctx, spec, options, "port", &port));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "gid", &gid));
  OVK_TRY(ovk_spec_double(ctx, spec, options, "rate", &rate));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "timeout_ms", &timeout));
  OVK_TRY(ovk__fault_read(ctx, spec, &e->fault));
  e->timeout = (double)timeout / 1000;
  const bool is_short = timeout && e->timeout < 4 * break_after;
  e->probe_interval = is_short ? e->timeout / 16 : probe_interval;
  *choice = (ovk__nic_choice){.device = ovk_spec_string(spec, "device", NULL),
                              .port = (int)port,
                              .gid = (int)gid,
                              .timeout = is_short ? e->timeout / 4 : break_after,
                              .rate = rate};
  e->ops = choice->device && strcmp(choice->device, ovk__nic_emulated.name) == 0
               ? &ovk__nic_emulated
               : &ovk__nic_ibverbs;
  OVK_CHECK(rate == 0 || e->ops == &ovk__nic_emulated, ctx, OVK_ERR_ARG,
            "rate is %g; only device=emulated has a rate", rate);
  return OVK_OK;
}

static void make_mutex(pthread_mutex_t *mutex)
{
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

int ovk__endpoint_agent_peer(const ovk__endpoint *endpoint)
{
  return ovk_ctx_size(endpoint->ctx);
}

static int peers_of(const ovk__endpoint *e)
{
  return ovk__endpoint_agent_peer(e) + 1;
}

static ovk_err endpoint_make(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out)
{
  ovk__nic_choice choice;
  OVK_NEW_AT(ctx, *out, ovk__endpoint, endpoint);
  endpoint->ctx = ctx;
  endpoint->comm = comm;
  endpoint->connections_most = endpoint->memory_most = SIZE_MAX;
  make_mutex(&endpoint->mutex);
  OVK_NEW_ZEROS(ctx, endpoint->connections, peers_of(endpoint));
  OVK_TRY(read_choice(ctx, spec, endpoint, &choice));
  OVK_TRY(endpoint->ops->open(ctx, &choice, &endpoint->nic, &endpoint->limits));
  endpoint->depth = endpoint->limits.depth_most < DEPTH ? endpoint->limits.depth_most : DEPTH;
  return OVK_OK;
}

ovk_err ovk__endpoint_open(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out)
{
  const ovk_err err = endpoint_make(ctx, comm, spec, out);
  if (err) ovk__endpoint_close(out);
  return err;
}

void ovk__endpoint_close(ovk__endpoint **endpoint)
{
  ovk__endpoint *e = *endpoint;
  if (!e) return;
  for (int k = 0; e->connections && k < peers_of(e); k++) {
    if (e->connections[k]) e->ops->queue_destroy(e->connections[k]->queue);
    free(e->connections[k]);
  }
  free(e->connections);
  ovk__slabs_free(&e->slabs, e->ops, e->nic);
  if (e->nic) e->ops->close(e->nic);
  pthread_mutex_destroy(&e->mutex);
  free(e);
  *endpoint = NULL;
}

const ovk__nic_limits *ovk__endpoint_limits(const ovk__endpoint *endpoint)
{
  return &endpoint->limits;
}

void ovk__endpoint_limit_connections(ovk__endpoint *endpoint, size_t most)
{
  endpoint->connections_most = most;
}

void ovk__endpoint_limit_memory(ovk__endpoint *endpoint, size_t most)
{
  endpoint->memory_most = most;
}

size_t ovk__endpoint_memory(const ovk__endpoint *endpoint)
{
  return ovk__slabs_bytes(endpoint->slabs);
}

double ovk__endpoint_timeout(const ovk__endpoint *endpoint)
{
  return endpoint->timeout;
}

ovk_err ovk__endpoint_take(ovk__endpoint *endpoint, size_t bytes, ovk__block *out)
{
  ovk__endpoint *e = endpoint;
  return ovk__slabs_take(e->ctx, &e->slabs, e->ops, e->nic, bytes, e->memory_most, out);
}

static ovk_err add(ovk__endpoint *e, int peer, ovk__connection **out)
{
  OVK_NEW_AT(e->ctx, *out, ovk__connection, connection);
  connection->peer = peer;
  connection->requests[0] = connection->requests[1] = MPI_REQUEST_NULL;
  return e->ops->queue_create(e->ctx, e->nic, e->depth, &connection->queue);
}

ovk_err ovk__endpoint_add(ovk__endpoint *endpoint, int peer)
{
  ovk__endpoint *e = endpoint;
  OVK_CHECK(!e->failed, e->ctx, OVK_ERR_NETWORK, "%s", e->why);
  if (e->connections[peer]) return OVK_OK;
  OVK_CHECK(e->nconnections < e->connections_most, e->ctx, OVK_ERR_MEMORY,
            "a connection more than the limit of %zu", e->connections_most);
  const ovk_err err = add(e, peer, &e->connections[peer]);
  e->nconnections += !err;
  if (err) {
    free(e->connections[peer]);
    e->connections[peer] = NULL;
  }
  return err;
}

ovk__connection *ovk__endpoint_connection(const ovk__endpoint *endpoint, int peer)
{
  return endpoint->connections[peer];
}

void ovk__endpoint_on_failure(ovk__endpoint *endpoint, ovk__alarm *alarm, void *arg)
{
  endpoint->alarm = alarm;
  endpoint->alarm_arg = arg;
}

void ovk__endpoint_hang_up(ovk__endpoint *endpoint)
{
  ovk__endpoint *e = endpoint;
  ovk__endpoint_enter(e);
  for (int k = 0; k < peers_of(e) && !e->hung_up; k++) {
    if (e->connections[k]) e->ops->hang_up(e->connections[k]->queue);
  }
  e->hung_up = true;
  ovk__endpoint_leave(e);
}

void ovk__endpoint_fail(ovk__endpoint *endpoint, const char *format, ...)
{
  ovk__endpoint *e = endpoint;
  va_list args;
  ovk__endpoint_enter(e);
  va_start(args, format);
  if (!e->failed) vsnprintf(e->why, sizeof e->why, format, args);
  va_end(args);
  /* Pairs with ovk__endpoint_failed(): a thread that sees the flag sees the reason. */
  const bool is_news = !atomic_exchange(&e->failed, true);
  ovk__endpoint_leave(e);
  if (!is_news || e->listens) return;
  if (e->alarm) e->alarm(e->alarm_arg, e->why);
  ovk__endpoint_hang_up(e);
}

bool ovk__endpoint_failed(const ovk__endpoint *endpoint)
{
  return endpoint->failed;
}

const char *ovk__endpoint_why(const ovk__endpoint *endpoint)
{
  return endpoint->why;
}
