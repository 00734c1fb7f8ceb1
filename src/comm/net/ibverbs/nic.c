/* SPDX-License-Identifier: BSD-2-Clause */
/* The NIC on libibverbs: opens the device, queries limits, registers memory and checks the device.
 */
#include "comm/net/ibverbs/ibverbs.h"
#include "core/context/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  INLINE_ENOUGH =
      256, /* larger inlined writes are not faster than memory that the NIC reads itself */
  DEPTH_ENOUGH = 4096,
  DEPTH_LEAST = 16
};

static int smaller(int a, int b)
{
  return a < b ? a : b;
}

/* Device attributes give each limit separately; creating a queue pair shows which combination
 * works. Shorter queues are preferred to losing inlined writes. */
static int ibverbs_try_pair(ovk__nic *nic, int depth_most)
{
  int error = EINVAL;
  for (uint32_t inlined = INLINE_ENOUGH;; inlined /= 2) {
    for (int depth = depth_most; depth >= DEPTH_LEAST; depth /= 2) {
      struct ibv_cq *cq;
      struct ibv_qp *qp;
      uint32_t granted = inlined;
      error = ovk__ibverbs_make_pair(nic, depth, &granted, &cq, &qp);
      if (error) continue;
      ibv_destroy_qp(qp);
      ibv_destroy_cq(cq);
      nic->limits.inline_most = granted;
      nic->limits.depth_most = depth;
      return 0;
    }
    if (inlined == 0) return error;
  }
}

static ovk_err ibverbs_measure(ovk_ctx *ctx, ovk__nic *nic)
{
  struct ibv_device_attr_ex all;
  const struct ibv_device_attr *attr = &all.orig_attr;
  const char *name = ibv_get_device_name(nic->context->device);
  int error = ovk__ibverbs_errno(ibv_query_device_ex(nic->context, NULL, &all));
  if (!error)
    error =
        ibverbs_try_pair(nic, smaller(smaller(attr->max_qp_wr, attr->max_cqe - 1), DEPTH_ENOUGH));
  OVK_CHECK(!error, ctx, ovk__ibverbs_code(error), "cannot create a queue pair on %s: %s", name,
            ovk__ibverbs_text(-error));
  nic->reads_out = smaller(attr->max_qp_init_rd_atom, UINT8_MAX);
  nic->reads_in = smaller(attr->max_qp_rd_atom, UINT8_MAX);
  OVK_CHECK(nic->reads_out > 0 && nic->reads_in > 0, ctx, OVK_ERR_UNSUPPORTED,
            "%s cannot read remote memory", name);
  nic->limits.atomics = attr->atomic_cap != IBV_ATOMIC_NONE;
  return OVK_OK;
}

/* The exponent of the time before a retry. NICs may wait up to 4 times the configured time. */
static uint8_t ibverbs_choose_timeout(double seconds)
{
  const double most = seconds / (4 * (1 + OVK__IBVERBS_RETRIES));
  int exponent = 20;
  while (exponent > 1 && 4.096e-6 * (double)(1 << exponent) > most) exponent--;
  return (uint8_t)exponent;
}

static ovk_err ibverbs_prepare(ovk_ctx *ctx, ovk__nic *nic)
{
  const char *name = ibv_get_device_name(nic->context->device);
  const int error = ovk__ibverbs_never_block(nic->context->async_fd);
  OVK_CHECK(!error, ctx, OVK_ERR_NETWORK, "the events of %s cannot be read: %s", name,
            ovk__ibverbs_text(-error));
  nic->domain = ibv_alloc_pd(nic->context);
  OVK_CHECK(nic->domain, ctx, ovk__ibverbs_code(errno),
            "cannot create a protection domain on %s: %s", name, ovk__ibverbs_text(-errno));
  return OVK_OK;
}

static void ibverbs_close_device(ovk__nic *nic)
{
  if (nic->events) ovk__ibverbs_listen_no_more(nic);
  if (nic->domain) ibv_dealloc_pd(nic->domain);
  if (nic->context) ibv_close_device(nic->context);
  free(nic);
}

static ovk_err ibverbs_open_device(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic **out,
                                   ovk__nic_limits *limits)
{
  ovk__nic *nic;
  OVK_NEW(ctx, nic);
  ovk_err err = ovk__ibverbs_open_device(ctx, choice, nic);
  if (!err) err = ovk__ibverbs_choose_gid(ctx, choice->gid, nic);
  if (!err) err = ibverbs_prepare(ctx, nic);
  if (!err) err = ibverbs_measure(ctx, nic);
  if (err) {
    ibverbs_close_device(nic);
    return err;
  }
  nic->timeout = ibverbs_choose_timeout(choice->timeout);
  *limits = nic->limits;
  *out = nic;
  return OVK_OK;
}

