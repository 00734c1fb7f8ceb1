/* SPDX-License-Identifier: BSD-2-Clause */
/* The products of "sym" with values in double: plain, of several columns, and in order. */
#include "matrix/formats/sym/sym_mult.inc"
#include "matrix/formats/sym/sym_many.inc"

/* Row i in the order of order/whole_rows.h; rows before it are complete. x, y and columns are
 * counted from the window's first row. */
OVK_ALWAYS_INLINE void sym_order_row(const ovk__entries *e, bool near, ovk__sell_row entries,
                                     double diagonal, ovk_lidx i, const double *restrict x,
                                     double *restrict y)
{
  const ovk__row r = ovk__entries_row(e, near, entries.first);
  const double xi = x[i];
  double above = 0;
  for (ovk_lidx k = entries.n - 1; k >= 0; k--) {
    const ovk_lidx j = ovk__row_column(&r, k);
    above += r.val[k] * x[j];
    y[j] += r.val[k] * xi;
  }
  y[i] += above + diagonal * xi;
}

/* The rows of a window are processed in their order, not in that of their lengths. A diagonal entry
 * that is missing is as 0: x is finite, or the solve ends. */
OVK_ALWAYS_INLINE void sym_order_windows(const ovk__sym *b, bool near, const double *restrict x,
                                         double *restrict y, ovk_poll poll,
                                         const ovk__finish *finish)
{
  const ovk__windows *w = &b->windows;
  ovk__pace pace = ovk__pace_start(poll);
  ovk__sell_row row[OVK__SORT_WINDOW];
  ovk_lidx begun = 0;
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k), end = ovk__window_end(w, k);
    ovk__window_rows(w, k, row);
    for (; begun <= b->reach[k]; begun++) y[begun] = 0;
    for (ovk_lidx l = 0; l < end - first; l++) {
      const double diagonal = b->diagonal ? b->diagonal[first + l] : 0;
      sym_order_row(&b->entries, near, row[l], diagonal, l, x + first, y + first);
    }
    ovk__finish_rows(finish, first, end, y);
    ovk__pace_done(&pace, end - first);
  }
}

OVK_FOR_EACH_CPU
static void sym_multiply_ordered(const void *block, const double *x, double *y, ovk_poll poll,
                                 const ovk__finish *finish)
{
  const ovk__sym *b = block;
  if (b->entries.near) {
    sym_order_windows(b, true, x, y, poll, finish);
  } else {
    sym_order_windows(b, false, x, y, poll, finish);
  }
}

const ovk__products ovk__sym_products = {
    .dot = sym_multiply,
    .ordered = sym_multiply_ordered,
    .many = sym_multiply_many,
};
