/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates, connects, breaks and destroys queues: a reliable connected queue pair with its own
 * completion queue. */
#include "comm/net/ibverbs/ibverbs.h"
#include "core/context/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The address for a peer, as bytes without padding. */
struct address {
  uint32_t layout; /* version; change it with this struct */
  uint32_t number; /* of the queue pair */
  uint32_t psn;
  uint16_t lid;
  uint8_t link_layer, mtu, global;
  uint8_t reads_out, reads_in;
  uint8_t nothing;
  uint8_t gid[16];
};
_Static_assert(sizeof(struct address) == 36, "no gaps");
_Static_assert(sizeof(struct address) <= sizeof(ovk__nic_address), "it must fit");

enum { LAYOUT = 0x6f766b31, RESOLVE_TRIES = 5 };

int ovk__ibverbs_make_pair(const ovk__nic *nic, int depth, uint32_t *inlined, struct ibv_cq **cq,
                           struct ibv_qp **qp)
{
  const int receives = nic->events ? depth : 0;
  /* one more entry, because all works complete at once when a queue pair breaks */
  *cq = ibv_create_cq(nic->context, depth + receives + 1, NULL, nic->events, 0);
  if (!*cq) return errno;
  struct ibv_qp_init_attr attr = {.send_cq = *cq,
                                  .recv_cq = *cq,
                                  .cap = {.max_send_wr = (uint32_t)depth,
                                          .max_recv_wr = receives ? (uint32_t)receives : 1,
                                          .max_send_sge = 1,
                                          .max_recv_sge = 1,
                                          .max_inline_data = *inlined},
                                  .qp_type = IBV_QPT_RC,
                                  .sq_sig_all = 0};
  *qp = ibv_create_qp(nic->domain, &attr);
  if (!*qp) {
    const int error = errno;
    ibv_destroy_cq(*cq);
    return error;
  }
  *inlined = attr.cap.max_inline_data;
  return 0;
}

/* A random sequence number, so that packets of an earlier connection with the same queue pair
 * number are not accepted. */
static uint32_t draw_psn(const struct ibv_qp *connection)
{
  uint32_t psn;
  if (getrandom(&psn, sizeof psn, GRND_NONBLOCK) != (ssize_t)sizeof psn)
    psn = connection->qp_num * 40503;
  return psn & 0xffffff;
}

ovk_err ovk__ibverbs_create(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out)
{
  const char *name = ibv_get_device_name(nic->context->device);
  ovk__queue *queue;
  uint32_t inlined = (uint32_t)nic->limits.inline_most;
  OVK_CHECK(depth >= 1 && depth <= nic->limits.depth_most, ctx, OVK_ERR_ARG,
            "depth is %d; %s supports queues of 1 to %d works", depth, name,
            nic->limits.depth_most);
  OVK_NEW(ctx, queue);
  const int error =
      ovk__ibverbs_make_pair(nic, depth, &inlined, &queue->completions, &queue->connection);
  if (error) {
    free(queue);
    return OVK_FAIL(ctx, ovk__ibverbs_code(error),
                    "cannot create a queue pair of %d works on %s: %s", depth, name,
                    ovk__ibverbs_text(-error));
  }
  queue->nic = nic;
  queue->depth = depth;
  if (nic->events) ovk__ibverbs_listen_to(nic, queue);
  queue->psn = draw_psn(queue->connection);
  if (inlined < nic->limits.inline_most) {
    ovk__ibverbs_destroy(queue);
    return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                    "%s accepts inlined writes of %u bytes here, not of %zu", name, inlined,
                    nic->limits.inline_most);
  }
  *out = queue;
  return OVK_OK;
}

void ovk__ibverbs_destroy(ovk__queue *queue)
{
  ovk__ibverbs_leave(queue->nic, queue);
  ibv_destroy_qp(queue->connection);
  ibv_destroy_cq(queue->completions);
  free(queue);
}

void ovk__ibverbs_address(const ovk__queue *queue, ovk__nic_address *out)
{
  const ovk__nic *nic = queue->nic;
  struct address a = {.layout = LAYOUT,
                      .number = queue->connection->qp_num,
                      .psn = queue->psn,
                      .lid = nic->lid,
                      .link_layer = nic->link_layer,
                      .mtu = nic->mtu,
                      .global = nic->global,
                      .reads_out = (uint8_t)nic->reads_out,
                      .reads_in = (uint8_t)nic->reads_in};
  memcpy(a.gid, nic->gid.raw, sizeof a.gid);
  memset(out, 0, sizeof *out);
  memcpy(out->bytes, &a, sizeof a);
}

