/* SPDX-License-Identifier: BSD-2-Clause */
/* The reverse Cuthill-McKee order, and blocks in another order. */
#include "precond/incomplete/order.h"
#include "core/context/mem.h"

#include <stdlib.h>

enum { OPEN = -1, PLACED = -2, MAX_TRIES = 8 };

/* level[i] is OPEN, PLACED (in a part that is done), or the distance from where the search began.
 * queue has the rows of the parts that are done, and after them those of the search. */
typedef struct search {
  const ovk__block *B;
  ovk_lidx *level, *queue;
} search;

/* A row and its sort key: the number of its columns, then its own number. */
typedef struct neighbor {
  int64_t degree;
  ovk_lidx row;
} neighbor;

static int64_t degree_of(const ovk__block *B, ovk_lidx i)
{
  return B->ptr[i + 1] - B->ptr[i];
}

static int order_compare(const void *a, const void *b)
{
  const neighbor *x = a, *y = b;
  if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/* Appends the open neighbors of row i to the queue, which ends at `end`; returns its new end. */
static ovk_lidx order_visit(search *s, ovk_lidx i, ovk_lidx end, neighbor *found)
{
  const ovk__block *B = s->B;
  size_t count = 0;
  for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
    const ovk_lidx j = B->col[k];
    if (s->level[j] != OPEN) continue;
    s->level[j] = s->level[i] + 1;
    found[count++] = (neighbor){degree_of(B, j), j};
  }
  qsort(found, count, sizeof *found, order_compare);
  for (size_t k = 0; k < count; k++) s->queue[end++] = found[k].row;
  return end;
}

/* A search from `start` into the queue from `from` on; returns where it ends. */
static ovk_lidx order_search_from(search *s, ovk_lidx start, ovk_lidx from, neighbor *found)
{
  ovk_lidx end = from;
  s->level[start] = 0;
  s->queue[end++] = start;
  for (ovk_lidx k = from; k < end; k++) end = order_visit(s, s->queue[k], end, found);
  return end;
}

/* The row with the fewest neighbors in the last level of a search. */
static ovk_lidx order_farthest(const search *s, ovk_lidx from, ovk_lidx end)
{
  ovk_lidx best = s->queue[end - 1];
  for (ovk_lidx k = end - 1; k >= from && s->level[s->queue[k]] == s->level[best]; k--) {
    if (degree_of(s->B, s->queue[k]) < degree_of(s->B, best)) best = s->queue[k];
  }
  return best;
}

/* A search from another row in place of one that ended at `end`. */
static ovk_lidx order_search_again(search *s, ovk_lidx start, ovk_lidx from, ovk_lidx end,
                                   neighbor *found)
{
  for (ovk_lidx i = from; i < end; i++) s->level[s->queue[i]] = OPEN;
  return order_search_from(s, start, from, found);
}

/* Places the part of row `start`, all rows that can be reached from it, in the queue from `from`
 * on; returns where it ends. Searches restart at the far end as long as they find more levels and
 * reach all rows from there. If the columns are not symmetric, some rows may be out of reach. */
static ovk_lidx order_place_part(search *s, ovk_lidx start, ovk_lidx from, neighbor *found)
{
  ovk_lidx depth = -1, end = order_search_from(s, start, from, found);
  for (int k = 0; k < MAX_TRIES && s->level[s->queue[end - 1]] > depth; k++) {
    depth = s->level[s->queue[end - 1]];
    const ovk_lidx far = order_farthest(s, from, end),
                   far_end = order_search_again(s, far, from, end, found);
    if (far_end < end) {
      end = order_search_again(s, start, from, far_end, found);
      break;
    }
    start = far;
  }
  for (ovk_lidx i = from; i < end; i++) s->level[s->queue[i]] = PLACED;
  return end;
}

static void order_turn(ovk_lidx *order, ovk_lidx n)
{
  for (ovk_lidx i = 0; i < n / 2; i++) {
    const ovk_lidx kept = order[i];
    order[i] = order[n - 1 - i];
    order[n - 1 - i] = kept;
  }
}

ovk_err ovk__order_rcm(const ovk__block *B, ovk_lidx *order)
{
  search s = {.B = B, .queue = order};
  s.level = ovk__array((size_t)B->n, sizeof *s.level);
  neighbor *found = ovk__array((size_t)B->n, sizeof *found);
  const bool memory = s.level && found;
  if (memory) {
    for (ovk_lidx i = 0; i < B->n; i++) s.level[i] = OPEN;
    ovk_lidx placed = 0;
    for (ovk_lidx i = 0; i < B->n; i++) {
      if (s.level[i] == OPEN) placed = order_place_part(&s, i, placed, found);
    }
    order_turn(order, B->n);
  }
  free(s.level);
  free(found);
  return memory ? OVK_OK : OVK_FAIL(B->ctx, OVK_ERR_MEMORY, "no memory for an order of rows");
}

/* An entry of a row that is sorted by columns. */
typedef struct entry {
  ovk_lidx col;
  double val;
} entry;

static int order_compare_columns(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return (x->col > y->col) - (x->col < y->col);
}

/* place[row of B] is its row in `out`. */
static void reorder_rows(const ovk__block *B, const ovk_lidx *order, const ovk_lidx *place,
                         entry *row, ovk__block *out)
{
  out->ptr[0] = 0;
  for (ovk_lidx i = 0; i < B->n; i++) {
    const int64_t from = B->ptr[order[i]], count = degree_of(B, order[i]);
    for (int64_t k = 0; k < count; k++) {
      row[k] = (entry){place[B->col[from + k]], B->val[from + k]};
    }
    qsort(row, (size_t)count, sizeof *row, order_compare_columns);
    for (int64_t k = 0; k < count; k++) {
      out->col[out->ptr[i] + k] = row[k].col;
      out->val[out->ptr[i] + k] = row[k].val;
    }
    out->ptr[i + 1] = out->ptr[i] + count;
  }
}

ovk_err ovk__block_reorder(const ovk__block *B, const ovk_lidx *order, ovk__block *out)
{
  *out = (ovk__block){.ctx = B->ctx, .first = B->first, .n = B->n, .order = order};
  OVK_NEW_ARRAY(B->ctx, out->ptr, B->n + (int64_t)1);
  OVK_NEW_ARRAY(B->ctx, out->col, B->ptr[B->n]);
  OVK_NEW_ARRAY(B->ctx, out->val, B->ptr[B->n]);
  ovk_lidx *place = ovk__array((size_t)B->n, sizeof *place);
  entry *row = ovk__array((size_t)B->n, sizeof *row);
  const bool memory = place && row;
  if (memory) {
    for (ovk_lidx i = 0; i < B->n; i++) place[order[i]] = i;
    reorder_rows(B, order, place, row, out);
  }
  free(place);
  free(row);
  return memory ? OVK_OK : OVK_FAIL(B->ctx, OVK_ERR_MEMORY, "no memory for an order of rows");
}
