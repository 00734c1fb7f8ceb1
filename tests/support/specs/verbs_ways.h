/* SPDX-License-Identifier: BSD-2-Clause */
/* All ways of summing over a NIC. */
#ifndef OVK_TEST_VERBS_WAYS_H
#define OVK_TEST_VERBS_WAYS_H

#include "support/specs/verbs_spec.h"

/* Keys after "verbs:", and a spec of "nbc" with the same order of summation; NULL: there is
 * none. */
typedef struct verbs_way {
  const char *keys, *alike;
} verbs_way;

static const verbs_way verbs_ways[] = {
    {NULL, "nbc"},
    {"alg=flat", "nbc:alg=flat"},
    {"alg=doubling", "nbc:alg=doubling"},
    {"alg=kary,k=3", "nbc:alg=kary,k=3"},
    {"alg=tree,k=2", "nbc:alg=tree,reduce=2,bcast=2"},
    {"alg=tree,reduce=3,bcast=4", "nbc:alg=tree,reduce=3,bcast=4"},
    {"alg=ring", "nbc:alg=ring"},
    {"alg=auto", "nbc:alg=auto"},
    {"alg=doubling,levels=node", "nbc:alg=doubling,levels=node"},
    {"alg=tree,k=2,levels=2", "nbc:alg=tree,reduce=2,bcast=2,levels=2"},
    {"alg=flat,levels=2,channel=verbs", "nbc:alg=flat,levels=2"},
    {"alg=flat+kary,k=3,levels=2x2", "nbc:alg=flat+kary,k=3,levels=2x2"},
    {"alg=flat,fallback=nbc:alg=tree;k=2", "nbc:alg=flat"},
    {"mode=atomic", NULL},
    {"mode=atomic,levels=2", NULL},
    {"mode=atomic,levels=node,fallback=blocking", NULL},
};

/* False if it needs shared memory and the ranks have none. Collective. */
static inline bool verbs_way_is_possible(const verbs_way *way)
{
  const char *keys = way->keys ? way->keys : "";
  return !strstr(keys, "levels=2") || strstr(keys, "channel=verbs") || on_one_node();
}

enum { VERBS_WAYS = sizeof verbs_ways / sizeof *verbs_ways };

#endif
