/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the provider on libibverbs share: an opened device, a queue, and the codes for
 * what fails. */
#ifndef OVK_ENGINE_VERBS_IBVERBS_IBVERBS_H
#define OVK_ENGINE_VERBS_IBVERBS_IBVERBS_H

#include "engine/verbs/nic.h"

#include <infiniband/verbs.h>

/* How often a packet is sent again that nobody answers. 7 would be for ever with soft-RoCE. */
enum { OVK__IBVERBS_RETRIES = 6 };

struct ovk__nic {
  struct ibv_context *context;
  struct ibv_pd *domain; /* queues and regions of the same one work together */
  uint8_t port;
  uint8_t link_layer, mtu; /* of the port, as the verbs number them, */
  uint16_t lid;            /* and its address inside an InfiniBand subnet */
  bool global;             /* addressed by GID; else by LID */
  int gid_index;
  union ibv_gid gid;
  int reads_out, reads_in; /* reads and additions under way at once: asked for, and answered */
  uint8_t timeout;         /* 4.096 us * 2^timeout until a packet is sent again */
  ovk__nic_limits limits;
  int broken; /* a status: the device as a whole has failed */
};

struct ovk__queue {
  const ovk__nic *nic;
  struct ibv_cq *completions;
  struct ibv_qp *pair;
  uint32_t psn; /* number of its first packet */
  int broken;   /* a status: the first that told of a failure */
};

/* Statuses: an ibv_wc_status as it is, an errno with a minus, or one of these. */
enum {
  OVK__IBVERBS_GONE = -100000, /* the device */
  OVK__IBVERBS_LOST,           /* completions */
  OVK__IBVERBS_HUNG_UP
};

const char *ovk__ibverbs_text(int status);

/* errno after a call that returned it, or -1. */
int ovk__ibverbs_errno(int returned);

/* OVK_ERR_MEMORY if it means that. */
ovk_err ovk__ibverbs_code(int error);

/* Sets context, port and what belongs to it. */
ovk_err ovk__ibverbs_open_device(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic *nic);

/* Sets gid_index, gid and global. */
ovk_err ovk__ibverbs_choose_gid(ovk_ctx *ctx, int wanted, ovk__nic *nic);

/* A queue pair and its completions; returns 0 or errno, *inlined <- how long inlined writes may be.
 */
int ovk__ibverbs_make_pair(const ovk__nic *nic, int depth, uint32_t *inlined, struct ibv_cq **cq,
                           struct ibv_qp **qp);

ovk_err ovk__ibverbs_create(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out);
void ovk__ibverbs_address(const ovk__queue *queue, ovk__nic_address *out);
ovk_err ovk__ibverbs_connect(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer);
void ovk__ibverbs_destroy(ovk__queue *queue);
void ovk__ibverbs_hang_up(ovk__queue *queue);

int ovk__ibverbs_post(ovk__queue *queue, const ovk__work *works, int n);
int ovk__ibverbs_poll(ovk__queue *queue, uint64_t *done);

#endif
