/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunks of "symdia" times blocks of columns. See value.h. The sums are
 * those of symdia_mult.inc, which adds u x(i) of an entry u at (i, i + d) to y(i + d): first from
 * the chunks before, each diagonal by diagonal. Here row i + d fetches u. So y is written once, not
 * with every diagonal, which would take 8 columns through the caches. Where the rows of a chunk
 * find their values depends on the diagonals of some chunks alone, and is the same for most. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MANY_ROWS_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MANY_ROWS_H

#include "core/base/columns.h"
#include "matrix/formats/symdia/symdia_mirrors.h"
#include "matrix/formats/value.h"

#include <stdbool.h>
#include <stddef.h>

enum { SYMDIA_ROWS = OVK__SYMDIA_CHUNK_HEIGHT };

/* sum <- ((sum + u a) + v b) + z c */
OVK_ALWAYS_INLINE void symdia_many_three(int w, double u, const ovk__columns *a, double v,
                                         const ovk__columns *b, double z, const ovk__columns *c,
                                         ovk__columns *sum)
{
  ovk__columns_add_scaled(w, sum, u, a);
  ovk__columns_add_scaled(w, sum, v, b);
  ovk__columns_add_scaled(w, sum, z, c);
}

/* The sums of a pair of rows <- these + an entry times x */
OVK_ALWAYS_INLINE void mirrors_add_one(int w, const ovk__mirrored *one,
                                       const ovk__value *restrict u, const double *restrict x,
                                       ovk__columns *sum, ovk__columns *next)
{
  const ovk__value *v = u + SYMDIA_ROWS - 1, *z = v + SYMDIA_ROWS - 1;
  if (one->kind == OVK__MIRROR_THREE) {
    ovk__columns a, b, c, d;
    ovk__columns_load(w, &a, x);
    ovk__columns_load(w, &b, x + w);
    ovk__columns_load(w, &c, x + (ptrdiff_t)2 * w);
    ovk__columns_load(w, &d, x + (ptrdiff_t)3 * w);
    symdia_many_three(w, u[0], &c, v[0], &b, z[0], &a, sum);
    symdia_many_three(w, u[1], &d, v[1], &c, z[1], &b, next);
  } else if (one->kind == OVK__MIRROR_FIRST) {
    ovk__columns_add_multiple(w, sum, *u, x);
  } else {
    ovk__columns_add_multiple(w, next, *u, x);
  }
}

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
    for (int e = 0; e < m->n[l / 2]; e++) {
      const ovk__mirrored *one = &m->entry[l / 2][e];
      mirrors_add_one(w, one, val + one->value, x + one->x, &sum, &next);
    }
    ovk__columns_store(w, y, &sum);
    if (second) ovk__columns_store(w, y + w, &next);
  }
}

/* sum <- the part of a row on and right of the diagonal, of a chunk of `rows` rows: the first n
 * diagonals, x and val at the row. */
OVK_ALWAYS_INLINE void symdia_many_row(int w, ovk_lidx n, const ovk_lidx *restrict offset,
                                       ovk_lidx rows, const ovk__value *restrict val,
                                       const double *restrict x, ovk__columns *sum)
{
  ovk_lidx k = 0;
  ovk__columns_zero(w, sum);
  if (n > 0 && offset[0] == 0) ovk__columns_set_multiple(w, sum, val[k++], x);
  for (; k < n; k++) {
    ovk__columns_add_multiple(w, sum, val[(int64_t)k * rows], x + (ptrdiff_t)offset[k] * w);
  }
}

/* The same for two rows, which have all diagonals; three neighbors share x. */
OVK_ALWAYS_INLINE void symdia_many_two(int w, ovk_lidx n, const ovk_lidx *restrict offset,
                                       const ovk__value *restrict val, const double *restrict x,
                                       ovk__columns *sum, ovk__columns *next)
{
  enum { ROWS = OVK__SYMDIA_CHUNK_HEIGHT };
  ovk_lidx k = 0;
  ovk__columns_zero(w, sum);
  ovk__columns_zero(w, next);
  if (n > 0 && offset[0] == 0) {
    ovk__columns_set_multiple(w, sum, val[0], x);
    ovk__columns_set_multiple(w, next, val[1], x + w);
    k++, val += ROWS;
  }
  for (int done; k < n; k += done, val += (ptrdiff_t)done * ROWS) {
    const double *at = x + (ptrdiff_t)offset[k] * w;
    done = ovk__symdia_together(offset, n, k);
    if (done == 3) {
      const ovk__value *v = val + ROWS, *z = v + ROWS;
      ovk__columns a, b, c, d;
      ovk__columns_load(w, &a, at);
      ovk__columns_load(w, &b, at + w);
      ovk__columns_load(w, &c, at + (ptrdiff_t)2 * w);
      ovk__columns_load(w, &d, at + (ptrdiff_t)3 * w);
      symdia_many_three(w, val[0], &a, v[0], &b, z[0], &c, sum);
      symdia_many_three(w, val[1], &b, v[1], &c, z[1], &d, next);
    } else {
      ovk__columns_add_multiple(w, sum, val[0], at);
      ovk__columns_add_multiple(w, next, val[1], at + w);
    }
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
  ovk__columns sum, next;
  const ovk_lidx ahead = SYMDIA_ROWS + (n > 0 ? offset[n - 1] : 0);
  const bool whole = rows == OVK__SYMDIA_CHUNK_HEIGHT && (n == 0 || offset[n - 1] <= rest - rows);
  const int64_t step = whole ? 2 * (int64_t)w : w;
  for (ovk_lidx l = 0; l < rows; l += whole ? 2 : 1) {
    const ptrdiff_t at = (ptrdiff_t)l * w;
    ovk__prefetch(x, ((int64_t)ahead + l) * w, sizeof *x, step);
    ovk__prefetch(y, ((int64_t)SYMDIA_ROWS + l) * w, sizeof *y, step);
    ovk__prefetch_entries(val + (int64_t)n * l, sizeof *val, 2 * (int64_t)n); /* not all at once */
    if (whole) {
      symdia_many_two(w, n, offset, val + l, x + at, &sum, &next);
      symdia_many_complete(w, &next, y + at + w);
    } else {
      while (n > 0 && offset[n - 1] >= rest - l) n--; /* padding outside of the matrix */
      symdia_many_row(w, n, offset, rows, val + l, x + at, &sum);
    }
    symdia_many_complete(w, &sum, y + at);
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
