/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues of the emulated NIC. They reject the same works as real NICs, and report errors as late.
 */
#include "comm/net/emulated/queue.h"
#include "comm/net/emulated/work.h"
#include "core/base/clock.h"
#include "core/context/mem.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct ovk__queue {
  ovk__nic *nic;
  int depth, slot;
  uint64_t token;
  ovk__store_name peer;
  ovk__area *areas;   /* the mapped areas of the peer */
  ovk__area *control; /* control block of the peer; NULL: not connected */
  const _Atomic uint64_t
      *peer_entry;             /* the entry of the peer for this queue in its control block */
  ovk__eventcount *eventcount; /* the eventcount of the peer */
  uint64_t posted, signaled,
      reported; /* works: all of them; up to the last signaled one; reported by poll */
  uint64_t id;  /* id of the last signaled work */
  int64_t due;  /* the time at which the link has carried its reads; 0: it has */
  int status;   /* the reason why the queue is broken, or DONE */
};

/* The address of a queue. */
typedef struct address {
  char kind[8]; /* "emulated" */
  ovk__store_name store;
  uint64_t token;
  uint64_t slot;
} address;
_Static_assert(sizeof(address) <= sizeof(ovk__nic_address), "it has to fit in there");

typedef enum status {
  DONE,
  FULL,
  MALFORMED,
  UNCONNECTED,
  LOCAL_ACCESS,
  REMOTE_ACCESS,
  UNREACHABLE,
  HUNG_UP
} status;

const char *ovk__emulated_text(int number)
{
  static const char *const texts[] = {[DONE] = "success",
                                      [FULL] = "more works in flight than the queue holds",
                                      [MALFORMED] = "a work that no NIC accepts",
                                      [UNCONNECTED] = "the queue is not connected",
                                      [LOCAL_ACCESS] = "local protection error",
                                      [REMOTE_ACCESS] = "remote access error",
                                      [UNREACHABLE] = "transport retry counter exceeded",
                                      [HUNG_UP] = "the connection was hung up"};
  return number >= DONE && number <= HUNG_UP ? texts[number] : "unknown status";
}

ovk_err ovk__emulated_create(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out)
{
  int slot = 0;
  OVK_CHECK(depth >= 1 && depth <= OVK__EMULATED_DEPTH_MOST, ctx, OVK_ERR_ARG,
            "depth is %d; a queue of the emulated NIC holds 1 to %d works", depth,
            OVK__EMULATED_DEPTH_MOST);
  while (slot < OVK__EMULATED_SLOTS && nic->used[slot]) slot++;
  OVK_CHECK(slot < OVK__EMULATED_SLOTS, ctx, OVK_ERR_RANGE,
            "the emulated NIC has at most %d queues", OVK__EMULATED_SLOTS);
  OVK_NEW_AT(ctx, *out, ovk__queue, queue);
  *queue = (ovk__queue){.nic = nic, .depth = depth, .slot = slot, .token = ++nic->token};
  nic->used[slot] = true;
  return OVK_OK;
}

void ovk__emulated_address(const ovk__queue *queue, ovk__nic_address *out)
{
  address a = {
      .store = queue->nic->store.name, .token = queue->token, .slot = (uint64_t)queue->slot};
  memcpy(a.kind, ovk__nic_emulated.name, sizeof a.kind);
  *out = (ovk__nic_address){{0}};
  memcpy(out->bytes, &a, sizeof a);
}

ovk_err ovk__emulated_connect(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer)
{
  address a;
  memcpy(&a, peer->bytes, sizeof a);
  OVK_CHECK(!queue->control && !queue->status, ctx, OVK_ERR_STATE,
            "a queue can be connected only once");
  OVK_CHECK(memcmp(a.kind, ovk__nic_emulated.name, sizeof a.kind) == 0 &&
                a.slot < OVK__EMULATED_SLOTS,
            ctx, OVK_ERR_ARG, "the address of the peer is not that of a queue of an emulated NIC");
  OVK_CHECK(a.store.host == queue->nic->store.name.host, ctx, OVK_ERR_UNSUPPORTED,
            "the emulated NIC works within one machine only, and the peer is on another one");
  errno = 0;
  const bool mapped = ovk__store_map(&a.store, OVK__STORE_FIRST_KEY, &queue->control);
  OVK_CHECK(mapped || !ovk__store_is_short(errno), ctx, OVK_ERR_MEMORY,
            "the memory of process %d of the peer cannot be mapped: %s", (int)a.store.pid,
            strerror(errno));
  OVK_CHECK(mapped, ctx, OVK_ERR_UNSUPPORTED,
            "the emulated NIC works within one machine only, and there is no way to the memory "
            "of process %d of the peer: it may be in another container, another user's, or gone",
            (int)a.store.pid);
  queue->peer = a.store;
  ovk__control_block *control = (ovk__control_block *)ovk__area_start(queue->control);
  queue->peer_entry = &control->peer_token[a.slot];
  queue->eventcount = &control->eventcount;
  /* Pairs with the load in the peer's carry_out(): this end is connected. Memory was registered
   * before, and its key reaches the peer by a later message. */
  atomic_store(&queue->nic->control->peer_token[queue->slot], a.token);
  return OVK_OK;
}

