/* SPDX-License-Identifier: BSD-2-Clause */
/* Sleeps until a completion queue has an event. Writes with immediate data use up receives without
 * data, so each arrival is a completion. */
#include "comm/net/ibverbs/ibverbs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

int ovk__ibverbs_never_block(int file)
{
  const int flags = fcntl(file, F_GETFL);
  if (flags < 0 || fcntl(file, F_SETFL, flags | O_NONBLOCK) < 0) return errno;
  return 0;
}

ovk_err ovk__ibverbs_listen(ovk_ctx *ctx, ovk__nic *nic)
{
  const char *name = ibv_get_device_name(nic->context->device);
  nic->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  OVK_CHECK(nic->waker >= 0, ctx, OVK_ERR_MEMORY, "cannot create an eventfd: %s",
            ovk__ibverbs_text(-errno));
  nic->events = ibv_create_comp_channel(nic->context);
  const int error = nic->events ? ovk__ibverbs_never_block(nic->events->fd) : errno;
  if (!error) return OVK_OK;
  ovk__ibverbs_listen_no_more(nic);
  return OVK_FAIL(ctx, ovk__ibverbs_code(error), "cannot create a completion channel on %s: %s",
                  name, ovk__ibverbs_text(-error));
}

void ovk__ibverbs_listen_no_more(ovk__nic *nic)
{
  if (nic->events) ibv_destroy_comp_channel(nic->events);
  nic->events = NULL;
  close(nic->waker);
}

void ovk__ibverbs_listen_to(ovk__nic *nic, ovk__queue *queue)
{
  queue->completions->cq_context = queue;
  queue->next = nic->queues;
  nic->queues = queue;
}

void ovk__ibverbs_leave(ovk__nic *nic, ovk__queue *queue)
{
  ovk__queue **link = &nic->queues;
  while (*link && *link != queue) link = &(*link)->next;
  if (*link) *link = queue->next;
}

/* Requests an event from the queue. Earlier completions create no event, so they are removed from
 * the queue first; the caller finds their data in memory. */
static void arm(ovk__queue *queue)
{
  if (queue->armed || queue->broken) return;
  ovk__ibverbs_drain(queue);
  const int error = ovk__ibverbs_errno(ibv_req_notify_cq(queue->completions, 0));
  if (error) queue->broken = -error;
  queue->armed = !error;
  ovk__ibverbs_drain(queue); /* receives that were used before arming */
}

void ovk__ibverbs_arm(ovk__nic *nic)
{
  atomic_store_explicit(&nic->asleep, 1, memory_order_relaxed);
  for (ovk__queue *q = nic->queues; q; q = q->next) arm(q);
  /* Pairs with the fence of wake: if wake does not see `asleep`, data that the caller of arm reads
   * from now on, with loads of any order, includes all writes of the caller of wake. */
  atomic_thread_fence(memory_order_seq_cst);
}

/* Each event belongs to one queue, which has to be armed again. */
static void take_events(ovk__nic *nic)
{
  struct ibv_cq *cq;
  void *queue;
  while (ibv_get_cq_event(nic->events, &cq, &queue) == 0) {
    ibv_ack_cq_events(cq, 1);
    ((ovk__queue *)queue)->armed = false;
  }
}

void ovk__ibverbs_sleep(ovk__nic *nic, int milliseconds)
{
  struct pollfd files[] = {{.fd = nic->events->fd, .events = POLLIN},
                           {.fd = nic->waker, .events = POLLIN}};
  uint64_t times;
  (void)poll(files, 2, milliseconds);
  atomic_store_explicit(&nic->asleep, 0, memory_order_relaxed);
  while (read(nic->waker, &times, sizeof times) > 0) continue;
  take_events(nic);
}

void ovk__ibverbs_wake(ovk__nic *nic)
{
  const uint64_t once = 1;
  atomic_thread_fence(memory_order_seq_cst); /* Pairs with the fence of arm. */
  if (atomic_load_explicit(&nic->asleep, memory_order_relaxed))
    (void)!write(nic->waker, &once, sizeof once);
}
