/* SPDX-License-Identifier: BSD-2-Clause */
/* Long messages between lent buffers: the sender announces them by a message of 0 bytes, and the
 * receiver reads them from the input of the sender to its own output, without a copy. The sender is
 * complete when its peers have read, because then its input may change. */
#include "comm/engine/channels/rdma.h"

static ovk__connection *connection_of(const ovk__rdma *p, const ovk__rdma_receive *r)
{
  return p->peers[r->peer].connection;
}

/* Moves to the first receive before p->complete with a read in flight. Returns false if the
 * endpoint has failed. */
static bool complete_reads(ovk__rdma *p)
{
  for (; p->read < p->complete; p->read++) {
    const ovk__rdma_receive *r = &p->receives[p->read];
    ovk__connection *connection = connection_of(p, r);
    if (!r->read || connection->done >= r->id) continue;
    if (!ovk__connection_poll(p->endpoint, connection)) return false;
    if (connection->done < r->id) break;
  }
  return true;
}

bool ovk__rdma_read(ovk__rdma *rdma, ovk__rdma_receive *receive, bool *posted)
{
  ovk__rdma *p = rdma;
  ovk__connection *connection = connection_of(p, receive);
  ovk__work work = {.kind = OVK__READ,
                    .signaled = true,
                    .local = ovk__buffers_at(p->buffers, receive->to),
                    .local_key = p->lent->output.local_key,
                    .bytes = receive->read,
                    .remote = receive->from,
                    .remote_key = p->peers[receive->peer].input_key};
  *posted = false;
  if (!complete_reads(p)) return false;
  if (p->window && p->complete - p->read >= p->window) return true;
  if (ovk__connection_room(p->endpoint, connection, 1) < 1)
    return !ovk__endpoint_failed(p->endpoint);
  if (!ovk__connection_post(p->endpoint, connection, &work, 1)) return false;
  receive->id = connection->posted;
  *posted = true;
  return true;
}

bool ovk__rdma_end(ovk__rdma *rdma, uint64_t generation, bool *complete)
{
  ovk__rdma *p = rdma;
  if (!complete_reads(p)) return false;
  if (p->read < p->complete)
    return ovk__rdma_check(p, connection_of(p, &p->receives[p->read]), generation);
  if (!p->reported && ovk__rdma_report(p, generation)) return false;
  p->reported = true;
  for (int k = 0; k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    if (c->nsends && ovk__rdma_finished_by(c) < generation)
      return ovk__rdma_check(p, c->connection, generation);
  }
  *complete = true;
  return true;
}
