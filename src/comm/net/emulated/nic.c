/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulated NIC: the process that posts a work executes it, in memory that the processes of one
 * machine share. */
#include "comm/net/emulated/queue.h"
#include "comm/net/emulated/work.h"
#include "core/base/clock.h"
#include "core/context/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static ovk_err emulated_check_choice(ovk_ctx *ctx, const ovk__nic_choice *choice)
{
  const char *device = choice->device ? choice->device : ovk__nic_emulated.name;
  OVK_CHECK(strcmp(device, ovk__nic_emulated.name) == 0, ctx, OVK_ERR_ARG,
            "device is \"%s\"; the emulated NIC is named \"%s\"", device, ovk__nic_emulated.name);
  OVK_CHECK(choice->port == 0, ctx, OVK_ERR_ARG, "port is %d; the emulated NIC has no ports",
            choice->port);
  OVK_CHECK(choice->gid == -1, ctx, OVK_ERR_ARG, "gid is %d; the emulated NIC has no gids",
            choice->gid);
  return OVK_OK;
}

static void emulated_close(ovk__nic *nic)
{
  while (nic->areas) ovk__store_release(&nic->store, &nic->areas, nic->areas);
  ovk__store_close(&nic->store);
  free(nic);
}

static ovk_err emulated_open_store(ovk_ctx *ctx, ovk__nic *nic)
{
  OVK_TRY(ovk__store_open(ctx, &nic->store));
  const ovk_err err = ovk__store_take(ctx, &nic->store, sizeof(ovk__control_block), &nic->areas);
  if (err) {
    ovk__store_close(&nic->store);
    return err;
  }
  nic->control = (ovk__control_block *)ovk__area_start(nic->areas);
  nic->token = nic->store.name.nonce;
  return OVK_OK;
}

static ovk_err emulated_open(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic **out,
                             ovk__nic_limits *limits)
{
  OVK_TRY(emulated_check_choice(ctx, choice));
  ovk__nic *nic;
  OVK_NEW(ctx, nic);
  nic->ns_per_byte = choice->rate > 0 ? 8 / choice->rate : 0;
  nic->wake_at = OVK__EMULATED_NEVER;
  const ovk_err err = emulated_open_store(ctx, nic);
  if (err) {
    free(nic);
    return err;
  }
  *limits = (ovk__nic_limits){.atomics = true,
                              .inline_most = OVK__EMULATED_INLINE_MOST,
                              .work_most = OVK__EMULATED_WORK_MOST,
                              .depth_most = OVK__EMULATED_DEPTH_MOST};
  *out = nic;
  return OVK_OK;
}

/* The region of the newest area. */
static ovk__region emulated_region(const ovk__nic *nic, char *start, size_t bytes)
{
  return (ovk__region){.start = start,
                       .bytes = bytes,
                       .local_key = ovk__emulated_key(nic->areas->key),
                       .remote_key = nic->areas->key,
                       .handle = nic->areas};
}

static ovk_err emulated_take(ovk_ctx *ctx, ovk__nic *nic, size_t bytes, ovk__region *out)
{
  OVK_TRY(ovk__store_take(ctx, &nic->store, bytes, &nic->areas));
  *out = emulated_region(nic, ovk__area_start(nic->areas), bytes);
  return OVK_OK;
}

static ovk_err emulated_lend(ovk_ctx *ctx, ovk__nic *nic, void *start, size_t bytes, bool written,
                             ovk__region *out)
{
  (void)written; /* no work but a read accepts lent memory, at either end */
  OVK_TRY(ovk__store_lend(ctx, &nic->store, start, bytes, &nic->areas));
  *out = emulated_region(nic, start, bytes);
  return OVK_OK;
}

static void emulated_deregister(ovk__nic *nic, ovk__region *region)
{
  ovk__store_release(&nic->store, &nic->areas, region->handle);
  *region = (ovk__region){0};
}

static int emulated_check(ovk__nic *nic)
{
  (void)nic;
  return 0;
}

/* Every control block has an eventcount. */
static ovk_err emulated_listen(ovk_ctx *ctx, ovk__nic *nic)
{
  (void)ctx;
  (void)nic;
  return OVK_OK;
}

static void emulated_arm(ovk__nic *nic)
{
  atomic_store(&nic->wake_at, OVK__EMULATED_NEVER);
  nic->events = ovk__eventcount_watch(&nic->control->eventcount);
}

static void emulated_sleep(ovk__nic *nic, int milliseconds)
{
  const int64_t wake_at = atomic_load(&nic->wake_at), to_ns = 1000000;
  int64_t most = milliseconds < 0 ? -1 : milliseconds * to_ns;
  if (wake_at != OVK__EMULATED_NEVER) {
    const int64_t now = ovk__clock_ns(), left = wake_at > now ? wake_at - now : 0;
    if (most < 0 || left < most) most = left;
  }
  ovk__eventcount_sleep(&nic->control->eventcount, nic->events, most);
}

static void emulated_wake(ovk__nic *nic)
{
  ovk__eventcount_notify(&nic->control->eventcount);
}

const ovk__nic_ops ovk__nic_emulated = {
    .name = "emulated",
    .open = emulated_open,
    .close = emulated_close,
    .take = emulated_take,
    .release = emulated_deregister,
    .lend = emulated_lend,
    .return_lent = emulated_deregister,
    .queue_create = ovk__emulated_create,
    .queue_address = ovk__emulated_address,
    .queue_connect = ovk__emulated_connect,
    .queue_destroy = ovk__emulated_destroy,
    .post = ovk__emulated_post,
    .poll = ovk__emulated_poll,
    .hang_up = ovk__emulated_hang_up,
    .check = emulated_check,
    .listen = emulated_listen,
    .arm = emulated_arm,
    .sleep = emulated_sleep,
    .wake = emulated_wake,
    .text = ovk__emulated_text,
};
