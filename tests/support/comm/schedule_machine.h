/* SPDX-License-Identifier: BSD-2-Clause */
/* Carries out the schedules of all ranks in one process, in random order. Elements are doubles. The
 * test fails if a schedule has an error: a message without a receive, or of another length than
 * expected; memory that is read before it is written, or out
 * of bounds, or written while it is sent; a deadlock; a "barrier" that does not synchronize. */
#ifndef OVK_TEST_SCHEDULE_MACHINE_H
#define OVK_TEST_SCHEDULE_MACHINE_H

#include "comm/engine/schedule/schedule.h"

#include <stdint.h>

typedef struct machine_buffer {
  double *at;
  size_t length;
  int *sent, *received; /* by element: the last round in which it was sent or received, from 1 */
} machine_buffer;

/* One rank. */
typedef struct machine_rank {
  ovk__schedule schedule; /* to be filled in by the test */
  machine_buffer buffer[OVK__NBUFFERS];
  int *message_of; /* by action: the message of a send or receive */
  int round;       /* the current round, from 0 */
  bool started;    /* its messages have been started */
  int hops;        /* length of the longest chain of messages that led to its present state */
} machine_rank;

/* One message from the n-th send to the n-th receive between two ranks on a channel. */
typedef struct machine_message {
  ovk__channel channel;
  double *data;
  size_t count;
  bool in_flight;
  int hops; /* including this one */
} machine_message;

typedef struct machine {
  int nranks;
  machine_rank *ranks;
  double (*combine)(double to, double from); /* the sum unless a test sets another */
  machine_message *messages;
  int nmessages; /* set when the machine has run */
} machine;

/* A machine with empty schedules and buffers. */
machine *machine_make(int nranks);
void machine_free(machine **place);
#define scoped_machine SCOPED(machine_free) machine

/* Gives a rank a buffer of `length` elements, to be written by the test or by the schedule; only
 * OVK_INPUT and OVK_OUTPUT. OVK_WORK is allocated when the machine runs. */
double *machine_give(machine *m, int rank, ovk_buffer buffer, size_t length);
double *machine_buffer_of(const machine *m, int rank, ovk_buffer buffer);

/* Carries out all schedules once. `seed` determines the order, and which rank begins only when all
 * others have stopped. */
void machine_run(machine *m, uint64_t seed);

/* Maxima over the ranks: rounds, and consecutive messages. */
int machine_rounds(const machine *m);
int machine_hops(const machine *m);

#endif
