/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules: the actions of one rank in a collective operation, as plain data. A schedule does not
 * communicate: the executor executes it over channels, and a test can execute the schedules of all
 * ranks in one process. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_SCHEDULE_H
#define OVK_COMM_ENGINE_SCHEDULE_SCHEDULE_H

#include "core/context/check.h"

#include <ovkrylov/comm/schedule.h>
#include <stdbool.h>
#include <stddef.h>

/* The number of buffers. In-place operations have only OVK_OUTPUT and OVK_WORK. */
enum { OVK__NBUFFERS = OVK_WORK + 1 };

typedef enum ovk__action_kind {
  OVK__SEND,    /* sends `from` to rank `peer` */
  OVK__RECEIVE, /* receives into `to` from rank `peer` */
  OVK__COMBINE, /* to <- to + from, or another operation of the request */
  OVK__COPY     /* to <- from */
} ovk__action_kind;

/* The transport of a message. */
typedef enum ovk__channel {
  OVK__P2P,  /* MPI point-to-point messages */
  OVK__SHM,  /* a node's shared memory */
  OVK__RDMA, /* RDMA writes */
  OVK__NCHANNELS
} ovk__channel;

typedef struct ovk__action {
  ovk__action_kind kind;
  ovk__channel channel; /* of a message */
  int peer;             /* of a message */
  size_t count;         /* elements; a message may have none */
  ovk_place from, to;
} ovk__action;

/* A round starts its messages together. When all of them are complete, its combinations and copies
 * are executed in order. On each channel, messages from one rank to another arrive in the order of
 * the schedule. */
typedef struct ovk__round {
  int first;     /* action */
  int nmessages; /* sends and receives */
  int nlocal;    /* combinations and copies, after the messages */
} ovk__round;

typedef struct ovk__schedule {
  int nactions, nrounds;
  ovk__action *actions;
  ovk__round *rounds;
  size_t work;  /* elements of OVK_WORK */
  bool barrier; /* no rank completes the schedule before all ranks have begun it, as in an
                   all-reduce */
} ovk__schedule;

void ovk__schedule_free(ovk__schedule *schedule);

#endif
