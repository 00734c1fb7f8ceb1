/* SPDX-License-Identifier: BSD-2-Clause */
/* An eventcount in shared memory: a thread sleeps until any process notifies it. */
#ifndef OVK_COMM_NET_EMULATED_EVENTCOUNT_H
#define OVK_COMM_NET_EMULATED_EVENTCOUNT_H

#include <stdint.h>

/* An eventcount is initialized by zeros. */
typedef struct ovk__eventcount {
  _Atomic uint32_t events;  /* wraps around */
  _Atomic uint32_t watched; /* a thread sleeps, or is about to */
} ovk__eventcount;

void ovk__eventcount_notify(ovk__eventcount *e);

/* Return the number of events, for sleep. Memory that the caller reads afterwards includes the
 * writes before these events. A later event ends its sleep. */
uint32_t ovk__eventcount_watch(ovk__eventcount *e);

/* Sleep until there are more events, or for the given nanoseconds (-1: no limit). May return
 * without an event. */
void ovk__eventcount_sleep(ovk__eventcount *e, uint32_t events, int64_t nanoseconds);

#endif
