/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the rows of a chunk of "symdia" find the entries below their diagonals. */
#include "matrix/formats/symdia/symdia_mirrors.h"
#include "core/base/sorted.h"

enum { ROWS = OVK__SYMDIA_CHUNK_HEIGHT };

/* The diagonals from k on of a chunk, `together` of them, that reach rows of this or another one.
 */
typedef struct mirror {
  const ovk_lidx *offset;
  int64_t at; /* of the values of that chunk */
  ovk_lidx k, back, height;
  int together;
} mirror;

/* The first of n diagonals with an offset greater than this. */
static ovk_lidx mirror_first(const ovk_lidx *offset, ovk_lidx n, ovk_lidx than)
{
  OVK_BISECT(ovk_lidx, k, 0, n, offset[middle] <= than);
  return k;
}

/* Where the value on diagonal number e is that row l of the pairs has below its diagonal; -1: it
 * has none. */
static int64_t mirror_value(const mirror *o, int e, ovk_lidx l)
{
  const ovk_lidx row = l + o->back - o->offset[o->k + e];
  return row < 0 || row >= o->height ? -1 : (int64_t)(o->k + e) * o->height + row;
}

/* Adds the entries of the rows l and l + 1. `second`: the chunk has the latter. */
static void mirrors_collect_pair(int w, const mirror *o, ovk_lidx l, bool second, ovk__mirrors *m)
{
  ovk__mirrored *list = m->entry[l / 2];
  const ovk_lidx at = l + o->back - o->offset[o->k]; /* of row l, on the first diagonal */
  const bool all = o->together == 3 && second && o->height == ROWS && at >= 2 && at + 1 < ROWS;
  int n = m->n[l / 2];
  if (all) {
    list[n++] = (ovk__mirrored){o->at + (int64_t)o->k * ROWS + at, OVK__MIRROR_THREE,
                                -(ptrdiff_t)o->offset[o->k + 2] * w};
  }
  for (int e = 0; !all && e < o->together; e++) {
    for (int row = 0; row < 1 + second; row++) {
      const int64_t value = mirror_value(o, e, l + row);
      if (value < 0) continue;
      list[n++] = (ovk__mirrored){o->at + value, row ? OVK__MIRROR_SECOND : OVK__MIRROR_FIRST,
                                  (row - (ptrdiff_t)o->offset[o->k + e]) * w};
    }
  }
  m->n[l / 2] = n;
}

/* Adds to m the entries that one other chunk has for the `rows` rows of chunk c, from p on, until
 * all is in m or m may be full; returns whether all is. */
static bool mirrors_collect_chunk(int w, const ovk__symdia *b, ovk_lidx c, ovk_lidx rows,
                                  ovk__mirror_place *p, ovk__mirrors *m)
{
  const ovk__diagonals *d = &b->d;
  const ovk_lidx reach = p->reach < 0 ? 0 : b->reach[p->reach];
  ovk_lidx n;
  mirror o = {.back = reach * ROWS, .height = reach ? ROWS : rows};
  o.offset = ovk__offset_list(&d->lists, d->list[c - reach], &n);
  o.at = d->first[c - reach] - d->first[c];
  o.k = p->diagonal < 0 ? mirror_first(o.offset, n, reach ? o.back - o.height : 0) : p->diagonal;
  for (; o.k < n && o.offset[o.k] < o.back + rows; o.k += o.together) {
    const ovk_lidx first = o.offset[o.k] - o.back, from = first > 0 ? first - first % 2 : 0;
    o.together = ovk__symdia_together(o.offset, n, o.k);
    const ovk_lidx last = first + o.together - 1 + o.height, end = last < rows ? last : rows;
    bool full = false;
    for (ovk_lidx l = from; l < end; l += 2) full = full || m->n[l / 2] > OVK__MIRRORS_MOST - 6;
    p->diagonal = o.k;
    if (full) return false;
    for (ovk_lidx l = from; l < end; l += 2) mirrors_collect_pair(w, &o, l, l + 1 < rows, m);
  }
  return true;
}

bool ovk__mirrors_collect(int w, const ovk__symdia *b, ovk_lidx c, ovk_lidx rows,
                          ovk__mirror_place *p, ovk__mirrors *m)
{
  for (int l = 0; l < ROWS / 2; l++) m->n[l] = 0;
  for (; p->reach >= -1; p->reach--, p->diagonal = -1) { /* the nearest last, then the chunk */
    if (p->reach >= 0 && b->reach[p->reach] > c) continue;
    if (!mirrors_collect_chunk(w, b, c, rows, p, m)) return false;
  }
  return true;
}

bool ovk__mirrors_are_same(const ovk__symdia *b, ovk_lidx c)
{
  const ovk__diagonals *d = &b->d;
  const int64_t step = d->first[c] - d->first[c - 1];
  bool same = d->list[c] == d->list[c - 1];
  for (ovk_lidx k = 0; same && k < b->nreach; k++) {
    const ovk_lidx from = c - b->reach[k];
    if (from < 0) break;
    same = from > 0 && d->list[from] == d->list[from - 1] &&
           d->first[from] - d->first[from - 1] == step;
  }
  return same;
}
