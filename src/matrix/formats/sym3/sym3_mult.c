/* SPDX-License-Identifier: BSD-2-Clause */
/* The products of "sym3" with values in double: plain, of several columns, and in order. */
#include "matrix/formats/sym3/sym3_mult.inc"
#include "matrix/formats/sym3/sym3_many.inc"

/* The rows of three i in the order of order/whole_rows.h; those before it are complete. x, y and
 * columns are counted from the window's first row. */
OVK_ALWAYS_INLINE void sym3_order_rows(const ovk__entries *e, bool near, ovk__sell_row blocks,
                                       ovk_lidx i, const double *restrict x, double *restrict y)
{
  const ptrdiff_t own = (ptrdiff_t)3 * i;
  const double x_i[3] = {x[own], x[own + 1], x[own + 2]};
  const double *a = e->val + OVK__SYM3_VALUES * blocks.first;
  double above[3] = {0};
  for (ovk_lidx l = blocks.n - 1; l > 0; l--) {
    const double *u = a + (ptrdiff_t)OVK__SYM3_VALUES * l;
    const ptrdiff_t j = 3 * (ptrdiff_t)ovk__entries_column(e, near, blocks.first + l);
    for (int r = 0; r < 3; r++) {
      above[r] += u[3 * r + 2] * x[j + 2];
      above[r] += u[3 * r + 1] * x[j + 1];
      above[r] += u[(ptrdiff_t)3 * r] * x[j];
    }
    for (int c = 0; c < 3; c++) {
      y[j + c] = ((y[j + c] + u[c] * x_i[0]) + u[3 + c] * x_i[1]) + u[6 + c] * x_i[2];
    }
  }
  for (int r = 0; r < 3; r++) {
    double below = y[own + r];
    for (int c = 0; c < r; c++) below += a[3 * r + c] * x_i[c];
    for (int c = 2; c >= r; c--) above[r] += a[3 * r + c] * x_i[c];
    y[own + r] = below + above[r];
  }
}

/* The rows of a window are processed in their order, not in that of their lengths. */
OVK_ALWAYS_INLINE void sym3_order_windows(const ovk__sym3 *b, bool near, const double *restrict x,
                                          double *restrict y, ovk_poll poll,
                                          const ovk__finish *finish)
{
  const ovk__windows *w = &b->windows;
  ovk__pace pace = ovk__pace_start(poll);
  ovk__sell_row three[OVK__SORT_WINDOW];
  ovk_lidx begun = 0;
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k), threes = ovk__window_end(w, k) - first;
    const ptrdiff_t from = (ptrdiff_t)3 * first;
    ovk__window_rows(w, k, three);
    for (; begun < 3 * (b->reach[k] + 1); begun++) y[begun] = 0;
    for (ovk_lidx l = 0; l < threes; l++) {
      sym3_order_rows(&b->blocks, near, three[l], l, x + from, y + from);
    }
    ovk__finish_rows(finish, 3 * first, 3 * (first + threes), y);
    ovk__pace_done(&pace, 3 * threes);
  }
}

OVK_FOR_EACH_CPU
static void sym3_multiply_ordered(const void *block, const double *x, double *y, ovk_poll poll,
                                  const ovk__finish *finish)
{
  const ovk__sym3 *b = block;
  if (b->blocks.near) {
    sym3_order_windows(b, true, x, y, poll, finish);
  } else {
    sym3_order_windows(b, false, x, y, poll, finish);
  }
}

const ovk__products ovk__sym3_products = {
    .dot = sym3_multiply,
    .ordered = sym3_multiply_ordered,
    .many = sym3_multiply_many,
};
