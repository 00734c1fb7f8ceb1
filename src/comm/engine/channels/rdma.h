/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of the channel rdma ("verbs" in specs): messages are RDMA writes into the memory of the
 * receiver, which polls it. */
#ifndef OVK_COMM_ENGINE_CHANNELS_RDMA_H
#define OVK_COMM_ENGINE_CHANNELS_RDMA_H

#include "comm/engine/channels/channel.h"
#include "comm/net/endpoint.h"

/* A rank to or from which there are messages. If the schedule is not a barrier, a receiver reports
 * its last finished generation to its senders, so that they know when a place may be overwritten.
 */
typedef struct ovk__rdma_peer {
  ovk__connection *connection;
  int nsends, nreceives; /* messages to and from it */
  const uint64_t *its; /* last generation that the peer has finished, in the memory of this rank */
  uint64_t own; /* address in the memory of the peer for the finished generation of this rank */
  uint32_t key; /* remote key of the memory of the peer */
  uint32_t input_key; /* remote key of its input, if that is lent */
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
  /* Of a long message between lent buffers: `bytes` is 0, and its arrival permits to read. */
  size_t read;   /* bytes to read; 0: none */
  uint64_t from; /* their address in the input of the peer */
  uint64_t id;   /* work id of the read */
} ovk__rdma_receive;

typedef struct ovk__rdma {
  ovk_ctx *ctx;
  ovk__endpoint *endpoint;
  const ovk__buffers *buffers;
  bool barrier;
  int window;            /* maximum number of writes in flight, and of reads; 0: no limit */
  const ovk__lent *lent; /* lent buffers; NULL: none, or the schedule has several rounds */
  ovk__block block;      /* copies, receive places, finished generations */
  ovk__send_copies copies;
  int npeers, nsends, nreceives;
  ovk__rdma_peer *peers;
  ovk__rdma_send *sends;           /* round by round */
  ovk__rdma_receive *receives;     /* round by round */
  int *first_send, *first_receive; /* [round]; one more entry for the end */
  uint64_t *finished;              /* last finished generation of this rank, in registered memory */
  int sent, complete;              /* posted sends and completed receives of this round */
  int oldest;                      /* the first send that may be in flight */
  int read;                        /* the first receive with a read that may be in flight */
  bool reported;                   /* the peers know that this rank has read everything */
  ovk__handshakes handshakes;      /* one for each peer, in order; freed after connecting */
  ovk__timer timer;                /* for timed_generation */
  uint64_t timed_generation;
} ovk__rdma;

/* Bytes after the data of a message in its place: padding to whole words, and the checksum flag. */
enum { OVK__FLAG_ROOM = 16 };

/* The operations of channel.h that are not in rdma.c. */
ovk_err ovk__rdma_make(const ovk__channel_args *args, void **out);
ovk_err ovk__rdma_connect(const ovk__channel_args *args, void *self, bool *failed);
ovk__handshakes *ovk__rdma_handshakes(void *self);
ovk_err ovk__rdma_connect_local(void *self);
int ovk__rdma_finish(void *self, uint64_t generation);
bool ovk__rdma_free(void *self, uint64_t generation, bool aborted);

/* Report to the peers that this generation has been received. */
int ovk__rdma_report(ovk__rdma *rdma, uint64_t generation);

/* For lent buffers; all return false if the endpoint has failed. read: post the read of a message
 * that may be read; *posted <- false: as many are in flight as may be. end: complete the reads, and
 * wait until the peers have read. */
bool ovk__rdma_read(ovk__rdma *rdma, ovk__rdma_receive *receive, bool *posted);
bool ovk__rdma_end(ovk__rdma *rdma, uint64_t generation, bool *complete);

/* Check after an unsuccessful test that the peer can be reached. */
bool ovk__rdma_check(ovk__rdma *rdma, ovk__connection *connection, uint64_t generation);

/* Write the handshakes for the peers. */
ovk_err ovk__rdma_write_handshakes(ovk__rdma *rdma);

/* Return the last generation that this peer has reported as finished. */
uint64_t ovk__rdma_finished_by(const ovk__rdma_peer *peer);

#endif