static ovk_err ibverbs_take(ovk_ctx *ctx, ovk__nic *nic, size_t bytes, ovk__region *out)
{
  const unsigned access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                          IBV_ACCESS_REMOTE_READ |
                          (nic->limits.atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0u);
  /* whole pages, because they are locked, and a fork might have to copy other data in them */
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t whole = bytes < SIZE_MAX - page ? (bytes / page + 1) * page : 0;
  void *start = whole ? aligned_alloc(page, whole) : NULL;
  OVK_CHECK(start, ctx, OVK_ERR_MEMORY, "no memory for RDMA: %zu bytes", bytes);
  memset(start, 0, whole);
  struct ibv_mr *mr = ibv_reg_mr(nic->domain, start, bytes ? bytes : 1, access);
  if (!mr) {
    const int error = errno == EPERM ? ENOMEM : errno; /* EPERM: the limit of locked memory is 0 */
    free(start);
    return OVK_FAIL(ctx, ovk__ibverbs_code(error), "%s cannot register %zu bytes of memory: %s",
                    ibv_get_device_name(nic->context->device), bytes, ovk__ibverbs_text(-error));
  }
  *out = (ovk__region){
      .start = start, .bytes = bytes, .local_key = mr->lkey, .remote_key = mr->rkey, .handle = mr};
  return OVK_OK;
}

static ovk_err ibverbs_lend(ovk_ctx *ctx, ovk__nic *nic, void *start, size_t bytes, bool written,
                            ovk__region *out)
{
  struct ibv_mr *mr = ibv_reg_mr(nic->domain, start, bytes,
                                 written ? IBV_ACCESS_LOCAL_WRITE : IBV_ACCESS_REMOTE_READ);
  OVK_CHECK(mr, ctx, OVK_ERR_UNSUPPORTED, "%s cannot register %zu bytes of the caller: %s",
            ibv_get_device_name(nic->context->device), bytes, ovk__ibverbs_text(-errno));
  *out = (ovk__region){
      .start = start, .bytes = bytes, .local_key = mr->lkey, .remote_key = mr->rkey, .handle = mr};
  return OVK_OK;
}

static void ibverbs_return_lent(ovk__nic *nic, ovk__region *region)
{
  (void)nic;
  (void)ibv_dereg_mr(region->handle); /* it fails only if the device is gone */
  *region = (ovk__region){0};
}

static void ibverbs_deregister(ovk__nic *nic, ovk__region *region)
{
  (void)nic;
  const int error = ovk__ibverbs_errno(ibv_dereg_mr(region->handle));
  /* A removed device does not access memory any more; a device that refuses to deregister might
   * still write to it. */
  if (!error || error == EIO || error == ENODEV) free(region->start);
  *region = (ovk__region){0};
}

/* Failures of single queues are reported by their completions, and links that go down may come
 * back: neither is a failure of the device. */
static int ibverbs_judge(const struct ibv_async_event *event)
{
  if (event->event_type == IBV_EVENT_DEVICE_FATAL) return OVK__IBVERBS_GONE;
  return event->event_type == IBV_EVENT_CQ_ERR ? OVK__IBVERBS_LOST : 0;
}

static int ibverbs_check(ovk__nic *nic)
{
  struct ibv_async_event event;
  while (!nic->broken) {
    errno = 0;
    if (ibv_get_async_event(nic->context, &event) != 0) {
      if (errno != EAGAIN && errno != EINTR) nic->broken = OVK__IBVERBS_GONE;
      break;
    }
    nic->broken = ibverbs_judge(&event);
    ibv_ack_async_event(&event);
  }
  return nic->broken;
}

const ovk__nic_ops ovk__nic_ibverbs = {.name = "ibverbs",
                                       .open = ibverbs_open_device,
                                       .close = ibverbs_close_device,
                                       .take = ibverbs_take,
                                       .release = ibverbs_deregister,
                                       .lend = ibverbs_lend,
                                       .return_lent = ibverbs_return_lent,
                                       .queue_create = ovk__ibverbs_create,
                                       .queue_address = ovk__ibverbs_address,
                                       .queue_connect = ovk__ibverbs_connect,
                                       .queue_destroy = ovk__ibverbs_destroy,
                                       .post = ovk__ibverbs_post,
                                       .poll = ovk__ibverbs_poll,
                                       .hang_up = ovk__ibverbs_hang_up,
                                       .check = ibverbs_check,
                                       .listen = ovk__ibverbs_listen,
                                       .arm = ovk__ibverbs_arm,
                                       .sleep = ovk__ibverbs_sleep,
                                       .wake = ovk__ibverbs_wake,
                                       .text = ovk__ibverbs_text};
