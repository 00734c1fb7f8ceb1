/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts whose network fails, and the comparison of outcomes over the ranks. */
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

/* Asserts that the value is the same on all ranks, and returns it. Meanwhile it progresses the
 * context, as other ranks may still depend on this one. Collective. */
bool alike(const world *w, bool here);

/* Asserts that an error is OVK_OK or OVK_ERR_NETWORK, the same on all ranks, and that a failure has
 * a message that contains `part`. Returns whether it is a failure. Collective. */
bool has_failed(const world *w, ovk_err err, const char *part);

/* The distance in works between tested faults: `n` with the emulated NIC, more with a real one,
 * which takes long to open. */
int stride(int n);

#endif
