/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums of mode=atomic, and the state of the mode. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_ATOMIC_SUM_H
#define OVK_BACKENDS_VERBS_ATOMIC_ATOMIC_SUM_H

#include "backends/verbs/atomic/slot_table.h"
#include "backends/verbs/verbs.h"

/* The participants: all ranks, or with levels= the leaders of groups, which add their groups' sums.
 */
typedef struct ovk__atomic {
  ovk__algorithm_spec algorithms;
  ovk__hierarchy hierarchy;
  bool grouped, participates;
  int *node_ranks, *top_ranks;
  ovk__group node; /* this rank's group, if ranks are grouped */
  ovk__group top;  /* the participants, if this rank is one */
  ovk__slot_table slot_table;
} ovk__atomic;

/* See ovk__verbs_mode in verbs.h. */
ovk_err ovk__atomic_prepare(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out);
bool ovk__atomic_release(void *sum);
int ovk__atomic_start(void *sum);
ovk__advance ovk__atomic_advance;

#endif
