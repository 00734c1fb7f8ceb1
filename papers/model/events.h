/* SPDX-License-Identifier: BSD-2-Clause */
/* A queue of events, ordered by time. */
#ifndef OVK_MODEL_EVENTS_H
#define OVK_MODEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ovk__event_kind {
  OVK__READY,  /* all messages of a round of a sum have arrived */
  OVK__POLLED, /* a computing rank polls such a round */
  OVK__ENDED,  /* a rank has finished a piece of computing */
  OVK__WOKEN   /* the message that a rank waits for has arrived */
} ovk__event_kind;

/* An event of a rank. */
typedef struct ovk__event {
  double time;
  uint64_t number; /* sequence number in the order of planning */
  int32_t rank;
  uint32_t serial; /* the serial of the rank, or the generation of the reduction */
  int32_t round;   /* of the sum */
  int16_t kind, sum;
} ovk__event;

/* A heap ordered by time, then rank, then sequence number, so that runs are reproducible. */
typedef struct ovk__events {
  ovk__event *heap;
  size_t count, room;
  uint64_t planned;
  bool failed; /* out of memory: events were dropped */
} ovk__events;

void ovk__events_free(ovk__events *events);

/* Plans an event; its number is set here. */
void ovk__events_push(ovk__events *events, ovk__event event);

/* Removes the next event; false if there is none. */
bool ovk__events_pop(ovk__events *events, ovk__event *out);

#endif
