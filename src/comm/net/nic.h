/* SPDX-License-Identifier: BSD-2-Clause */
/* A NIC for remote memory access, as an endpoint needs it: registered memory, connections of queues
 * to other ranks, and one-sided works. There are two implementations: InfiniBand verbs, and an
 * emulation over shared memory for machines without a NIC. */
#ifndef OVK_COMM_NET_NIC_H
#define OVK_COMM_NET_NIC_H

#include "core/context/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ovk__nic ovk__nic;     /* an opened NIC */
typedef struct ovk__queue ovk__queue; /* a reliable connection to one rank, with its own completion
                                         queue; both are defined by the implementation */

/* A connection stores the index of its address in 8 bits, also if a port has more addresses. */
enum { OVK__GID_MOST = UINT8_MAX };

/* The choice of a NIC. */
typedef struct ovk__nic_choice {
  const char *device; /* NULL: the first with an active port */
  int port;           /* from 1; 0: the first active one */
  int gid;            /* index of the address; -1: RoCE v2 over IPv4 if there is one */
  double timeout;     /* seconds of retries to reach a peer before a work fails */
  double rate;        /* Gbit/s of the link of the emulated NIC, for reads; 0: no limit */
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
  char *start; /* aligned to cache lines, unless it is lent */
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

/* Works of a queue complete in order, without action of the processor of the peer. Writes become
 * visible in the memory of the peer no later than subsequent writes of the same queue. Additions
 * and reads are not ordered in this way: a caller that needs an order waits for their completion,
 * or adds a checksum to the data. */
typedef struct ovk__work {
  ovk__work_kind kind;
  bool inlined;  /* the write copies its data before post returns */
  bool signaled; /* the completion is reported, and implies the completion of all earlier works */
  bool notifies; /* the write ends the sleep of the peer, which listens */
  uint32_t local_key;  /* of the memory at `local`; not needed if inlined */
  uint32_t remote_key; /* of the memory at `remote` */
  void *local; /* data to write; or the destination of a read, or of the value before an addition */
  uint64_t remote; /* an address of the peer */
  size_t bytes;    /* a write of 0 bytes checks whether the peer can be reached */
  uint64_t addend; /* two's complement */
  uint64_t id;     /* returned on completion */
} ovk__work;

/* Functions that return int return 0 or a status, which `text` translates, and do not block. */
typedef struct ovk__nic_ops {
  const char *name;

  /* Not collective. After an error there is nothing to close. The error message lists the devices
   * that were found. */
  ovk_err (*open)(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic **out,
                  ovk__nic_limits *limits);
  void (*close)(ovk__nic *nic); /* after all queues and regions are released */

  /* Allocates zeros and registers them until release. */
  ovk_err (*take)(ovk_ctx *ctx, ovk__nic *nic, size_t bytes, ovk__region *out);
  void (*release)(ovk__nic *nic, ovk__region *region);

  /* Registers memory of the caller: peers may read it, or, if `written`, reads of this NIC may
   * write it, and nothing else. An error is no failure of the NIC: some memory, and some systems,
   * do not allow it. return_lent ends all access; a read in progress of the emulated NIC may
   * continue. */
  ovk_err (*lend)(ovk_ctx *ctx, ovk__nic *nic, void *start, size_t bytes, bool written,
                  ovk__region *out);
  void (*return_lent)(ovk__nic *nic, ovk__region *region);

  /* Create a queue for up to `depth` works in flight. queue_address gets its address for the peer,
   * queue_connect connects it to the address of the peer. Works may be posted after both sides have
   * connected. A peer may be this process itself. */
  ovk_err (*queue_create)(ovk_ctx *ctx, ovk__nic *nic, int depth, ovk__queue **out);
  void (*queue_address)(const ovk__queue *queue, ovk__nic_address *out);
  ovk_err (*queue_connect)(ovk_ctx *ctx, ovk__queue *queue, const ovk__nic_address *peer);
  void (*queue_destroy)(ovk__queue *queue);

  /* Post works. The caller must not exceed the depth: a work counts until a completion of it or of
   * a later work was polled. poll reports failures of works, even if they are known here. */
  int (*post)(ovk__queue *queue, const ovk__work *works, int n);

  /* *done <- the id of the last completed signaled work, if there is a new one. Returns the status
   * of a failed work, signaled or not. */
  int (*poll)(ovk__queue *queue, uint64_t *done);

  /* Break the connection: works in flight fail, and so do works that the peer posts from now on. */
  void (*hang_up)(ovk__queue *queue);

  /* Whether the NIC as a whole still works. */
  int (*check)(ovk__nic *nic);

  /* From now on the owner may sleep until works arrive that notify. To be called before any queue
   * is created. */
  ovk_err (*listen)(ovk_ctx *ctx, ovk__nic *nic);

  /* One thread sleeps. It calls arm, checks its memory and completions once more, and calls sleep
   * if it found nothing. sleep returns when a work arrives that notifies, a work in flight has
   * failed or is complete with `signaled`, or wake was called after arm. It returns after the given
   * milliseconds at the latest (-1: no limit), and may return earlier without a reason. */
  void (*arm)(ovk__nic *nic);
  void (*sleep)(ovk__nic *nic, int milliseconds);
  void (*wake)(ovk__nic *nic); /* from any thread of the process */

  const char *(*text)(int status); /* static storage */
} ovk__nic_ops;

extern const ovk__nic_ops ovk__nic_ibverbs; /* without libibverbs: open returns an error */
extern const ovk__nic_ops ovk__nic_emulated;

#endif
