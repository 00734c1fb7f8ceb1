/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of the channel rdma ("verbs" in specs): a schedule's messages as RDMA writes into the
 * receiver's memory, which the receiver polls. */
#ifndef OVK_COMM_ENGINE_CHANNELS_RDMA_H
#define OVK_COMM_ENGINE_CHANNELS_RDMA_H

#include "comm/engine/channels/channel.h"
#include "comm/net/endpoint.h"

/* A rank that messages go to or come from. Where the schedule is no barrier, a receiver reports to
 * its senders which generation it has finished, so that they know when a place may be overwritten.
 */
typedef struct ovk__rdma_peer {
  ovk__connection *connection;
  int nsends, nreceives; /* messages to it, and from it */
  const uint64_t *its;   /* last generation that the peer has finished, in this rank's memory */
  uint64_t own;          /* address in the peer's memory for this rank's finished generation */
  uint32_t key;          /* remote key of the peer's memory */
} ovk__rdma_peer;

/* An outgoing message: its copy, and the first of its two places at the receiver. */
typedef struct ovk__rdma_send {
  int peer, copy;
  uint64_t address;
  uint64_t id; /* work id of its last write */
} ovk__rdma_send;

/* An incoming message: the first of its two places. */
typedef struct ovk__rdma_receive {
  int peer;
  const char *place;
  ovk_place to;
  size_t bytes;
} ovk__rdma_receive;

typedef struct ovk__rdma {
  ovk_ctx *ctx;
  ovk__endpoint *endpoint;
  const ovk__buffers *buffers;
  bool barrier;
  int window;       /* writes in flight at most; 0: no limit */
  ovk__block block; /* copies, receive places, finished generations */
  ovk__send_copies copies;
  int npeers, nsends, nreceives;
  ovk__rdma_peer *peers;
  ovk__rdma_send *sends;           /* round by round */
  ovk__rdma_receive *receives;     /* round by round */
  int *first_send, *first_receive; /* [round]; one more entry for the end */
  uint64_t *finished;              /* this rank's last finished generation, in registered memory */
  int sent, complete;              /* posted sends and completed receives of this round */
  int oldest;                      /* the first send that may be in flight */
  ovk__handshakes handshakes;      /* one for each peer, in order; freed once connected */
  ovk__timer timer;                /* for timed_generation */
  uint64_t timed_generation;
} ovk__rdma;

/* Bytes behind a message's data in its place: padding to whole words, and the checksum flag. */
enum { OVK__FLAG_ROOM = 16 };

/* The operations of channel.h that are not in rdma.c. */
ovk_err ovk__rdma_make(const ovk__channel_args *args, void **out);
ovk_err ovk__rdma_connect(const ovk__channel_args *args, void *self, bool *failed);
ovk__handshakes *ovk__rdma_handshakes(void *self);
ovk_err ovk__rdma_connect_local(void *self);
int ovk__rdma_finish(void *self, uint64_t generation);
bool ovk__rdma_free(void *self, uint64_t generation, bool aborted);

/* Writes the handshakes to the peers. */
ovk_err ovk__rdma_write_handshakes(ovk__rdma *rdma);

/* The last generation that this peer has reported as finished. */
uint64_t ovk__rdma_finished_by(const ovk__rdma_peer *peer);

#endif
