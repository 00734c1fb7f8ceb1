/* SPDX-License-Identifier: BSD-2-Clause */
/* Posts works of the connections of an endpoint, polls for completions and detects peers that
 * cannot be reached. Does not depend on the content of messages. */
#include "comm/net/endpoint_impl.h"
#include "core/base/clock.h"

#include <stdio.h>

/* Fails the endpoint with the status of a NIC. Either end may detect the failure first. The message
 * names the ranks in ascending order, so that it is the same on both. */
static bool fail(ovk__endpoint *e, const ovk__connection *connection, int status)
{
  const int rank = ovk_ctx_rank(e->ctx), peer = connection->peer;
  const char *why = e->ops->text(status);
  if (peer == ovk__endpoint_agent_peer(e)) {
    ovk__endpoint_fail(e, "the connection of rank %d and its agent is broken: %s", rank, why);
  } else {
    ovk__endpoint_fail(e, "the connection of ranks %d and %d is broken: %s",
                       rank < peer ? rank : peer, rank < peer ? peer : rank, why);
  }
  return false;
}

bool ovk__connection_poll(ovk__endpoint *endpoint, ovk__connection *connection)
{
  if (endpoint->failed) return false;
  const int status = endpoint->ops->poll(connection->queue, &connection->done);
  return status ? fail(endpoint, connection, status) : true;
}

static uint64_t in_flight(const ovk__connection *connection)
{
  return connection->posted - connection->done;
}

int ovk__connection_room(ovk__endpoint *endpoint, ovk__connection *connection, int wanted)
{
  if (endpoint->depth - (int)in_flight(connection) < wanted &&
      !ovk__connection_poll(endpoint, connection))
    return 0;
  return endpoint->depth - (int)in_flight(connection);
}

/* Posts works. `counted`: the number of them that count for a fault. */
static bool post(ovk__endpoint *e, ovk__connection *connection, ovk__work *works, int n,
                 int counted)
{
  if (e->failed) return false;
  for (int k = 0; k < n; k++) {
    works[k].id = ++connection->posted;
    if (works[k].signaled) connection->signaled = works[k].id;
  }
  if (connection->posted - connection->signaled >= (uint64_t)e->depth / 2) {
    works[n - 1].signaled = true;
    connection->signaled = connection->posted;
  }
  switch (ovk__fault_strikes(&e->fault, counted)) {
  case OVK__FAULT_SILENCE:
    return true;
  case OVK__FAULT_DEVICE:
    ovk__endpoint_fail(e, "the NIC of rank %d has failed, on purpose", ovk_ctx_rank(e->ctx));
    return false;
  case OVK__FAULT_BREAK:
    e->ops->hang_up(connection->queue);
    break;
  default:
    break;
  }
  const int status = e->ops->post(connection->queue, works, n);
  return status ? fail(e, connection, status) : true;
}

bool ovk__connection_post(ovk__endpoint *endpoint, ovk__connection *connection, ovk__work *works,
                          int n)
{
  return post(endpoint, connection, works, n, n);
}

/* Posts a write of 0 bytes, which fails if the peer's NIC cannot be reached, unless the
 * previous one is still in flight. Probes depend on time, so faults do not count them. */
static bool probe(ovk__endpoint *e, ovk__connection *connection)
{
  if (connection->done < connection->probed || ovk__connection_room(e, connection, 1) < 1)
    return !e->failed;
  ovk__work probe_work = {.kind = OVK__WRITE, .inlined = true, .signaled = true};
  if (!post(e, connection, &probe_work, 1, 0)) return false;
  connection->probed = connection->posted;
  return true;
}

bool ovk__connection_is_idle(ovk__endpoint *endpoint, ovk__connection *connection)
{
  if (in_flight(connection) == 0 || !ovk__connection_poll(endpoint, connection)) return true;
  if (in_flight(connection) > 0 && connection->signaled < connection->posted)
    (void)probe(endpoint, connection);
  return endpoint->failed || in_flight(connection) == 0;
}

static double read_clock(ovk__timer *timer)
{
  const double now = ovk__clock();
  if (timer->since == 0) timer->since = timer->probed = now;
  return now;
}

/* Whether to read the clock: at every POLLS-th call if calls follow each other directly, and at
 * each call of a thread that sleeps between calls. */
static bool is_due(const ovk__endpoint *e, ovk__timer *timer)
{
  enum { POLLS = 64 };
  return ++timer->polls % POLLS == 0 || e->listens;
}

/* Fails the endpoint if the timeout has passed. `whom`: the peer, for the message. */
static bool is_in_time(ovk__endpoint *e, const ovk__timer *timer, double now, const char *whom)
{
  if (e->timeout <= 0 || now - timer->since <= e->timeout) return true;
  ovk__endpoint_fail(e, "rank %d has waited %.0f ms for %s, and timeout_ms is %.0f",
                     ovk_ctx_rank(e->ctx), 1000 * (now - timer->since), whom, 1000 * e->timeout);
  return false;
}

bool ovk__endpoint_check_timeout(ovk__endpoint *endpoint, ovk__timer *timer)
{
  if (endpoint->failed) return false;
  return !is_due(endpoint, timer) || is_in_time(endpoint, timer, read_clock(timer), "other ranks");
}

/* Checks the connection and the NIC, and probes the peer at intervals. */
static bool check_peer(ovk__endpoint *e, ovk__connection *connection, ovk__timer *timer, double now)
{
  if (!ovk__connection_poll(e, connection)) return false;
  const int status = e->ops->check(e->nic);
  if (status) {
    ovk__endpoint_fail(e, "the NIC of rank %d: %s", ovk_ctx_rank(e->ctx), e->ops->text(status));
    return false;
  }
  if (now - timer->probed < e->probe_interval) return true;
  timer->probed = now;
  return probe(e, connection);
}

bool ovk__connection_check_peer(ovk__endpoint *endpoint, ovk__connection *connection,
                                ovk__timer *timer)
{
  return !endpoint->failed && check_peer(endpoint, connection, timer, read_clock(timer));
}

bool ovk__connection_check(ovk__endpoint *endpoint, ovk__connection *connection, ovk__timer *timer)
{
  char whom[32];
  if (endpoint->failed) return false;
  if (!is_due(endpoint, timer)) return true;
  const double now = read_clock(timer);
  snprintf(whom, sizeof whom, "rank %d", connection->peer);
  if (connection->peer == ovk__endpoint_agent_peer(endpoint))
    snprintf(whom, sizeof whom, "its agent");
  return is_in_time(endpoint, timer, now, whom) && check_peer(endpoint, connection, timer, now);
}
