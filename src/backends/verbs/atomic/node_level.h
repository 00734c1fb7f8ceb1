/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks of a node within sums over a network: their exact numbers are reduced to their leader
 * over shared memory, and the totals are broadcast back. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_NODE_LEVEL_H
#define OVK_BACKENDS_VERBS_ATOMIC_NODE_LEVEL_H

#include "comm/engine/executor.h"
#include "comm/engine/schedule/builder.h"

#include <stdint.h>

/* Initially zero: no node level. */
typedef struct ovk__node_level {
  int count;
  double *values;    /* the sum's */
  uint64_t *numbers; /* this rank's numbers; on the leader, after the reduction, the node's */
  ovk__schedule gathering, spreading;
  ovk__request *gather, *spread;
} ovk__node_level;

/* Index 0 of the group is the leader. Collective as ovk__request_create() is, also for `failed`.
 * ovk__node_level_free() must be called also after an error. */
ovk_err ovk__node_level_make(ovk_ctx *ctx, ovk__engine *engine, ovk__group group, double *values,
                             int count, bool failed, ovk__node_level *out);
void ovk__node_level_free(ovk__node_level *level);

/* Starts the reduction of the values' numbers. Returns the MPI error code. */
int ovk__node_level_start(ovk__node_level *level);

#endif
