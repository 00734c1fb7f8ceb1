/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulated adapter: the processes of one machine execute their works in shared memory when they
 * post them. */
#include "comm/net/emulated/queue.h"
#include "comm/net/emulated/work.h"

#include <stdlib.h>
#include <string.h>

static ovk_err check_choice(ovk_ctx *ctx, const ovk__adapter_choice *choice)
{
  const char *device = choice->device ? choice->device : ovk__adapter_emulated.name;
  OVK_CHECK(strcmp(device, ovk__adapter_emulated.name) == 0, ctx, OVK_ERR_ARG,
            "the emulated adapter is named \"%s\", not \"%s\"", ovk__adapter_emulated.name, device);
  OVK_CHECK(choice->port == 0, ctx, OVK_ERR_ARG,
            "the emulated adapter has no ports, and port is %d", choice->port);
  OVK_CHECK(choice->gid == -1, ctx, OVK_ERR_ARG, "the emulated adapter has no gids, and gid is %d",
            choice->gid);
  return OVK_OK;
}

static void close_adapter(ovk__adapter *adapter)
{
  while (adapter->areas) ovk__store_release(&adapter->store, &adapter->areas, adapter->areas);
  ovk__store_close(&adapter->store);
  free(adapter);
}

static ovk_err emulated_open_store(ovk_ctx *ctx, ovk__adapter *adapter)
{
  OVK_TRY(ovk__store_open(ctx, &adapter->store));
  const ovk_err err =
      ovk__store_take(ctx, &adapter->store, sizeof(ovk__control_block), &adapter->areas);
  if (err) {
    ovk__store_close(&adapter->store);
    return err;
  }
  adapter->control = (ovk__control_block *)ovk__area_start(adapter->areas);
  adapter->token = adapter->store.name.nonce;
  return OVK_OK;
}

static ovk_err open_adapter(ovk_ctx *ctx, const ovk__adapter_choice *choice, ovk__adapter **out,
                            ovk__adapter_limits *limits)
{
  OVK_TRY(check_choice(ctx, choice));
  ovk__adapter *adapter = calloc(1, sizeof *adapter);
  OVK_CHECK(adapter, ctx, OVK_ERR_MEMORY, "no memory for the emulated adapter");
  const ovk_err err = emulated_open_store(ctx, adapter);
  if (err) {
    free(adapter);
    return err;
  }
  *limits = (ovk__adapter_limits){.atomics = true,
                                  .inline_most = OVK__EMULATED_INLINE_MOST,
                                  .work_most = OVK__EMULATED_WORK_MOST,
                                  .depth_most = OVK__EMULATED_DEPTH_MOST};
  *out = adapter;
  return OVK_OK;
}

static ovk_err take(ovk_ctx *ctx, ovk__adapter *adapter, size_t bytes, ovk__region *out)
{
  OVK_TRY(ovk__store_take(ctx, &adapter->store, bytes, &adapter->areas));
  ovk__area *a = adapter->areas;
  *out = (ovk__region){.start = ovk__area_start(a),
                       .bytes = bytes,
                       .local_key = ovk__emulated_key(a->key),
                       .remote_key = a->key,
                       .handle = a};
  return OVK_OK;
}

static void emulated_deregister(ovk__adapter *adapter, ovk__region *region)
{
  ovk__store_release(&adapter->store, &adapter->areas, region->handle);
  *region = (ovk__region){0};
}

static int check(ovk__adapter *adapter)
{
  (void)adapter;
  return 0;
}

/* Every control block has an eventcount. */
static ovk_err start_listening(ovk_ctx *ctx, ovk__adapter *adapter)
{
  (void)ctx;
  (void)adapter;
  return OVK_OK;
}

static void arm(ovk__adapter *adapter)
{
  adapter->events = ovk__eventcount_watch(&adapter->control->eventcount);
}

static void fall_asleep(ovk__adapter *adapter, int milliseconds)
{
  ovk__eventcount_sleep(&adapter->control->eventcount, adapter->events, milliseconds);
}

static void wake(ovk__adapter *adapter)
{
  ovk__eventcount_notify(&adapter->control->eventcount);
}

const ovk__adapter_ops ovk__adapter_emulated = {
    .name = "emulated",
    .open = open_adapter,
    .close = close_adapter,
    .take = take,
    .release = emulated_deregister,
    .queue_create = ovk__emulated_create,
    .queue_address = ovk__emulated_address,
    .queue_connect = ovk__emulated_connect,
    .queue_destroy = ovk__emulated_destroy,
    .post = ovk__emulated_post,
    .poll = ovk__emulated_poll,
    .hang_up = ovk__emulated_hang_up,
    .check = check,
    .listen = start_listening,
    .arm = arm,
    .sleep = fall_asleep,
    .wake = wake,
    .text = ovk__emulated_text,
};
