/* SPDX-License-Identifier: BSD-2-Clause */
#include "matrix/order/rcm.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/mem.h"

#include <stdbool.h>
#include <stdlib.h>

enum { OPEN = -1, PLACED = -2, MAX_TRIES = 8 };

/* level[i] is OPEN, PLACED (in a part that is done), or the distance from where the search began.
 * queue has the rows of the parts that are done, and after them those of the search. */
typedef struct search {
  const int64_t *ptr;
  const ovk_lidx *col;
  ovk_lidx *level, *queue;
} search;

/* A row and its sort key: the number of its columns, then its own number. */
typedef struct neighbor {
  int64_t degree;
  ovk_lidx row;
} neighbor;

static int64_t rcm_degree(const search *s, ovk_lidx i)
{
  return s->ptr[i + 1] - s->ptr[i];
}

static int rcm_compare(const void *a, const void *b)
{
  const neighbor *x = a, *y = b;
  if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/* Appends the open neighbors of row i to the queue, which ends at `end`; returns its new end. */
static ovk_lidx rcm_visit(search *s, ovk_lidx i, ovk_lidx end, neighbor *found)
{
  size_t count = 0;
  for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++) {
    const ovk_lidx j = s->col[k];
    if (s->level[j] != OPEN) continue;
    s->level[j] = s->level[i] + 1;
    found[count++] = (neighbor){rcm_degree(s, j), j};
  }
  qsort(found, count, sizeof *found, rcm_compare);
  for (size_t k = 0; k < count; k++) s->queue[end++] = found[k].row;
  return end;
}

/* Loads the columns of a row that is visited soon: rows of a level may be far apart. */
OVK_ALWAYS_INLINE void rcm_prefetch(const search *s, ovk_lidx k, ovk_lidx end)
{
  enum { AHEAD = 8, LINE = 64 / sizeof *s->col };
  if (k + 2 * AHEAD >= end) return;
  const ovk_lidx i = s->queue[k + AHEAD];
  OVK_PREFETCH(s->ptr + s->queue[k + 2 * AHEAD]);
  for (int64_t c = s->ptr[i]; c < s->ptr[i + 1]; c += LINE) OVK_PREFETCH(s->col + c);
}

/* A search from `start` into the queue from `from` on; returns where it ends. */
static ovk_lidx rcm_search_from(search *s, ovk_lidx start, ovk_lidx from, neighbor *found)
{
  ovk_lidx end = from;
  s->level[start] = 0;
  s->queue[end++] = start;
  for (ovk_lidx k = from; k < end; k++) {
    rcm_prefetch(s, k, end);
    end = rcm_visit(s, s->queue[k], end, found);
  }
  return end;
}

/* The row with the fewest neighbors in the last level of a search. */
static ovk_lidx rcm_farthest(const search *s, ovk_lidx from, ovk_lidx end)
{
  ovk_lidx best = s->queue[end - 1];
  for (ovk_lidx k = end - 1; k >= from && s->level[s->queue[k]] == s->level[best]; k--) {
    if (rcm_degree(s, s->queue[k]) < rcm_degree(s, best)) best = s->queue[k];
  }
  return best;
}

/* A search from another row in place of one that ended at `end`. */
static ovk_lidx rcm_search_again(search *s, ovk_lidx start, ovk_lidx from, ovk_lidx end,
                                 neighbor *found)
{
  for (ovk_lidx i = from; i < end; i++) s->level[s->queue[i]] = OPEN;
  return rcm_search_from(s, start, from, found);
}

/* Places the part of row `start`, all rows that can be reached from it, in the queue from `from`
 * on; returns where it ends. Searches restart at the far end as long as they find more levels and
 * reach all rows from there. If the columns are not symmetric, some rows may be out of reach. */
static ovk_lidx rcm_place_part(search *s, ovk_lidx start, ovk_lidx from, neighbor *found)
{
  ovk_lidx depth = -1, end = rcm_search_from(s, start, from, found);
  for (int k = 0; k < MAX_TRIES && s->level[s->queue[end - 1]] > depth; k++) {
    depth = s->level[s->queue[end - 1]];
    const ovk_lidx far = rcm_farthest(s, from, end),
                   far_end = rcm_search_again(s, far, from, end, found);
    if (far_end < end) {
      end = rcm_search_again(s, start, from, far_end, found);
      break;
    }
    start = far;
  }
  for (ovk_lidx i = from; i < end; i++) s->level[s->queue[i]] = PLACED;
  return end;
}

static void rcm_turn(ovk_lidx *order, ovk_lidx n)
{
  for (ovk_lidx i = 0; i < n / 2; i++) {
    const ovk_lidx kept = order[i];
    order[i] = order[n - 1 - i];
    order[n - 1 - i] = kept;
  }
}

ovk_err ovk__rcm(ovk_ctx *ctx, ovk_lidx n, const int64_t *ptr, const ovk_lidx *col, ovk_lidx *order)
{
  search s = {ptr, col, ovk__array((size_t)n, sizeof *s.level), order};
  neighbor *found = ovk__array((size_t)n, sizeof *found);
  const bool memory = s.level && found;
  if (memory) {
    for (ovk_lidx i = 0; i < n; i++) s.level[i] = OPEN;
    ovk_lidx placed = 0;
    for (ovk_lidx i = 0; i < n; i++) {
      if (s.level[i] == OPEN) placed = rcm_place_part(&s, i, placed, found);
    }
    rcm_turn(order, n);
  }
  free(s.level);
  free(found);
  return memory ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for an order of rows");
}
