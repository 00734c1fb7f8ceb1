/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts whose network fails, and how ranks compare what became of it. */
#ifndef OVK_TEST_FAULT_WORLD_H
#define OVK_TEST_FAULT_WORLD_H

#include "support/test_main.h"

typedef struct world {
  ovk_ctx *ctx;
  int notices;
  char notice[1024]; /* the last one */
} world;

void world_open(world *w);
void world_close(world *w);

/* Asserts that ranks have the same here, and returns it. Ranks that still need the help of others
 * get it while these are in here. Collective. */
bool alike(const world *w, bool here);

/* Asserts that an error is OVK_OK or OVK_ERR_NETWORK, the same on all ranks, and that a failure has
 * a sentence that contains `part`. Returns whether it is a failure. Collective. */
bool has_failed(const world *w, ovk_err err, const char *part);

/* How many works faults should be apart where `n` are right with the emulated adapter: a real one
 * takes long to open. */
int stride(int n);

#endif
