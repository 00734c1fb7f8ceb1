/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues of the emulated adapter, apart from the adapter itself; see nic.h for what these functions
 * do. */
#ifndef OVK_ENGINE_VERBS_EMULATED_QUEUE_H
#define OVK_ENGINE_VERBS_EMULATED_QUEUE_H

#include "engine/verbs/emulated/shared_store.h"
#include "engine/verbs/nic.h"

enum { OVK__EMULATED_DEPTH_MOST = 16384, OVK__EMULATED_SLOTS = 7680 /* queues of an adapter */ };

/* What peers see of the queues of an adapter: the token of the queue that each is connected to; 0
 * before that, and when the connection is broken. The first area that an adapter takes. */
typedef struct ovk__board {
  _Atomic uint64_t partner[OVK__EMULATED_SLOTS];
} ovk__board;

struct ovk__nic {
  ovk__store store;
  ovk__area *areas; /* own regions, and the board */
  ovk__board *board;
  uint64_t token;                 /* of the last queue, no two have the same */
  bool used[OVK__EMULATED_SLOTS]; /* on the board */
};

/* A local key from the remote one and the other way round: they differ, so that tests see one that
 * was taken for the other. */
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
