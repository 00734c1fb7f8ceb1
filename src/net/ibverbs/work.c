/* SPDX-License-Identifier: BSD-2-Clause */
/* Posts works to a queue pair and polls for completions: the part that sums in flight use. */
#include "net/ibverbs/ibverbs.h"

enum { BATCH = 16 };

static struct ibv_send_wr translate(const ovk__work *work, struct ibv_sge *piece)
{
  const size_t bytes = work->kind == OVK__FETCH_ADD ? sizeof(uint64_t) : work->bytes;
  const bool inlined = work->inlined && work->kind == OVK__WRITE && bytes > 0;
  *piece = (struct ibv_sge){
      .addr = (uintptr_t)work->local, .length = (uint32_t)bytes, .lkey = work->local_key};
  struct ibv_send_wr request = {.wr_id = work->id, .sg_list = piece, .num_sge = bytes > 0};
  request.send_flags = (work->signaled ? IBV_SEND_SIGNALED : 0u) | (inlined ? IBV_SEND_INLINE : 0u);
  if (work->kind == OVK__FETCH_ADD) {
    request.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
    request.wr.atomic.remote_addr = work->remote;
    request.wr.atomic.compare_add = work->addend;
    request.wr.atomic.rkey = work->remote_key;
  } else {
    request.opcode = work->kind == OVK__READ ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
    request.wr.rdma.remote_addr = work->remote;
    request.wr.rdma.rkey = work->remote_key;
  }
  return request;
}

static void post_batch(ovk__queue *queue, const ovk__work *works, int n)
{
  struct ibv_send_wr requests[BATCH], *refused;
  struct ibv_sge pieces[BATCH];
  for (int k = 0; k < n; k++) {
    requests[k] = translate(&works[k], &pieces[k]);
    if (k > 0) requests[k - 1].next = &requests[k];
  }
  queue->broken = -ovk__ibverbs_errno(ibv_post_send(queue->connection, requests, &refused));
}

int ovk__ibverbs_post(ovk__queue *queue, const ovk__work *works, int n)
{
  for (int first = 0; first < n && !queue->broken; first += BATCH) {
    post_batch(queue, works + first, n - first < BATCH ? n - first : BATCH);
  }
  return queue->broken;
}

/* Only the first failure is reported: later ones follow from it. */
int ovk__ibverbs_poll(ovk__queue *queue, uint64_t *done)
{
  struct ibv_wc completions[BATCH];
  int n = BATCH;
  while (n == BATCH && !queue->broken) {
    n = ibv_poll_cq(queue->completions, BATCH, completions);
    if (n < 0) queue->broken = OVK__IBVERBS_LOST;
    for (int k = 0; k < n && !queue->broken; k++) {
      queue->broken = (int)completions[k].status;
      if (!queue->broken) *done = completions[k].wr_id;
    }
  }
  return queue->broken;
}
