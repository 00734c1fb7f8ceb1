/* SPDX-License-Identifier: BSD-2-Clause */
/* Posts works to a queue pair and polls for completions: the part that reductions in flight use. */
#include "comm/net/ibverbs/ibverbs.h"

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
    request.opcode = work->kind == OVK__READ ? IBV_WR_RDMA_READ
                     : work->notifies        ? IBV_WR_RDMA_WRITE_WITH_IMM
                                             : IBV_WR_RDMA_WRITE;
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

int ovk__ibverbs_receive(ovk__queue *queue, int n)
{
  struct ibv_recv_wr request = {.num_sge = 0}, *refused;
  int error = 0;
  for (int k = 0; k < n && !error; k++) {
    error = ovk__ibverbs_errno(ibv_post_recv(queue->connection, &request, &refused));
  }
  return error;
}

/* Only the first failure is kept, because later ones follow from it. */
static void take(ovk__queue *queue, const struct ibv_wc *completion, int *received)
{
  if (completion->status != IBV_WC_SUCCESS) {
    queue->broken = (int)completion->status;
  } else if (completion->opcode == IBV_WC_RECV_RDMA_WITH_IMM) {
    ++*received;
  } else {
    queue->done = completion->wr_id;
    queue->is_new = true;
  }
}

void ovk__ibverbs_drain(ovk__queue *queue)
{
  struct ibv_wc completions[BATCH];
  int n = BATCH;
  while (n == BATCH && !queue->broken) {
    int received = 0;
    n = ibv_poll_cq(queue->completions, BATCH, completions);
    if (n < 0) queue->broken = OVK__IBVERBS_LOST;
    for (int k = 0; k < n && !queue->broken; k++) take(queue, &completions[k], &received);
    const int error = queue->broken ? 0 : ovk__ibverbs_receive(queue, received);
    if (error) queue->broken = -error;
  }
}

int ovk__ibverbs_poll(ovk__queue *queue, uint64_t *done)
{
  ovk__ibverbs_drain(queue);
  if (queue->is_new) *done = queue->done;
  queue->is_new = false;
  return queue->broken;
}
