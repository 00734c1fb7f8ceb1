/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules: what one rank does in a collective operation, as plain data. No communication happens
 * here: an executor carries a schedule out over whatever moves messages, and a test can carry out
 * all ranks' schedules in one process. */
#ifndef OVK_ENGINE_SCHEDULE_SCHEDULE_H
#define OVK_ENGINE_SCHEDULE_SCHEDULE_H

#include "core/check.h"

#include <stdbool.h>
#include <stddef.h>

/* The memory that a schedule is about. What is in place has nothing but an output. */
typedef enum ovk__buffer {
  OVK__INPUT,  /* the user's, only read */
  OVK__OUTPUT, /* the user's */
  OVK__WORK,   /* the executor's; what is in it at the start is of no use */
  OVK__NBUFFERS
} ovk__buffer;

/* The elements of a buffer from `first` on. An element is a number to sum up, or a user's item of
 * any size. */
typedef struct ovk__place {
  ovk__buffer buffer;
  size_t first;
} ovk__place;

typedef enum ovk__action_kind {
  OVK__SEND,    /* `from` goes to rank `peer` */
  OVK__RECEIVE, /* `to` comes from rank `peer` */
  OVK__COMBINE, /* to <- to + from, or another operation of the executor's */
  OVK__COPY     /* to <- from */
} ovk__action_kind;

/* What messages travel over. */
typedef enum ovk__channel {
  OVK__P2P,   /* MPI's point-to-point messages */
  OVK__SHM,   /* shared memory of a node */
  OVK__VERBS, /* remote writes of an adapter */
  OVK__NCHANNELS
} ovk__channel;

typedef struct ovk__action {
  ovk__action_kind kind;
  ovk__channel channel; /* of a message */
  int peer;             /* of a message */
  size_t count;         /* elements; a message may have none */
  ovk__place from, to;
} ovk__action;

/* A round starts its messages together; once all are through, its combinations and copies follow in
 * their order. On each channel, messages from one rank to another arrive in the order of rounds. */
typedef struct ovk__round {
  int first;     /* action */
  int nmessages; /* sends and receives, */
  int nlocal;    /* and combinations and copies behind them */
} ovk__round;

typedef struct ovk__schedule {
  int nactions, nrounds;
  ovk__action *actions;
  ovk__round *rounds;
  size_t work;  /* elements of OVK__WORK */
  bool barrier; /* no rank ends before all have begun, as in an all-reduce */
} ovk__schedule;

void ovk__schedule_free(ovk__schedule *schedule);

#endif
