/* SPDX-License-Identifier: BSD-2-Clause */
/* A bell in shared memory: a thread sleeps until any process rings. */
#ifndef OVK_NET_EMULATED_BELL_H
#define OVK_NET_EMULATED_BELL_H

#include <stdint.h>

/* Zeros are a bell. */
typedef struct ovk__bell {
  _Atomic uint32_t rings;   /* how often it was rung; wraps around */
  _Atomic uint32_t watched; /* a thread sleeps, or is about to */
} ovk__bell;

void ovk__bell_ring(ovk__bell *bell);

/* Returns the number of rings, for sleep. What the caller finds in memory afterwards includes what
 * these rings told of; a later ring ends its sleep. */
uint32_t ovk__bell_watch(ovk__bell *bell);

/* Sleeps until it has been rung more often, or for so many milliseconds (-1: no limit). May return
 * without a reason. */
void ovk__bell_sleep(ovk__bell *bell, uint32_t rings, int milliseconds);

#endif
