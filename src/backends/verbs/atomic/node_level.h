/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks of a node within sums over a network: over shared memory, their exact numbers go to
 * their leader, and the totals come back. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_NODE_LEVEL_H
#define OVK_BACKENDS_VERBS_ATOMIC_NODE_LEVEL_H

#include "engine/run.h"
#include "engine/schedule/builder.h"

#include <stdint.h>

/* Zeros: none. */
typedef struct ovk__node_level {
  int count;
  double *values;    /* the sum's */
  uint64_t *numbers; /* this rank's, and then the leader's: the node's */
  ovk__schedule gathering, spreading;
  ovk__run *gather, *spread;
} ovk__node_level;

/* Index 0 of the group is the leader. Collective as ovk__run_create() is, also for `failed`.
 * Whatever happens, ovk__node_level_free() is due. */
ovk_err ovk__node_level_make(ovk_ctx *ctx, ovk__engine *engine, ovk__group group, double *values,
                             int count, bool failed, ovk__node_level *out);
void ovk__node_level_free(ovk__node_level *level);

/* Starts to gather the numbers of the values. Returns MPI's code. */
int ovk__node_level_start(ovk__node_level *level);

#endif
