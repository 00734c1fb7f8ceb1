/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunks of "symdia" times blocks of columns. See value.h. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MANY_CHUNKS_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MANY_CHUNKS_H

#include "core/base/edges.h"
#include "matrix/formats/symdia/symdia_many_rows.h"

/* Prefetches a cache line of the values that the next chunk needs, of each diagonal. */
OVK_ALWAYS_INLINE void mirrors_ask_ahead(const ovk__mirrors *m, ovk_lidx l,
                                         const ovk__value *restrict val)
{
  for (int e = 0; e < m->n[l / 2]; e++) {
    const ovk__value *u = val + m->entry[l / 2][e].value;
    OVK_PREFETCH(u);
    if (m->entry[l / 2][e].kind != OVK__MIRROR_THREE) continue;
    OVK_PREFETCH(u + SYMDIA_ROWS - 1);
    OVK_PREFETCH(u + (ptrdiff_t)2 * (SYMDIA_ROWS - 1));
  }
}

/* y <- y + the entries of m times x, of a chunk of `rows` rows, or, if m begins, without y: x and y
 * at the first row, val at the chunk's first value, `slots` before that of the next one. */
OVK_ALWAYS_INLINE void mirrors_add(int w, bool begins, const ovk__mirrors *m, ovk_lidx rows,
                                   int64_t slots, const ovk__value *restrict val,
                                   const double *restrict x, double *restrict y)
{
  for (ovk_lidx l = 0; l < rows; l += 2, x += (ptrdiff_t)2 * w, y += (ptrdiff_t)2 * w) {
    const bool second = l + 1 < rows;
    ovk__columns sum, next;
    ovk__columns_zero(w, &sum);
    ovk__columns_zero(w, &next);
    if (l % 8 == 0) mirrors_ask_ahead(m, l, val + slots);
    if (!begins) ovk__columns_load(w, &sum, y);
    if (!begins && second) ovk__columns_load(w, &next, y + w);
    mirrors_add_pair(w, m, l, val, x, &sum, &next);
    ovk__columns_store(w, y, &sum);
    if (second) ovk__columns_store(w, y + w, &next);
  }
}

/* y <- y + sum */
OVK_ALWAYS_INLINE void symdia_many_complete(int w, const ovk__columns *sum, double *y)
{
  ovk__columns all;
  ovk__columns_load(w, &all, y);
  ovk__columns_add(w, &all, sum);
  ovk__columns_store(w, y, &all);
}

/* Adds the part on and right of the diagonal of a chunk of `rows` rows, x and y at its first, after
 * which the matrix has `rest` rows. */
OVK_ALWAYS_INLINE void symdia_many_upper(int w, ovk_lidx rows, ovk_lidx rest, ovk_lidx n,
                                         const ovk_lidx *restrict offset,
                                         const ovk__value *restrict val, const double *restrict x,
                                         double *restrict y)
{
  for (ovk_lidx l = 0; l < rows; l++) {
    ovk__columns sum;
    while (n > 0 && offset[n - 1] >= rest - l) n--; /* padding outside of the matrix */
    symdia_many_row(w, n, offset, rows, val + l, x + (ptrdiff_t)l * w, &sum);
    symdia_many_complete(w, &sum, y + (ptrdiff_t)l * w);
  }
}

/* The diagonals above the main one have mirrors below it. */
OVK_ALWAYS_INLINE void symdia_many_edges(ovk_lidx n, const ovk_lidx *restrict offset,
                                         ovk__edges *edges)
{
  edges->n = 0;
  for (ovk_lidx k = 0; k < n; k++) {
    if (k + 1 == n || offset[k + 1] - offset[k] > OVK__NEAR) ovk__edges_add(edges, offset[k]);
    if (k > 0 && offset[k] - offset[k - 1] > OVK__NEAR) ovk__edges_add(edges, -offset[k]);
  }
}

/* Prefetches the data of rows l and l + 1 of the next chunk; x, y and val are at rows of this one.
 */
OVK_ALWAYS_INLINE void symdia_many_ask_ahead(int w, const ovk__edges *edges, ovk_lidx n, ovk_lidx l,
                                             const ovk__value *val, const double *x,
                                             const double *y)
{
  ovk__edges_prefetch(edges, w, SYMDIA_ROWS, 2, x);
  ovk__prefetch(y, (int64_t)SYMDIA_ROWS * w, sizeof *y, 2 * (int64_t)w);
  ovk__prefetch_entries(val + (int64_t)n * l, sizeof *val, 2 * (int64_t)n); /* not all at once */
}

