/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the groups of a block: most have the runs of a group before, at the same places, and are of
 * its kind. */
#include "matrix/formats/pattern/pattern_groups.h"
#include "core/base/hash64.h"
#include "core/context/mem.h"
#include "matrix/formats/pattern/group_entries.h"

#include <stdlib.h>

enum { GROUP = OVK__GROUP };

/* The maximum of each in a block, so that a product finds them in the cache; further groups share
 * no entries. */
enum { MAX_KINDS = 1024, SLOTS = 2 * MAX_KINDS, PARTS = 4, ENTRIES = 16 };

typedef ovk__group_piece piece;

/* A kind: the first group that has it, and its hash. */
typedef struct kind {
  ovk__group_place place;
  uint32_t hash;
  bool shared; /* its rows share entries: else it is slower so */
} kind;

typedef struct search {
  const ovk__pattern_block *b;
  ovk__pattern_groups *found;
  kind *kinds;
  int32_t *slots; /* hash table with open addressing: kind + 1; 0: free */
  int32_t most;   /* kinds */
  int64_t bytes;  /* that the groups may take */
} search;

/* Whether products of a group that shares entries read no x but the block's: vectors of eight rows
 * are loaded up to one vector past the group's. */
static bool pattern_is_inside(const ovk__pattern_block *b, ovk__group_place at)
{
  enum { REACH = GROUP + 8 };
  ovk_lidx low = 0, high = 0;
  for (piece p = {0}; p.end < GROUP; at.run++) {
    p = ovk__group_piece_of(b, at);
    const int32_t begin = b->begin[p.pattern], end = b->begin[p.pattern + 1];
    if (begin == end) continue;
    if (b->offset[begin] < low) low = b->offset[begin];
    if (b->offset[end - 1] > high) high = b->offset[end - 1];
  }
  return at.first + low >= 0 && high + REACH <= b->rows - at.first;
}

static uint32_t pattern_groups_hash_of(const ovk__pattern_block *b, ovk__group_place at)
{
  uint64_t hash = 0;
  for (piece p = {0}; p.end < GROUP; at.run++) {
    p = ovk__group_piece_of(b, at);
    hash = ovk__mix(hash ^ ((uint64_t)p.pattern * (GROUP + 1) + (uint64_t)p.end));
  }
  return (uint32_t)hash;
}

static bool pattern_groups_is_same(const ovk__pattern_block *b, ovk__group_place g,
                                   ovk__group_place h)
{
  for (piece p = {0}, q; p.end < GROUP; g.run++, h.run++) {
    p = ovk__group_piece_of(b, g);
    q = ovk__group_piece_of(b, h);
    if (p.end != q.end || p.pattern != q.pattern) return false;
  }
  return true;
}

/* The kind of a group, or -1 if there is no room for more. */
static int32_t kind_of(search *s, ovk__group_place at)
{
  ovk__pattern_groups *f = s->found;
  const uint32_t hash = pattern_groups_hash_of(s->b, at);
  size_t slot = hash % SLOTS;
  for (; s->slots[slot]; slot = (slot + 1) % SLOTS) {
    const kind *k = &s->kinds[s->slots[slot] - 1];
    if (k->hash == hash && pattern_groups_is_same(s->b, k->place, at)) return s->slots[slot] - 1;
  }
  if (f->nkinds == s->most) return -1;
  kind *k = &s->kinds[f->nkinds];
  *k = (kind){.place = at, .hash = hash};
  f->begin[++f->nkinds] = f->nparts;
  s->slots[slot] = f->nkinds;
  k->shared = ovk__group_entries_add(s->b, at, f, PARTS * s->most, ENTRIES * s->most) &&
              ovk__pattern_groups_bytes(f) <= s->bytes;
  if (k->shared) f->begin[f->nkinds] = f->nparts;
  f->nparts = f->begin[f->nkinds];
  return f->nkinds - 1;
}

static void pattern_find_groups(search *s)
{
  const ovk__pattern_block *b = s->b;
  ovk__pattern_groups *f = s->found;
  ovk__group_place at = {0};
  f->begin[0] = 0;
  for (ovk_lidx g = 0; g < f->count; g++) {
    at.first = g * GROUP;
    while (b->runs[at.run].end <= at.first) at.run++;
    const bool whole = b->rows - at.first >= GROUP;
    const int32_t k = whole && s->most && pattern_is_inside(b, at) ? kind_of(s, at) : -1;
    f->kind[g] = k >= 0 && s->kinds[k].shared ? k : ~at.run;
  }
}

/* The last offset of more than half of the rows, or of some, if there is none of so many. */
static ovk_lidx usual_reach(const ovk__pattern_block *b)
{
  ovk_lidx reach = 0, from = 0, votes = 0;
  for (ovk_lidx r = 0; r < b->nruns; from = b->runs[r++].end) {
    const int32_t p = b->runs[r].pattern, end = b->begin[p + 1];
    const ovk_lidx rows = b->runs[r].end - from, last = end > b->begin[p] ? b->offset[end - 1] : 0;
    votes += last == reach ? rows : -rows;
    if (votes < 0) {
      reach = last;
      votes = -votes;
    }
  }
  return reach;
}

static ovk_err pattern_groups_make_room(ovk_ctx *ctx, search *s)
{
  ovk__pattern_groups *f = s->found;
  OVK_NEW_ARRAY(ctx, f->kind, f->count);
  OVK_NEW_ARRAY(ctx, f->begin, s->most + 1);
  OVK_NEW_ARRAY(ctx, f->parts, PARTS * s->most);
  OVK_NEW_ARRAY(ctx, f->entries, ENTRIES * s->most);
  OVK_NEW_ARRAY(ctx, s->kinds, s->most);
  OVK_NEW_ZEROS(ctx, s->slots, SLOTS);
  return OVK_OK;
}

ovk_err ovk__pattern_groups_find(ovk_ctx *ctx, int64_t bytes, ovk__pattern_block *b)
{
  ovk__pattern_groups *f = &b->groups;
  f->count = b->rows / GROUP + (b->rows % GROUP != 0);
  const int32_t most = f->count < MAX_KINDS ? f->count : MAX_KINDS;
  search s = {.b = b, .found = f, .most = bytes > 0 ? most : 0, .bytes = bytes};
  f->reach = usual_reach(b);
  const ovk_err err = pattern_groups_make_room(ctx, &s);
  if (!err) pattern_find_groups(&s);
  free(s.kinds);
  free(s.slots);
  return err;
}

void ovk__pattern_groups_free(ovk__pattern_groups *groups)
{
  free(groups->kind);
  free(groups->begin);
  free(groups->parts);
  free(groups->entries);
}

int64_t ovk__pattern_groups_bytes(const ovk__pattern_groups *f)
{
  const int64_t entries = f->nparts ? f->parts[f->nparts - 1].end : 0;
  return f->count * (int64_t)sizeof *f->kind + (f->nkinds + 1) * (int64_t)sizeof *f->begin +
         f->nparts * (int64_t)sizeof *f->parts + entries * (int64_t)sizeof *f->entries;
}
