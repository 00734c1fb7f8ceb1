/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums of mode=atomic, and what the mode knows that makes them. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_ATOMIC_SUM_H
#define OVK_BACKENDS_VERBS_ATOMIC_ATOMIC_SUM_H

#include "backends/verbs/atomic/ledger.h"
#include "backends/verbs/verbs.h"

/* Who takes part: all ranks, or with levels= the leaders of groups, who speak for them. */
typedef struct ovk__atomic {
  ovk__shape shape;
  ovk__hierarchy hierarchy;
  bool grouped, takes_part;
  int *node_ranks, *top_ranks;
  ovk__group node; /* this rank's, if ranks are grouped */
  ovk__group top;  /* those that take part, if this one does */
  ovk__ledger ledger;
} ovk__atomic;

/* See ovk__mode in verbs.h. */
ovk_err ovk__atomic_prepare(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out);
void ovk__atomic_release(void *sum);
int ovk__atomic_start(void *sum);
ovk__advance ovk__atomic_advance;

#endif