static uint8_t smaller(int a, int b)
{
  return (uint8_t)(a < b ? a : b);
}

static int initialize(ovk__queue *queue)
{
  const unsigned access = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                          (queue->nic->limits.atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0u);
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT, .port_num = queue->nic->port, .qp_access_flags = access};
  return ibv_modify_qp(queue->connection, &attr,
                       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/* After this call the queue pair responds to the peer. */
static int make_ready_to_receive(ovk__queue *queue, const struct address *peer)
{
  const ovk__nic *nic = queue->nic;
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
                             .path_mtu = (enum ibv_mtu)smaller(nic->mtu, peer->mtu),
                             .dest_qp_num = peer->number,
                             .rq_psn = peer->psn,
                             .max_dest_rd_atomic = smaller(nic->reads_in, peer->reads_out),
                             .min_rnr_timer = 12,
                             .ah_attr = {.dlid = peer->lid, .port_num = nic->port}};
  if (nic->global || peer->global) {
    attr.ah_attr.is_global = 1;
    attr.ah_attr.grh.sgid_index = (uint8_t)nic->gid_index;
    attr.ah_attr.grh.hop_limit = 64;
    memcpy(attr.ah_attr.grh.dgid.raw, peer->gid, sizeof peer->gid);
  }
  return ibv_modify_qp(queue->connection, &attr,
                       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                           IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
}

static int make_ready_to_send(ovk__queue *queue, const struct address *peer)
{
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_RTS,
      .sq_psn = queue->psn,
      .timeout = queue->nic->timeout,
      .retry_cnt = OVK__IBVERBS_RETRIES,
      .rnr_retry = 7, /* unlimited retries: a write that notifies waits for a receive */
      .max_rd_atomic = smaller(queue->nic->reads_out, peer->reads_in)};
  return ibv_modify_qp(queue->connection, &attr,
                       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                           IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

/* On Ethernet the kernel first resolves the hardware address of the peer, with a timeout of one
 * second. This is too short for a busy peer or right after a link has come up. */
static int resolve_and_make_ready(ovk__queue *queue, const struct address *peer)
{
  int error = ETIMEDOUT;
  for (int k = 0; k < RESOLVE_TRIES && error == ETIMEDOUT; k++) {
    error = ovk__ibverbs_errno(make_ready_to_receive(queue, peer));
  }
  return error;
}

ovk_err ovk__ibverbs_connect(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *address)
{
  const ovk__nic *nic = queue->nic;
  struct address peer;
  char here[INET6_ADDRSTRLEN] = "", there[INET6_ADDRSTRLEN] = "";
  memcpy(&peer, address->bytes, sizeof peer);
  OVK_CHECK(peer.layout == LAYOUT, ctx, OVK_ERR_NETWORK,
            "the address of the peer is not that of a queue of InfiniBand verbs of this version");
  OVK_CHECK(peer.link_layer == nic->link_layer, ctx, OVK_ERR_NETWORK,
            "one peer is on InfiniBand, the other one on Ethernet: link layers %d and %d",
            nic->link_layer, peer.link_layer);
  int error = ovk__ibverbs_errno(initialize(queue));
  if (!error && nic->events) error = ovk__ibverbs_receive(queue, queue->depth);
  if (!error) error = resolve_and_make_ready(queue, &peer);
  if (!error) error = ovk__ibverbs_errno(make_ready_to_send(queue, &peer));
  if (!error) return OVK_OK;
  inet_ntop(AF_INET6, nic->gid.raw, here, sizeof here);
  inet_ntop(AF_INET6, peer.gid, there, sizeof there);
  return OVK_FAIL(ctx, OVK_ERR_NETWORK,
                  "cannot connect over %s from %s (LID %d) to %s (LID %d): %s",
                  ibv_get_device_name(nic->context->device), here, nic->lid, there, peer.lid,
                  ovk__ibverbs_text(-error));
}

void ovk__ibverbs_hang_up(ovk__queue *queue)
{
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
  ibv_modify_qp(queue->connection, &attr,
                IBV_QP_STATE); /* this call fails only if the device has failed */
  if (!queue->broken) queue->broken = OVK__IBVERBS_HUNG_UP;
}