/* row l of sum <- this + x y of a row */
OVK_ALWAYS_INLINE void symdia_many_dot(int w, ovk_lidx l, const double *restrict x,
                                       const ovk__columns *y, double *restrict sum)
{
  ovk__columns own, dot;
  double *at = sum + (ptrdiff_t)(l % OVK__LANES) * w;
  ovk__columns_load(w, &own, x);
  ovk__columns_load(w, &dot, at);
  ovk__columns_add_product(w, &dot, &own, y);
  ovk__columns_store(w, at, &dot);
}

/* A chunk of full height that has all its diagonals, and all entries below them in m. */
OVK_ALWAYS_INLINE void symdia_many_whole(int w, const ovk__mirrors *m, int64_t slots, ovk_lidx n,
                                         const ovk_lidx *restrict offset,
                                         const ovk__value *restrict val, const double *restrict x,
                                         double *restrict y, double *restrict sum)
{
  ovk__edges edges;
  symdia_many_edges(n, offset, &edges);
  for (ovk_lidx l = 0; l < SYMDIA_ROWS; l += 2, x += (ptrdiff_t)2 * w, y += (ptrdiff_t)2 * w) {
    ovk__columns left, left_next, right, right_next;
    ovk__columns_zero(w, &left);
    ovk__columns_zero(w, &left_next);
    if (l % 8 == 0) mirrors_ask_ahead(m, l, val + slots);
    symdia_many_ask_ahead(w, &edges, n, l, val, x, y);
    mirrors_add_pair(w, m, l, val, x, &left, &left_next);
    symdia_many_two(w, n, offset, val + l, x, &right, &right_next);
    ovk__columns_add(w, &left, &right);
    ovk__columns_add(w, &left_next, &right_next);
    ovk__columns_store(w, y, &left);
    ovk__columns_store(w, y + w, &left_next);
    symdia_many_dot(w, l, x, &left, sum);
    symdia_many_dot(w, l + 1, x + w, &left_next, sum);
  }
}

/* Chunk c: y <- A x; sum <- sum + (x, y) of its rows. m is that of the chunk before. */
OVK_ALWAYS_INLINE void symdia_many_chunk(int w, const ovk__symdia *b, ovk_lidx c, ovk__mirrors *m,
                                         const double *restrict x, double *restrict y,
                                         double *restrict sum)
{
  const ovk__diagonals *d = &b->d;
  const ovk_lidx i = c * SYMDIA_ROWS, rest = d->rows - i;
  const ovk_lidx rows = rest < SYMDIA_ROWS ? rest : SYMDIA_ROWS;
  const ovk__value *val = OVK__VALUES(d->val, d->narrow) + d->first[c];
  const int64_t slots = d->first[c + 1] - d->first[c];
  ovk__mirror_place p = {b->nreach - 1, -1};
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  x += (ptrdiff_t)i * w;
  y += (ptrdiff_t)i * w;
  if (!m->all || rows < SYMDIA_ROWS || !ovk__mirrors_are_same(b, c)) {
    m->all = ovk__mirrors_collect(w, b, c, rows, &p, m);
  }
  if (m->all && rows == SYMDIA_ROWS && (n == 0 || offset[n - 1] <= rest - rows)) {
    symdia_many_whole(w, m, slots, n, offset, val, x, y, sum);
    return;
  }
  mirrors_add(w, true, m, rows, slots, val, x, y);
  for (bool all = m->all; !all;) {
    all = ovk__mirrors_collect(w, b, c, rows, &p, m);
    mirrors_add(w, false, m, rows, slots, val, x, y);
  }
  symdia_many_upper(w, rows, rest, n, offset, val, x, y);
  ovk__columns_dot(w, OVK__LANES, rows, x, y, sum);
}

OVK_ALWAYS_INLINE void symdia_many_chunks_of(int w, const ovk__symdia *b, ovk_lidx from,
                                             ovk_lidx to, const double *restrict x,
                                             double *restrict y, double *restrict sum)
{
  ovk__mirrors m;
  m.all = 0;
  for (ovk_lidx c = from; c < to; c++) symdia_many_chunk(w, b, c, &m, x, y, sum);
}

#endif
