/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of the NIC on libibverbs: an opened device, a queue and status codes. */
#ifndef OVK_COMM_NET_IBVERBS_IBVERBS_H
#define OVK_COMM_NET_IBVERBS_IBVERBS_H

#include "comm/net/nic.h"

#include <infiniband/verbs.h>

/* The number of retries of an unacknowledged packet; 7 would be unlimited with soft-RoCE. */
enum { OVK__IBVERBS_RETRIES = 6 };

struct ovk__nic {
  struct ibv_context *context;
  struct ibv_pd *domain; /* protection domain of all queues and regions */
  uint8_t port;
  uint8_t link_layer, mtu; /* link layer of the port, in the numbering of the verbs */
  uint16_t lid;            /* local identifier of the port in an InfiniBand subnet */
  bool global;             /* whether the port is addressed by GID; otherwise by LID */
  int gid_index;
  union ibv_gid gid;
  int reads_out, reads_in; /* limits of reads and atomics in flight: as requester, as responder */
  uint8_t timeout;         /* a packet is sent again after 4.096 us * 2^timeout */
  ovk__nic_limits limits;
  int broken; /* status if the device as a whole has failed, or 0 */
  struct ibv_comp_channel
      *events; /* completion channel of all queues of a listening NIC; NULL: it does not listen */
  int waker;   /* an eventfd that ends the sleep, too */
  _Atomic int asleep; /* the owner sleeps, or is about to */
  ovk__queue *queues; /* while it listens */
};

struct ovk__queue {
  ovk__nic *nic;
  struct ibv_cq *completions;
  struct ibv_qp *connection;
  uint32_t psn;  /* sequence number of its first packet */
  int broken;    /* status of the first failure, or 0 */
  uint64_t done; /* id of the last completed signaled work */
  bool is_new;   /* `done` has not been reported by poll */
  /* for a listening NIC: */
  int depth;  /* posted receives for writes that notify */
  bool armed; /* the next completion creates an event */
  ovk__queue *next;
};

/* Statuses: an ibv_wc_status, the negative of an errno, or one of these. */
enum {
  OVK__IBVERBS_GONE = -100000, /* the device is gone */
  OVK__IBVERBS_LOST,           /* completions were lost */
  OVK__IBVERBS_HUNG_UP
};

const char *ovk__ibverbs_text(int status);

/* The errno of a call that returns it directly, or returns -1 and sets errno. */
int ovk__ibverbs_errno(int returned);

/* The error code for an errno: OVK_ERR_MEMORY or OVK_ERR_NETWORK. */
ovk_err ovk__ibverbs_code(int error);

/* Sets context and port, with the port's attributes. */
ovk_err ovk__ibverbs_open_device(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic *nic);

/* Sets gid_index, gid and global. */
ovk_err ovk__ibverbs_choose_gid(ovk_ctx *ctx, int wanted, ovk__nic *nic);

/* Make the function that reads events from a file nonblocking. Returns 0 or errno. */
int ovk__ibverbs_never_block(int file);

/* Creates a queue pair and its completion queue; returns 0 or errno, *inlined <- the largest
 * inlined write. */
int ovk__ibverbs_make_pair(const ovk__nic *nic, int depth, uint32_t *inlined, struct ibv_cq **cq,
                           struct ibv_qp **qp);

ovk_err ovk__ibverbs_create(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out);
void ovk__ibverbs_address(const ovk__queue *queue, ovk__nic_address *out);
ovk_err ovk__ibverbs_connect(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer);
void ovk__ibverbs_destroy(ovk__queue *queue);
void ovk__ibverbs_hang_up(ovk__queue *queue);

/* Takes all completions from the queue and posts a receive for each used one. */
void ovk__ibverbs_drain(ovk__queue *queue);

/* Post receives without data for writes that notify. Does nothing unless the NIC listens. Returns 0
 * or errno. */
int ovk__ibverbs_receive(ovk__queue *queue, int n);

/* Sleep functions, documented in nic.h. A queue is added when it is created, and removed before it
 * is destroyed. */
ovk_err ovk__ibverbs_listen(ovk_ctx *ctx, ovk__nic *nic);
void ovk__ibverbs_listen_no_more(ovk__nic *nic);
void ovk__ibverbs_listen_to(ovk__nic *nic, ovk__queue *queue);
void ovk__ibverbs_leave(ovk__nic *nic, ovk__queue *queue);
void ovk__ibverbs_arm(ovk__nic *nic);
void ovk__ibverbs_sleep(ovk__nic *nic, int milliseconds);
void ovk__ibverbs_wake(ovk__nic *nic);

int ovk__ibverbs_post(ovk__queue *queue, const ovk__work *works, int n);
int ovk__ibverbs_poll(ovk__queue *queue, uint64_t *done);

#endif
