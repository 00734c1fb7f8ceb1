/* SPDX-License-Identifier: BSD-2-Clause */
/* Collects the entries of a group's rows, and sorts them by the rows that have them. */
#include "matrix/formats/pattern/group_entries.h"

#include <string.h>

/* An entry of a group's rows. */
typedef struct item {
  ovk_lidx offset;
  double value;
  uint32_t rows;
  bool taken;
} item;

/* Rows from `from` to `end` - 1 as bits. */
static uint32_t groups_bits(ovk_lidx from, ovk_lidx end)
{
  return (uint32_t)((UINT64_C(1) << end) - (UINT64_C(1) << from));
}

enum { MAX_ITEMS = 96 };

static bool pattern_is_same_value(double a, double b)
{
  uint64_t bits_a, bits_b;
  memcpy(&bits_a, &a, sizeof a);
  memcpy(&bits_b, &b, sizeof b);
  return bits_a == bits_b;
}

/* Adds an entry of some rows; items are sorted by offset. Returns whether there is room. */
static bool pattern_add_item(item *items, int *n, ovk_lidx offset, double value, uint32_t rows)
{
  int k = *n;
  while (k > 0 && items[k - 1].offset > offset) k--;
  for (int e = k - 1; e >= 0 && items[e].offset == offset; e--) {
    if (!pattern_is_same_value(items[e].value, value)) continue;
    items[e].rows |= rows;
    return true;
  }
  if (*n == MAX_ITEMS) return false;
  memmove(items + k + 1, items + k, (size_t)(*n - k) * sizeof *items);
  items[k] = (item){offset, value, rows, false};
  ++*n;
  return true;
}

/* A product's time, in tenths of a nanosecond on an AMD Zen 5: of a group's rows as they are, and
 * of the entries that a group shares. */
enum { PIECE = 50, ENTRY_OF_VECTOR = 4, PART = 30, ENTRY_OF_ONE = 15, ENTRY_OF_THREE = 25 };

/* The entries of a group; *cost <- the time of its product run by run. Returns their number, or -1
 * if they are too many. */
static int groups_collect(const ovk__pattern_block *b, ovk__group_place at, item *items,
                          int64_t *cost)
{
  ovk_lidx from = 0;
  int n = 0;
  *cost = 0;
  for (ovk__group_piece p = {0}; p.end < OVK__GROUP; at.run++, from = p.end) {
    p = ovk__group_piece_of(b, at);
    const ovk_lidx length = p.end - from, rows = length >= 8 ? 8 : length >= 4 ? 4 : 2;
    const int32_t begin = b->begin[p.pattern], end = b->begin[p.pattern + 1];
    for (int32_t e = begin; e < end; e++) {
      if (!pattern_add_item(items, &n, b->offset[e], b->value[e], groups_bits(from, p.end)))
        return -1;
    }
    *cost += PIECE + (int64_t)((length + rows - 1) / rows) * (end - begin) * ENTRY_OF_VECTOR;
  }
  return n;
}

/* The first item from k on with this offset that is not taken yet, or -1. */
static int groups_find(const item *items, int n, int k, ovk_lidx offset)
{
  while (k < n && (items[k].offset < offset || (items[k].offset == offset && items[k].taken))) k++;
  return k < n && items[k].offset == offset ? k : -1;
}

/* Up to three entries of a group that are multiplied together. */
typedef struct together {
  ovk__group_entry entry;
  ovk__group_part part; /* width, rows */
  bool taken;
} together;

/* Three neighbors where there are three, else one; returns the number of these. */
static int groups_join(item *items, int n, together *out)
{
  int count = 0;
  for (int k = 0; k < n; k++) {
    if (items[k].taken) continue;
    const ovk_lidx d = items[k].offset;
    const int at[3] = {k, groups_find(items, n, k, d + 1), groups_find(items, n, k, d + 2)};
    together *t = &out[count++];
    *t = (together){.entry = {.offset = d}, .part = {.width = at[1] < 0 || at[2] < 0 ? 1 : 3}};
    for (int v = 0; v < t->part.width; v++) {
      t->entry.value[v] = items[at[v]].value;
      t->part.rows[v] = items[at[v]].rows;
      items[at[v]].taken = true;
    }
  }
  return count;
}

static int32_t groups_nentries(const ovk__pattern_groups *f)
{
  return f->nparts ? f->parts[f->nparts - 1].end : 0;
}

static bool pattern_is_same_part(const ovk__group_part *a, const ovk__group_part *b)
{
  return a->width == b->width && memcmp(a->rows, b->rows, sizeof a->rows) == 0;
}

/* The member `equal` of a part; with few entries it is faster to make each sum. */
static int16_t groups_equal(const ovk__group_entry *entries, const ovk__group_part *part)
{
  enum { FEWEST = 3 };
  const int n = part->end - part->begin;
  int equal = n;
  if (part->width != 3 || n < FEWEST) return -1;
  for (int k = 0; k < n; k++) {
    const double *value = entries[part->begin + k].value;
    if (!pattern_is_same_value(value[0], value[2])) return -1;
    if (equal > k && !pattern_is_same_value(value[0], value[1])) equal = k;
  }
  return (int16_t)equal;
}

/* Sorts the entries into parts, after those of other kinds, where there is room for n more of each;
 * returns the time of their product. */
static int64_t groups_store(ovk__pattern_groups *f, together *all, int n)
{
  int64_t cost = 0;
  for (int k = 0; k < n; k++) {
    if (all[k].taken) continue;
    ovk__group_part *part = &f->parts[f->nparts];
    *part = all[k].part;
    part->begin = part->end = groups_nentries(f);
    for (int e = k; e < n; e++) {
      if (all[e].taken || !pattern_is_same_part(&all[k].part, &all[e].part)) continue;
      f->entries[part->end++] = all[e].entry;
      all[e].taken = true;
    }
    part->equal = groups_equal(f->entries, part);
    f->nparts++;
    cost += PART + (part->end - part->begin) * (part->width == 3 ? ENTRY_OF_THREE : ENTRY_OF_ONE);
  }
  return cost;
}

bool ovk__group_entries_add(const ovk__pattern_block *b, ovk__group_place at,
                            ovk__pattern_groups *f, int32_t most_parts, int32_t most_entries)
{
  item items[MAX_ITEMS];
  together all[MAX_ITEMS];
  int64_t by_runs;
  const int32_t nparts = f->nparts;
  int n = groups_collect(b, at, items, &by_runs);
  if (n < 0) return false;
  n = groups_join(items, n, all);
  if (nparts > most_parts - n || groups_nentries(f) > most_entries - n) return false;
  if (groups_store(f, all, n) >= by_runs) {
    f->nparts = nparts;
    return false;
  }
  return true;
}
