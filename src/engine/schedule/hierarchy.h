/* SPDX-License-Identifier: BSD-2-Clause */
/* Hierarchies: which ranks are grouped at each level (Gorentla Venkata et al., "Optimizing blocking
 * and nonblocking reduction operations for multicore systems: hierarchical design and
 * implementation", CLUSTER 2013). At level 0 all ranks take part, at each further one the leaders
 * of the groups below; the last has one group. */
#ifndef OVK_ENGINE_SCHEDULE_HIERARCHY_H
#define OVK_ENGINE_SCHEDULE_HIERARCHY_H

#include "engine/schedule/builder.h"

enum { OVK__MAX_LEVELS = 8 };

/* Plain data, the same on all ranks. Without groupings there is one level, of all ranks. */
typedef struct ovk__hierarchy {
  int nranks;
  int ngroupings; /* levels but for the last */
  int *lowest;    /* [grouping * nranks + rank]: the lowest rank of the group that rank is in */
} ovk__hierarchy;

/* Groups of `sizes[0]` neighbouring ranks, of `sizes[1]` such groups, and so on; the last group of
 * a level may be smaller. Whatever happens, ovk__hierarchy_free() is due. */
ovk_err ovk__hierarchy_by_size(ovk_ctx *ctx, int nranks, const int *sizes, int ngroupings,
                               ovk__hierarchy *out);

/* Ranks with the same number in colors[grouping * nranks + rank], and together further out, are
 * together. Numbers are not negative; groupings come innermost first. */
ovk_err ovk__hierarchy_by_color(ovk_ctx *ctx, int nranks, const int *colors, int ngroupings,
                                ovk__hierarchy *out);
void ovk__hierarchy_free(ovk__hierarchy *hierarchy);

/* The first level at which all that take part are in one group. */
int ovk__hierarchy_top(const ovk__hierarchy *hierarchy);

/* The group of `rank` at `level`, 0 to ngroupings, into ranks[nranks] and *group, if it takes part
 * there: else false. The leader of a group is `root` where it is a member, or the lowest rank;
 * members are in the order of ranks, going round from the leader. */
bool ovk__hierarchy_group(const ovk__hierarchy *hierarchy, int level, int rank, int root,
                          int *ranks, ovk__group *group);

#endif
