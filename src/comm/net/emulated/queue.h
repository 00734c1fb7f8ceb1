/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues of the emulated NIC; nic.h documents the functions. */
#ifndef OVK_COMM_NET_EMULATED_QUEUE_H
#define OVK_COMM_NET_EMULATED_QUEUE_H

#include "comm/net/emulated/eventcount.h"
#include "comm/net/emulated/shared_store.h"
#include "comm/net/nic.h"

enum { OVK__EMULATED_DEPTH_MOST = 16384, OVK__EMULATED_SLOTS = 7680 /* queues of a NIC */ };

/* The part of a NIC that peers access: the eventcount that ends the sleep of its owner, and for
 * each queue the token of the connected queue, which is 0 before the connection is made and after
 * it is broken. It is the first area of a NIC. */
typedef struct ovk__control_block {
  ovk__eventcount eventcount;
  _Atomic uint64_t peer_token[OVK__EMULATED_SLOTS];
} ovk__control_block;

enum { OVK__EMULATED_NEVER = -1 };

struct ovk__nic {
  ovk__store store;
  ovk__area *areas; /* the regions of this NIC and the control block */
  ovk__control_block *control;
  uint32_t events;                /* number of events when the sleep of the owner was armed */
  double ns_per_byte;             /* of its link, for reads; 0: a read takes only its copy */
  int64_t link_free;              /* the time at which the link has carried all reads */
  _Atomic int64_t wake_at;        /* the first time at which a read that was polled since the sleep
                                     was armed is complete, or never. The owner sleeps without
                                     exclusion, so it is atomic */
  uint64_t token;                 /* token of the last queue; tokens are unique */
  bool used[OVK__EMULATED_SLOTS]; /* [slot]: in use */
};

/* Converts a local key to the remote one and vice versa. They differ, so that tests detect one used
 * for the other. */
uint32_t ovk__emulated_key(uint32_t key);

ovk_err ovk__emulated_create(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out);
void ovk__emulated_address(const ovk__queue *queue, ovk__nic_address *out);
ovk_err ovk__emulated_connect(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer);
void ovk__emulated_destroy(ovk__queue *queue);
int ovk__emulated_post(ovk__queue *queue, const ovk__work *works, int n);
int ovk__emulated_poll(ovk__queue *queue, uint64_t *done);
void ovk__emulated_hang_up(ovk__queue *queue);
const char *ovk__emulated_text(int status);

#endif
