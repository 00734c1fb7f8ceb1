/* SPDX-License-Identifier: BSD-2-Clause */
/* The channel p2p: a schedule's messages as those of MPI. */
#ifndef OVK_ENGINE_P2P_H
#define OVK_ENGINE_P2P_H

#include "engine/channel.h"
#include "engine/run.h"

#include <stdint.h>

/* What MPI_Isend or MPI_Irecv is given. Persistent requests take longer: MPIs hand a small message
 * on within MPI_Isend, and have nothing left to do for it. */
typedef struct ovk__message {
  void *at[2]; /* for generations in turn; the same but for detached sends */
  int count, peer;
} ovk__message;

/* Sends are detached in schedules that are barriers, if all of them are small: they leave from
 * copies, and no round waits for them. An MPI may tell that a send is complete only when its
 * receiver has looked at it, so a round that waits for its sends lasts as long as a peer is busy.
 * Detached or not, what was sent may be overwritten after the round. */
typedef struct ovk__p2p {
  MPI_Comm comm;
  int tag;
  MPI_Datatype item; /* an element */
  bool detached;
  int nmessages, nrounds;
  ovk__message *messages; /* round by round, sends before receives */
  struct {
    int send, receive;
  } * first;             /* [round]: its first ones; and the end */
  MPI_Request *requests; /* of all messages; detached: once more, for odd generations */
  int through;           /* messages that need no more looking at, in this round */
  ovk__letters letters;  /* detached: what is copied */
  char *copies;
} ovk__p2p;

/* Not collective. Whatever happens, ovk__p2p_free() is due. */
ovk_err ovk__p2p_make(ovk_ctx *ctx, MPI_Comm comm, int tag, const ovk__task *task,
                      const ovk__buffers *buffers, ovk__p2p *out);

/* Waits for detached sends, unless a round has been `broken` off: then receives are called off. */
void ovk__p2p_free(ovk__p2p *p2p, bool broken);

/* Return MPI's codes. Start the messages of a round; tell whether it is through. */
int ovk__p2p_start(ovk__p2p *p2p, int round, uint64_t generation);
int ovk__p2p_test(ovk__p2p *p2p, int round, uint64_t generation, bool *through);

#endif
