/* SPDX-License-Identifier: BSD-2-Clause */
/* Hierarchies: the groups of ranks at each level (Gorentla Venkata et al., "Optimizing blocking and
 * nonblocking reduction operations for multicore systems: hierarchical design and implementation",
 * CLUSTER 2013). At level 0 all ranks take part, at each further level the leaders of the groups
 * below. The last level has one group. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_HIERARCHY_H
#define OVK_COMM_ENGINE_SCHEDULE_HIERARCHY_H

#include "comm/engine/schedule/builder.h"

enum { OVK__MAX_LEVELS = 8 };

/* Plain data, the same on all ranks. Without groupings there is one level, of all ranks. */
typedef struct ovk__hierarchy {
  int nranks;
  int ngroupings; /* the number of levels minus one */
  int *lowest;    /* [grouping * nranks + rank]: the lowest rank of the group that rank is in */
} ovk__hierarchy;

/* Groups of `sizes[0]` consecutive ranks, of `sizes[1]` such groups, and so on; the last group of a
 * level may be smaller. ovk__hierarchy_free() must be called also after an error. */
ovk_err ovk__hierarchy_by_size(ovk_ctx *ctx, int nranks, const int *sizes, int ngroupings,
                               ovk__hierarchy *out);

/* Ranks are in one group if they have the same colors[grouping * nranks + rank] and are in one
 * group at the next outer level. Colors are not negative; groupings are ordered innermost first. */
ovk_err ovk__hierarchy_by_color(ovk_ctx *ctx, int nranks, const int *colors, int ngroupings,
                                ovk__hierarchy *out);
void ovk__hierarchy_free(ovk__hierarchy *hierarchy);

/* The first level at which all participants are in one group. */
int ovk__hierarchy_top(const ovk__hierarchy *hierarchy);

/* Get the group of `rank` at `level`, 0 to ngroupings, in ranks[nranks] and *group; false if the
 * rank does not take part there. The leader of a group is `root` if that is a member, otherwise its
 * lowest rank. Members are in the order of ranks, cyclically from the leader. */
bool ovk__hierarchy_group(const ovk__hierarchy *hierarchy, int level, int rank, int root,
                          int *ranks, ovk__group *group);

#endif
