/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a window of "sym" times a block of columns. See value.h. Sums are made in the order
 * of sym_mult.inc. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYM_MANY_WINDOW_H
#define OVK_MATRIX_FORMATS_SYM_SYM_MANY_WINDOW_H

#include "matrix/formats/row_many.h"
#include "matrix/formats/sym/sym_block.h"

/* Entry k of a row: sum <- sum + a x(j), y(j) <- y(j) + a x(i) */
OVK_ALWAYS_INLINE void sym_many_entry(int w, const ovk__row *r, ovk_lidx k, const ovk__columns *own,
                                      const double *restrict x, double *restrict y,
                                      ovk__columns *sum)
{
  const ptrdiff_t at = (ptrdiff_t)ovk__row_column(r, k) * w;
  ovk__columns to;
  ovk__columns_add_multiple(w, sum, r->val[k], x + at);
  ovk__columns_load(w, &to, y + at);
  ovk__columns_add_scaled(w, &to, r->val[k], own);
  ovk__columns_store(w, y + at, &to);
}

/* Row i, of n entries from `from` on; x, y and columns are counted from the window's first row. */
OVK_ALWAYS_INLINE void sym_many_row(int w, const ovk__entries *e, bool near, int64_t from,
                                    ovk_lidx n, ovk_lidx i, const double *restrict x,
                                    double *restrict y)
{
  const ovk__row r = ovk__entries_row(e, near, from);
  const ovk_lidx fours = n - n % 4;
  ovk__columns own, a, b, c, d, rest;
  ovk__columns_load(w, &own, x + (ptrdiff_t)i * w);
  ovk__columns_zero(w, &a);
  ovk__columns_zero(w, &b);
  ovk__columns_zero(w, &c);
  ovk__columns_zero(w, &d);
  ovk__columns_zero(w, &rest);
  ovk__row_prefetch(&r, 0);
  for (ovk_lidx k = 0; k < fours; k += 4) {
    if (k % 8 == 4) ovk__row_prefetch(&r, k + 4);
    sym_many_entry(w, &r, k, &own, x, y, &a);
    sym_many_entry(w, &r, k + 1, &own, x, y, &b);
    sym_many_entry(w, &r, k + 2, &own, x, y, &c);
    sym_many_entry(w, &r, k + 3, &own, x, y, &d);
  }
  for (ovk_lidx k = fours; k < n; k++) sym_many_entry(w, &r, k, &own, x, y, &rest);
  ovk__columns_add(w, &a, &b);
  ovk__columns_add(w, &c, &d);
  ovk__columns_add(w, &a, &c);
  ovk__columns_add(w, &a, &rest);
  ovk__columns_load(w, &rest, y + (ptrdiff_t)i * w);
  ovk__columns_add(w, &rest, &a);
  ovk__columns_store(w, y + (ptrdiff_t)i * w, &rest);
}

/* y <- diagonal x for rows first to end - 1 */
OVK_ALWAYS_INLINE void sym_many_begin(int w, const ovk__sym *b, ovk_lidx first, ovk_lidx end,
                                      const double *restrict x, double *restrict y)
{
  const ovk__value *diagonal = OVK__VALUES(b->diagonal, b->narrow);
  for (ovk_lidx i = first; i < end; i++) {
    const ptrdiff_t at = (ptrdiff_t)i * w;
    ovk__columns own;
    ovk__columns_zero(w, &own);
    if (diagonal && !(b->missing && b->missing[i])) {
      ovk__columns_set_multiple(w, &own, diagonal[i], x + at);
    }
    ovk__columns_store(w, y + at, &own);
  }
}

/* Window k, before which rows up to *begun have been begun; sum <- sum + (x, y) of its rows */
OVK_ALWAYS_INLINE void sym_many_window_rows(int w, const ovk__sym *b, bool near, ovk_lidx k,
                                            const double *restrict x, double *restrict y,
                                            ovk_lidx *begun, double *restrict sum)
{
  const ovk__windows *all = &b->windows;
  const ovk_lidx first = ovk__window_first(k);
  const ptrdiff_t at = (ptrdiff_t)first * w;
  const uint8_t *row = all->row + first;
  int64_t entry = all->entry[k];
  int64_t ahead = (int64_t)(b->reach[k] + 1) * w;
  if (*begun <= b->reach[k]) {
    sym_many_begin(w, b, *begun, b->reach[k] + 1, x, y);
    *begun = b->reach[k] + 1;
  }
  for (ovk_lidx r = all->run[k]; r < all->run[k + 1]; r++) {
    const ovk_lidx n = all->runs[r].length;
    for (ovk_lidx l = 0; n > 0 && l < all->runs[r].rows; l++, entry += n, ahead += w) {
      ovk__prefetch(x, ahead, sizeof *x, w); /* the rows that the next window begins */
      ovk__prefetch(y, ahead, sizeof *y, w);
      sym_many_row(w, &b->entries, near, entry, n, row[l], x + at, y + at);
    }
    row += all->runs[r].rows;
  }
  ovk__columns_dot(w, OVK__LANES, ovk__window_end(all, k) - first, x + at, y + at, sum);
}

/* The same for columns of either type. */
OVK_ALWAYS_INLINE void sym_many_window_of(int w, const ovk__sym *b, ovk_lidx k, const double *x,
                                          double *y, ovk_lidx *begun, double *sum)
{
  if (b->entries.near) {
    sym_many_window_rows(w, b, true, k, x, y, begun, sum);
  } else {
    sym_many_window_rows(w, b, false, k, x, y, begun, sum);
  }
}

/* The same for blocks of 8 columns and processors with vectors of eight. */
void ovk__sym_many_window_wide(const ovk__sym *b, ovk_lidx k, const double *x, double *y,
                               ovk_lidx *begun, double *sum);
void ovk__sym_many_window_wide_float(const ovk__sym *b, ovk_lidx k, const double *x, double *y,
                                     ovk_lidx *begun, double *sum);

#endif
