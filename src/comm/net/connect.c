/* SPDX-License-Identifier: BSD-2-Clause */
/* Connects an endpoint to its peers: ranks exchange addresses over MPI, agents in their own way. */
#include "comm/net/endpoint_impl.h"

void ovk__connection_address(const ovk__endpoint *endpoint, const ovk__connection *connection,
                             ovk__endpoint_address *out)
{
  endpoint->ops->queue_address(connection->queue, &out->queue);
  out->listens = endpoint->listens;
}

ovk_err ovk__connection_connect(ovk__endpoint *endpoint, ovk__connection *connection,
                                const ovk__endpoint_address *its)
{
  if (connection->connected) return OVK_OK;
  OVK_TRY(endpoint->ops->queue_connect(endpoint->ctx, connection->queue, &its->queue));
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
  ovk_err err = exchange(endpoint, peers, npeers, tag);
  if (!err) err = connect(endpoint, peers, npeers);
  if (err) ovk__endpoint_fail(endpoint, "connections to peers have failed"); /* for peers, too */
  return err;
}
