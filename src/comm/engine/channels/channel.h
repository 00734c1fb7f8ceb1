/* SPDX-License-Identifier: BSD-2-Clause */
/* The interface of a channel, which transports the messages of a schedule, and helpers for all
 * channels. A new channel needs a file with its ovk__channel_ops, a line in channel_list.c, a value
 * of ovk__channel in schedule.h, by which schedules name it, and its name in algorithm_spec.c. */
#ifndef OVK_COMM_ENGINE_CHANNELS_CHANNEL_H
#define OVK_COMM_ENGINE_CHANNELS_CHANNEL_H

#include "comm/engine/channels/handshake.h"
#include "comm/engine/schedule/schedule.h"
#include "core/node/arena.h"

#include <stdint.h>

struct ovk__endpoint;
struct ovk__lent;

/* The resources that connect the ranks of an engine. */
typedef struct ovk__transport_ctx {
  ovk_ctx *ctx;
  MPI_Comm comm;
  MPI_Comm node; /* the ranks of comm that share memory with this one */
  MPI_Group comm_group, node_group;
  ovk__arenas arenas;             /* slots in the shared memory of the node */
  struct ovk__endpoint *endpoint; /* for RDMA writes; NULL on all ranks or on none */
} ovk__transport_ctx;

/* The rank in `node` of rank `peer` of comm; MPI_UNDEFINED if it is on another node. */
int ovk__transport_node_rank(const ovk__transport_ctx *transport, int peer);

/* The addresses of the buffers of a request. Input and output may change between two generations.
 */
typedef struct ovk__buffers {
  char *at[OVK__NBUFFERS]; /* NULL: the schedule does not use it */
  size_t element;          /* bytes */
} ovk__buffers;

/* The address of a place. */
void *ovk__buffers_at(const ovk__buffers *buffers, ovk_place place);

/* The longest message in bytes that is copied even if the buffers are lent to the NIC. */
enum { OVK__COPIED_MOST = (64 << 10) - 1 };

/* The arguments of a channel. They must outlive the state of the channel. */
typedef struct ovk__channel_args {
  ovk__transport_ctx *transport;
  const ovk__schedule *schedule;
  const ovk__buffers *buffers;
  int tag;                      /* MPI tag of the messages of the request, on comm and on node */
  int window;                   /* maximum number of RDMA writes in flight; 0: no limit */
  const struct ovk__lent *lent; /* as in ovk__op_desc */
} ovk__channel_args;

/* start, test and finish return this code after a failure of the endpoint, otherwise MPI error
 * codes. */
enum { OVK__NETWORK_FAILED = -1 };

/* A generation is one execution of a schedule, counted from 1, with the same number on all ranks.
 */
typedef struct ovk__channel_ops {
  /* Lists the messages over this channel and allocates memory; *out stays NULL if there are none.
   * Not collective. free() must be called on *out also after an error. */
  ovk_err (*make)(const ovk__channel_args *args, void **out);
  /* Exchanges buffer addresses with the peers. Collective over comm, also for ranks without
   * messages, whose `self` is NULL. Errors are not agreed. If a rank passes *failed or fails here
   * outside MPI, no other rank hangs, and *failed becomes true if the channel detects it. NULL:
   * nothing to do. */
  ovk_err (*connect)(const ovk__channel_args *args, void *self, bool *failed);
  /* The same if the caller transports the handshakes: get those that make has written, and connect
   * after the handshakes of the peers have been received, which frees them. Not collective. NULL:
   * this channel needs MPI. */
  ovk__handshakes *(*handshakes)(void *self);
  ovk_err (*connect_local)(void *self);
  /* Returns true if this generation may begin: the peers have read the data that it overwrites.
   * NULL: always true. */
  bool (*ready)(void *self, uint64_t generation);
  /* Returns whether all messages of the first round have arrived, although this generation has not
   * begun here. NULL: unknown. */
  bool (*has_come)(void *self, uint64_t generation);
  /* Starts the messages of a round. */
  int (*start)(void *self, int round, uint64_t generation);
  /* Progresses the messages of a round; *complete: all of them are complete. */
  int (*test)(void *self, int round, uint64_t generation, bool *complete);
  /* Notifies senders that this generation has been received completely. NULL: no sender needs it.
   */
  int (*finish)(void *self, uint64_t generation);
  /* `generation` is the last one that was begun. Waits until no rank or NIC accesses the memory of
   * the channel, unless a generation was `aborted`. Returns false if MPI may still access the
   * buffers of the request. Not collective. */
  bool (*free)(void *self, uint64_t generation, bool aborted);
} ovk__channel_ops;

/* All channels, in the order in which a round starts them: channels that copy at once come first. A
 * round is tested in the opposite order: channels that MPI or a NIC progresses come first. */
extern const ovk__channel_ops *const ovk__channels[OVK__NCHANNELS];

/* Whether an action is a message of this kind over this channel. */
bool ovk__is_message(const ovk__action *action, ovk__action_kind kind, ovk__channel channel);

/* The number of such messages in a schedule. */
int ovk__count_messages(const ovk__schedule *schedule, ovk__action_kind kind, ovk__channel channel);

/* A copy of the data that a channel sends, in two places for even and odd generations; executor.c
 * explains when a place may be overwritten. Consecutive sends of the same data in a round share one
 * copy. */
typedef struct ovk__send_copy {
  ovk_place from;
  size_t bytes;
  size_t offset; /* offset of the first place in the memory for all copies of a channel */
  size_t stride; /* bytes from the first place to the second */
} ovk__send_copy;

/* All send copies of a schedule on one channel. */
typedef struct ovk__send_copies {
  ovk__send_copy *list; /* in the order of rounds */
  int *first;           /* [round]: its first copy; one more entry for the end */
  int *of_send;         /* the copy of each send over the channel, in the order of actions */
  size_t bytes;         /* of all places */
} ovk__send_copies;

/* Create the list. Places start on cache lines. `head`: bytes for the channel in front of the data.
 * Of a message of more than `most` bytes there is no copy but of 0 bytes. ovk__send_copies_free()
 * must be called also after an error. */
ovk_err ovk__send_copies_make(ovk_ctx *ctx, const ovk__schedule *schedule, ovk__channel channel,
                              size_t element, size_t head, size_t most, ovk__send_copies *out);
/* Write the data of a copy. */
void ovk__send_copy_write(const ovk__send_copy *copy, const ovk__buffers *buffers, char *to);
/* Return the stride of a copy of `bytes`, which include the head: whole cache lines. */
size_t ovk__send_copy_stride(size_t bytes);
void ovk__send_copies_free(ovk__send_copies *copies);

#endif
