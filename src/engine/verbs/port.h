/* SPDX-License-Identifier: BSD-2-Clause */
/* The channel verbs: a schedule's messages as remote writes into the receiver's memory, which the
 * receiver looks at. */
#ifndef OVK_ENGINE_VERBS_PORT_H
#define OVK_ENGINE_VERBS_PORT_H

#include "engine/channel.h"
#include "engine/verbs/endpoint.h"

/* A rank that messages go to or come from. Where the schedule is no barrier, a receiver tells its
 * senders which generation it has finished, for a place may not be written before. */
typedef struct ovk__correspondent {
  ovk__pair *pair;
  int nsends, ninlets; /* messages to it, and from it */
  const uint64_t *its; /* what it says that it has finished, in this rank's memory */
  uint64_t own;        /* where to tell it, in its memory */
  uint32_t key;        /* to its memory */
} ovk__correspondent;

/* A message that goes out: a letter, and the first of its two places at the receiver. */
typedef struct ovk__outlet {
  int correspondent, letter;
  uint64_t address;
  uint64_t id; /* of its last work */
} ovk__outlet;

/* A message that comes in: the first of its two places. */
typedef struct ovk__entrance {
  int correspondent;
  const char *place;
  void *to;
  size_t bytes;
} ovk__entrance;

/* Memory to connect with, taken beforehand: ranks wait for each other then. */
typedef struct ovk__port_exchange {
  uint64_t *texts; /* to and from each correspondent in turn */
  MPI_Request *requests;
  int *peers, nrequests;
} ovk__port_exchange;

typedef struct ovk__port {
  ovk__endpoint *endpoint; /* NULL: no messages */
  bool barrier;
  int window;       /* writes under way at most; 0: no limit */
  ovk__block block; /* letters, entrances, and what was finished where */
  ovk__letters letters;
  int ncorrespondents, noutlets, nentrances;
  ovk__correspondent *correspondents;
  ovk__outlet *outlets;               /* round by round */
  ovk__entrance *entrances;           /* round by round */
  int *first_outlet, *first_entrance; /* [round]; and the end */
  uint64_t *finished;                 /* by this rank, in its registered memory */
  int sent, arrived;                  /* of this round's */
  int oldest;                         /* the first outlet that may be under way */
  ovk__port_exchange exchange;        /* until it is connected */
  ovk__patience patience;             /* in the generation that is `watched` */
  uint64_t watched;
} ovk__port;

/* Lists the messages, takes memory and adds queues. Not collective. endpoint NULL: an error if
 * there are messages. Whatever happens, ovk__port_free() is due. */
ovk_err ovk__port_make(ovk_ctx *ctx, ovk__endpoint *endpoint, int window,
                       const ovk__schedule *schedule, const ovk__buffers *buffers, ovk__port *out);

/* Connects queues and exchanges addresses. Called by all ranks with messages; see
 * ovk__endpoint_connect(). */
ovk_err ovk__port_connect(ovk_ctx *ctx, MPI_Comm comm, int tag, ovk__port *port);

/* Waits until the adapter has let go of the memory, and, where the schedule is no barrier, until
 * peers have finished what this rank has; not after a failure, or if it has been `broken` off. */
void ovk__port_free(ovk__port *port, ovk_ctx *ctx, uint64_t generation, bool broken);

/* True when this generation may begin: what it overwrites has been read. */
bool ovk__port_ready(ovk__port *port, uint64_t generation);

/* Start the messages of a round; tell whether it is through; tell others that the generation is.
 * False: the endpoint has failed. */
bool ovk__port_start(ovk__port *port, int round, uint64_t generation);
bool ovk__port_test(ovk__port *port, int round, uint64_t generation, bool *through);
bool ovk__port_finish(ovk__port *port, uint64_t generation);

#endif
