/* SPDX-License-Identifier: BSD-2-Clause */
/* Events in the order of time. */
#ifndef OVK_MODEL_EVENTS_H
#define OVK_MODEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ovk__event_kind {
  OVK__READY,  /* all messages of a round of a sum are there */
  OVK__POLLED, /* and a rank that computes looks */
  OVK__ENDED,  /* a rank has computed what it was computing */
  OVK__WOKEN   /* what a rank waits for is there */
} ovk__event_kind;

/* Something that happens to a rank. */
typedef struct ovk__event {
  double time;
  uint64_t number; /* counts events in the order in which they were planned */
  int32_t rank;
  uint32_t serial; /* of what the rank does, or the generation of the sum */
  int32_t round;   /* of the sum */
  int16_t kind, sum;
} ovk__event;

/* A heap: the earliest comes first, of one time that of the lowest rank, and then the one planned
 * first, so that runs repeat. */
typedef struct ovk__events {
  ovk__event *heap;
  size_t count, room;
  uint64_t planned;
  bool failed; /* no memory: events are lost */
} ovk__events;

void ovk__events_free(ovk__events *events);

/* Plans an event; its number is set here. */
void ovk__events_push(ovk__events *events, ovk__event event);

/* Takes the next one; false if there is none. */
bool ovk__events_pop(ovk__events *events, ovk__event *out);

#endif
