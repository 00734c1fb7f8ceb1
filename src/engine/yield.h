/* SPDX-License-Identifier: BSD-2-Clause */
/* Patience: how a rank waits for others that may need its processor. */
#ifndef OVK_ENGINE_YIELD_H
#define OVK_ENGINE_YIELD_H

#include <stdbool.h>

/* How often to look before sched_yield(): each time where a node has more ranks than processors,
 * else rarely, as it costs more than a small sum takes. */
int ovk__spins(int ranks_on_node);

/* Moves something on as far as it goes without blocking; returns MPI's code. */
typedef int ovk__advance(void *self, bool *complete);

/* Advances until it is complete, with a sched_yield() each `spins` times. */
int ovk__wait(int spins, ovk__advance *advance, void *self);

#endif
