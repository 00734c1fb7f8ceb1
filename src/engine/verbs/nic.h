/* SPDX-License-Identifier: BSD-2-Clause */
/* An adapter for remote memory access, as an endpoint needs it: memory that it may touch, pairs of
 * queues to other ranks, and one-sided work for these. Two fill the table: InfiniBand verbs, and an
 * emulation over shared memory for machines without an adapter. */
#ifndef OVK_ENGINE_VERBS_NIC_H
#define OVK_ENGINE_VERBS_NIC_H

#include "core/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ovk__nic ovk__nic;     /* an opened adapter, */
typedef struct ovk__queue ovk__queue; /* a reliable connection to one rank, with its own completion
                                         queue; their insides are the provider's */

/* Which adapter, and how. */
typedef struct ovk__nic_choice {
  const char *device; /* NULL: the first with an active port */
  int port;           /* counts from 1; 0: the first that is active */
  int gid;            /* index of the address; -1: that of RoCE v2 over IPv4 where there is one */
  double patience;    /* seconds that it tries to reach a peer before the work fails */
} ovk__nic_choice;

/* What the opened adapter can do. */
typedef struct ovk__nic_limits {
  bool atomics;       /* additions of 64-bit integers, atomic against each other */
  size_t inline_most; /* bytes of a write that need no memory after post returns; the same for all
                         queues */
  size_t work_most;   /* bytes of one work */
  int depth_most;     /* works that a queue holds */
} ovk__nic_limits;

/* Memory that the adapter may read and write. */
typedef struct ovk__region {
  char *start; /* aligned to cache lines */
  size_t bytes;
  uint32_t local_key, remote_key;
  void *handle; /* the provider's */
} ovk__region;

/* What the other side of a connection must know: plain bytes, to be sent as they are. */
typedef struct ovk__nic_address {
  unsigned char bytes[64];
} ovk__nic_address;

typedef enum ovk__work_kind {
  OVK__WRITE,
  OVK__READ,
  OVK__FETCH_ADD /* 8 bytes, aligned */
} ovk__work_kind;

/* Works of a queue complete in their order, without any help of the peer's processor. Writes are
 * visible in the peer's memory no later than writes of the same queue behind them. Additions and
 * reads take part in no such order: who minds waits for them, or seals what it reads. */
typedef struct ovk__work {
  ovk__work_kind kind;
  bool inlined;        /* a write that copies its data before post returns */
  bool signaled;       /* its completion is told, and with it that of all before */
  uint32_t local_key;  /* of the memory at `local`; not needed if inlined */
  uint32_t remote_key; /* of the memory at `remote` */
  void *local;         /* what is written; where to put what is read, or what was there before */
  uint64_t remote;     /* an address of the peer */
  size_t bytes;        /* a write of none tells whether the peer can be reached */
  uint64_t addend;     /* two's complement */
  uint64_t id;         /* told on completion */
} ovk__work;

/* Functions that return int return 0 or a status, which `text` puts into words, and do not block.
 */
typedef struct ovk__nic_ops {
  const char *name;

  /* Not collective. On failure there is nothing to close. A sentence says what was found. */
  ovk_err (*open)(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic **out,
                  ovk__nic_limits *limits);
  void (*close)(ovk__nic *nic); /* after all queues and regions */

  /* Zeros, for the adapter's use until release. */
  ovk_err (*take)(ovk_ctx *ctx, ovk__nic *nic, size_t bytes, ovk__region *out);
  void (*release)(ovk__nic *nic, ovk__region *region);

  /* A queue for up to `depth` works under way; then its address goes to the peer and the peer's
   * comes here: connect. Work may be posted once both sides have connected; a peer may be this
   * process itself. */
  ovk_err (*queue_create)(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out);
  void (*queue_address)(const ovk__queue *queue, ovk__nic_address *out);
  ovk_err (*queue_connect)(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer);
  void (*queue_destroy)(ovk__queue *queue);

  /* Hands works over. The caller keeps within the depth: works count until a completion behind them
   * was polled. What becomes of a work poll tells, even if that is known now. */
  int (*post)(ovk__queue *queue, const ovk__work *works, int n);

  /* *done <- the id of the last completed signaled work, if there is a new one. Failed work is a
   * status, whether it was signaled or not. */
  int (*poll)(ovk__queue *queue, uint64_t *done);

  /* Breaks the connection: what is under way fails, and so does what the peer posts from now on. */
  void (*hang_up)(ovk__queue *queue);

  /* Whether the adapter as a whole still works. */
  int (*check)(ovk__nic *nic);

  const char *(*text)(int status); /* lives for ever */
} ovk__nic_ops;

extern const ovk__nic_ops
    ovk__nic_ibverbs; /* or, where that is not compiled in, one that says so */
extern const ovk__nic_ops ovk__nic_emulated;

#endif
