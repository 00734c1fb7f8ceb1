/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens, connects, fails and closes endpoints. */
#include "comm/net/endpoint_impl.h"
#include "core/context/mem.h"

#include <limits.h>
#include <stdarg.h>
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

void ovk__connection_address(const ovk__endpoint *endpoint, const ovk__connection *connection,
                             ovk__endpoint_address *out)
{
  endpoint->ops->queue_address(connection->queue, &out->queue);
  out->listens = endpoint->listens;
}

ovk_err ovk__connection_connect(ovk__endpoint *endpoint, ovk__connection *connection,
                                const ovk__endpoint_address *its)
{
  const ovk__endpoint *e = endpoint;
  if (connection->connected) return OVK_OK;
  OVK_TRY(e->ops->queue_connect(e->ctx, connection->queue, &its->queue));
  connection->notifies = its->listens != 0;
  connection->connected = true;
  return OVK_OK;
}

static ovk_err start_exchange(ovk__endpoint *e, ovk__connection *p, int tag)
{
  const int bytes = sizeof p->its;
  ovk__connection_address(e, p, &p->own);
  OVK_TRY_MPI(e->ctx, MPI_Irecv(&p->its, bytes, MPI_BYTE, p->peer, tag, e->comm, &p->requests[0]));
  OVK_TRY_MPI(e->ctx, MPI_Isend(&p->own, bytes, MPI_BYTE, p->peer, tag, e->comm, &p->requests[1]));
  return OVK_OK;
}

static ovk_err end_exchange(const ovk__endpoint *e, ovk__connection *p)
{
  OVK_TRY_MPI(e->ctx, MPI_Waitall(2, p->requests, MPI_STATUSES_IGNORE));
  return OVK_OK;
}

/* Exchanges addresses with all peers that are not connected, also after an error, because they wait
 * for it. */
static ovk_err exchange(ovk__endpoint *e, const int *peers, int npeers, int tag)
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < npeers; k++) {
    ovk__connection *p = e->connections[peers[k]];
    const ovk_err started = p->connected ? OVK_OK : start_exchange(e, p, tag);
    if (!err) err = started;
  }
  for (int k = 0; k < npeers; k++) {
    const ovk_err ended = end_exchange(e, e->connections[peers[k]]);
    if (!err) err = ended;
  }
  return err;
}

static ovk_err connect(ovk__endpoint *e, const int *peers, int npeers)
{
  for (int k = 0; k < npeers; k++) {
    ovk__connection *p = e->connections[peers[k]];
    OVK_TRY(ovk__connection_connect(e, p, &p->its));
  }
  return OVK_OK;
}

ovk_err ovk__endpoint_connect(ovk__endpoint *endpoint, const int *peers, int npeers, int tag)
{
  ovk__endpoint *e = endpoint;
  ovk_err err = exchange(e, peers, npeers, tag);
  if (!err) err = connect(e, peers, npeers);
  if (err) ovk__endpoint_fail(e, "connections to peers have failed"); /* for peers, too */
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
