/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of ranks at each level, from sizes or from colors. */
#include "comm/engine/schedule/hierarchy.h"
#include "core/context/mem.h"

#include <stdlib.h>

static ovk_err allocate(ovk_ctx *ctx, int nranks, int ngroupings, ovk__hierarchy *out)
{
  *out = (ovk__hierarchy){.nranks = nranks, .ngroupings = ngroupings};
  if (ngroupings) OVK_NEW_ARRAY(ctx, out->lowest, (size_t)nranks * (size_t)ngroupings);
  return OVK_OK;
}

/* [rank]: the lowest rank of its group, at a level that is not the last. */
static int *lowest_at(const ovk__hierarchy *h, int level)
{
  return h->lowest + (size_t)level * (size_t)h->nranks;
}

ovk_err ovk__hierarchy_by_size(ovk_ctx *ctx, int nranks, const int *sizes, int ngroupings,
                               ovk__hierarchy *out)
{
  OVK_TRY(allocate(ctx, nranks, ngroupings, out));
  int together = 1; /* ranks in a group; at most all */
  for (int g = 0; g < ngroupings; g++) {
    together = sizes[g] > nranks / together ? nranks : together * sizes[g];
    for (int rank = 0; rank < nranks; rank++) lowest_at(out, g)[rank] = rank / together * together;
  }
  return OVK_OK;
}

/* A rank with the keys that identify its group. */
typedef struct member {
  int outside; /* the lowest rank of its group at the next outer level */
  int color, rank;
} member;

static int compare_ints(int a, int b)
{
  return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
  const member *a = left, *b = right;
  if (a->outside != b->outside) return compare_ints(a->outside, b->outside);
  if (a->color != b->color) return compare_ints(a->color, b->color);
  return compare_ints(a->rank, b->rank);
}

ovk_err ovk__hierarchy_by_color(ovk_ctx *ctx, int nranks, const int *colors, int ngroupings,
                                ovk__hierarchy *out)
{
  OVK_TRY(allocate(ctx, nranks, ngroupings, out));
  member *members;
  OVK_NEW_ARRAY(ctx, members, nranks);
  for (int g = ngroupings - 1; g >= 0; g--) {
    const int *outside = g + 1 < ngroupings ? lowest_at(out, g + 1) : NULL;
    const int *color = colors + (size_t)g * (size_t)nranks;
    for (int rank = 0; rank < nranks; rank++) {
      members[rank] = (member){outside ? outside[rank] : 0, color[rank], rank};
    }
    qsort(members, (size_t)nranks, sizeof *members, compare);
    const member *lowest = members;
    for (const member *m = members; m < members + nranks; m++) {
      if (m->outside != lowest->outside || m->color != lowest->color) lowest = m;
      lowest_at(out, g)[m->rank] = lowest->rank;
    }
  }
  free(members);
  return OVK_OK;
}

void ovk__hierarchy_free(ovk__hierarchy *hierarchy)
{
  free(hierarchy->lowest);
  *hierarchy = (ovk__hierarchy){0};
}

int ovk__hierarchy_top(const ovk__hierarchy *hierarchy)
{
  for (int level = 0; level < hierarchy->ngroupings; level++) {
    const int *lowest = lowest_at(hierarchy, level);
    int rank = 0;
    while (rank < hierarchy->nranks && lowest[rank] == 0) rank++;
    if (rank == hierarchy->nranks) return level;
  }
  return hierarchy->ngroupings;
}

/* Returns the lowest rank of the group of `rank`. */
static int lowest_of(const ovk__hierarchy *h, int level, int rank)
{
  return level < h->ngroupings ? lowest_at(h, level)[rank] : 0;
}

/* Only leaders of the next inner level take part. */
static bool participates(const ovk__hierarchy *h, int level, int rank, int root)
{
  if (level == 0 || rank == root) return true;
  const int lowest = lowest_of(h, level - 1, rank);
  return rank == lowest && lowest_of(h, level - 1, root) != lowest;
}

/* Appends the members of a group among the ranks from `first` to `end` - 1. */
static void add_members(const ovk__hierarchy *h, int level, int lowest, int root, int first,
                        int end, int *ranks, ovk__group *group)
{
  const int *own = level < h->ngroupings ? lowest_at(h, level) : NULL;
  for (int other = first; other < end; other++) {
    if (own && own[other] != lowest) continue;
    if (!participates(h, level, other, root)) continue;
    ranks[group->size++] = other;
  }
}

bool ovk__hierarchy_group(const ovk__hierarchy *hierarchy, int level, int rank, int root,
                          int *ranks, ovk__group *group)
{
  if (!participates(hierarchy, level, rank, root)) return false;
  const int lowest = lowest_of(hierarchy, level, rank), n = hierarchy->nranks;
  const int leader = lowest_of(hierarchy, level, root) == lowest ? root : lowest;
  *group = (ovk__group){.ranks = ranks};
  /* cyclically from the leader */
  add_members(hierarchy, level, lowest, root, leader, n, ranks, group);
  add_members(hierarchy, level, lowest, root, 0, leader, ranks, group);
  while (ranks[group->index] != rank) group->index++;
  return true;
}