/* After this no work succeeds in either direction, as with real NICs. */
static void disconnect(ovk__queue *q, status why)
{
  if (!q->status) q->status = (int)why;
  /* Pairs with the load in the peer's carry_out(). A work of the peer that has passed that load may
   * still write, but only to areas that are never used for anything else: keys are used once. */
  atomic_store(&q->nic->control->peer_token[q->slot], 0);
}

void ovk__emulated_hang_up(ovk__queue *queue)
{
  disconnect(queue, HUNG_UP);
}

void ovk__emulated_destroy(ovk__queue *queue)
{
  ovk__emulated_hang_up(queue);
  queue->nic->used[queue->slot] = false;
  ovk__areas_unmap(&queue->areas);
  ovk__areas_unmap(&queue->control);
  free(queue);
}

uint32_t ovk__emulated_key(uint32_t key)
{
  return ~key;
}

static char *reach_local(const ovk__queue *q, const ovk__work *w)
{
  if (w->inlined) return w->local;
  const ovk__area *a = ovk__areas_find(q->nic->areas, ovk__emulated_key(w->local_key));
  if (a && w->kind == OVK__READ && ovk__area_lends(a, (uintptr_t)w->local, w->bytes))
    return w->local;
  return a ? ovk__area_at(a, (uintptr_t)w->local, w->bytes) : NULL;
}

static char *reach_remote(ovk__queue *q, const ovk__work *w)
{
  const ovk__area *a = ovk__areas_find(q->areas, w->remote_key);
  if (!a && ovk__store_map(&q->peer, w->remote_key, &q->areas)) a = q->areas;
  return a ? ovk__area_at(a, w->remote, w->bytes) : NULL;
}

/* For memory that the peer has lent, after reach_remote() has not found it. */
static bool read_lent(const ovk__queue *q, const ovk__work *w, char *local)
{
  const ovk__area *a = ovk__areas_find(q->areas, w->remote_key);
  return a && w->kind == OVK__READ &&
         ovk__area_read_lent(a, q->peer.pid, w->remote, local, w->bytes);
}

static status carry_out(ovk__queue *q, const ovk__work *w)
{
  /* Pairs with the peer's stores in ovk__emulated_connect() and disconnect(). */
  if (atomic_load(q->peer_entry) != q->token) return UNREACHABLE;
  if (w->bytes == 0) return ovk__store_lives(&q->peer) ? DONE : UNREACHABLE;
  char *local = reach_local(q, w);
  if (!local) return LOCAL_ACCESS;
  char *remote = reach_remote(q, w);
  if (!remote && !read_lent(q, w, local))
    return ovk__store_lives(&q->peer) ? REMOTE_ACCESS : UNREACHABLE;
  if (remote) ovk__emulated_do(w, local, remote);
  if (w->notifies) ovk__eventcount_notify(q->eventcount);
  return DONE;
}

/* The link carries one read at a time. The copy is made before: the memory of a read is undefined
 * until it is complete. */
static void occupy_link(ovk__queue *q, const ovk__work *w)
{
  ovk__nic *nic = q->nic;
  if (w->kind != OVK__READ || nic->ns_per_byte <= 0) return;
  const int64_t now = ovk__clock_ns();
  if (nic->link_free < now) nic->link_free = now;
  nic->link_free += (int64_t)(nic->ns_per_byte * (double)w->bytes);
  q->due = nic->link_free;
}

/* Whether all works are complete. Those of a queue are reported together. */
static bool is_due(ovk__queue *q)
{
  if (q->due && ovk__clock_ns() >= q->due) q->due = 0;
  if (!q->due) return true;
  const int64_t first = atomic_load(&q->nic->wake_at);
  if (first == OVK__EMULATED_NEVER || q->due < first) atomic_store(&q->nic->wake_at, q->due);
  return false;
}

/* Returns errors of the caller; failures of works are reported by poll. */
int ovk__emulated_post(ovk__queue *queue, const ovk__work *works, int n)
{
  ovk__queue *q = queue;
  if (q->status) return q->status;
  if (!q->control) return UNCONNECTED;
  if (q->posted - q->reported + (uint64_t)n > (uint64_t)q->depth) return FULL;
  for (int k = 0; k < n; k++) {
    if (!ovk__emulated_takes(&works[k])) return MALFORMED;
    occupy_link(q, &works[k]);
    const status s = carry_out(q, &works[k]);
    if (s != DONE) {
      disconnect(q, s);
      return DONE;
    }
    q->posted++;
    if (!works[k].signaled) continue;
    q->signaled = q->posted;
    q->id = works[k].id;
  }
  return DONE;
}

int ovk__emulated_poll(ovk__queue *queue, uint64_t *done)
{
  if (queue->reported < queue->signaled && is_due(queue)) {
    *done = queue->id;
    queue->reported = queue->signaled;
  }
  return queue->status;
}
