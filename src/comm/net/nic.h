/* SPDX-License-Identifier: BSD-2-Clause */
/* A NIC for remote memory access, as an endpoint needs it: registered memory, connections of
 * queues to other ranks, and one-sided works. There are two implementations: InfiniBand verbs, and
 * an emulation over shared memory for machines without a NIC. */
#ifndef OVK_COMM_NET_NIC_H
#define OVK_COMM_NET_NIC_H

#include "core/context/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ovk__nic ovk__nic;     /* an opened NIC */
typedef struct ovk__queue ovk__queue; /* a reliable connection to one rank, with its own completion
                                         queue; both are defined by the implementation */

/* A connection stores the index of its address in 8 bits, however many addresses a port has. */
enum { OVK__GID_MOST = UINT8_MAX };

/* The choice of a NIC. */
typedef struct ovk__nic_choice {
  const char *device; /* NULL: the first with an active port */
  int port;           /* from 1; 0: the first active one */
  int gid;            /* index of the address; -1: RoCE v2 over IPv4 if there is one */
  double timeout;     /* seconds that it retries to reach a peer before a work fails */
} ovk__nic_choice;

/* The limits of an opened NIC. */
typedef struct ovk__nic_limits {
  bool atomics;       /* additions of 64-bit integers, atomic with respect to each other */
  size_t inline_most; /* bytes of a write that may be inlined; the same for all queues */
  size_t work_most;   /* bytes of one work */
  int depth_most;     /* capacity of a queue */
} ovk__nic_limits;

/* Memory that the NIC may read and write. */
typedef struct ovk__region {
  char *start; /* aligned to cache lines */
  size_t bytes;
  uint32_t local_key, remote_key;
  void *handle; /* the implementation's */
} ovk__region;

/* The address of a queue for the peer: plain bytes, to be sent as they are. */
typedef struct ovk__nic_address {
  unsigned char bytes[64];
} ovk__nic_address;

typedef enum ovk__work_kind {
  OVK__WRITE,
  OVK__READ,
  OVK__FETCH_ADD /* 8 bytes, aligned */
} ovk__work_kind;

/* Works of a queue complete in order, without action of the peer's processor. Writes become visible
 * in the peer's memory no later than subsequent writes of the same queue. Additions and reads are
 * not ordered in this way: a caller that depends on it waits for their completion, or adds a
 * checksum to what it reads. */
typedef struct ovk__work {
  ovk__work_kind kind;
  bool inlined;        /* a write that copies its data before post returns */
  bool signaled;       /* its completion is reported, and implies that of all works before */
  bool notifies;       /* a write that ends the peer's sleep; the peer listens */
  uint32_t local_key;  /* of the memory at `local`; not needed if inlined */
  uint32_t remote_key; /* of the memory at `remote` */
  void *local; /* data to write; where to put data that is read, or the value before an addition */
  uint64_t remote; /* an address of the peer */
  size_t bytes;    /* a write of 0 bytes checks whether the peer can be reached */
  uint64_t addend; /* two's complement */
  uint64_t id;     /* returned on completion */
} ovk__work;

/* Functions that return int return 0 or a status, which `text` translates, and do not block. */
typedef struct ovk__nic_ops {
  const char *name;

  /* Not collective. After an error there is nothing to close. The error message lists what was
   * found. */
  ovk_err (*open)(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic **out,
                  ovk__nic_limits *limits);
  void (*close)(ovk__nic *nic); /* after all queues and regions are released */

  /* Allocates zeros and registers them until release. */
  ovk_err (*take)(ovk_ctx *ctx, ovk__nic *nic, size_t bytes, ovk__region *out);
  void (*release)(ovk__nic *nic, ovk__region *region);

  /* Creates a queue for up to `depth` works in flight; queue_address gets its address for the peer,
   * queue_connect connects it to the peer's address. Works may be posted once both sides have
   * connected; a peer may be this process itself. */
  ovk_err (*queue_create)(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out);
  void (*queue_address)(const ovk__queue *queue, ovk__nic_address *out);
  ovk_err (*queue_connect)(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer);
  void (*queue_destroy)(ovk__queue *queue);

  /* Posts works. The caller must not exceed the depth; works count until a completion at or behind
   * them was polled. Failures of works are reported by poll, even if known here. */
  int (*post)(ovk__queue *queue, const ovk__work *works, int n);

  /* *done <- the id of the last completed signaled work, if there is a new one. Returns the status
   * of a failed work, signaled or not. */
  int (*poll)(ovk__queue *queue, uint64_t *done);

  /* Breaks the connection: works in flight fail, and so do works that the peer posts from now on.
   */
  void (*hang_up)(ovk__queue *queue);

  /* Whether the NIC as a whole still works. */
  int (*check)(ovk__nic *nic);

  /* From now on its owner may sleep until works arrive that notify. Before any queue is created. */
  ovk_err (*listen)(ovk_ctx *ctx, ovk__nic *nic);

  /* One thread sleeps. It calls arm, looks at its memory and completions once more, and calls sleep
   * if it found nothing. sleep returns when a work arrives that notifies, a work in flight has
   * failed or is complete with `signaled`, or wake is called, also if that was since arm; and
   * after so many milliseconds (-1: no limit). It may return without a reason. */
  void (*arm)(ovk__nic *nic);
  void (*sleep)(ovk__nic *nic, int milliseconds);
  void (*wake)(ovk__nic *nic); /* from any thread of the process */

  const char *(*text)(int status); /* static storage */
} ovk__nic_ops;

extern const ovk__nic_ops ovk__nic_ibverbs; /* without libibverbs: open returns an error */
extern const ovk__nic_ops ovk__nic_emulated;

#endif
