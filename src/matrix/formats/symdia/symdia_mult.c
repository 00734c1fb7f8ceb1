/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of "symdia" with values in double, also in the order of order/whole_rows.h: a chunk's
 * diagonals from the last to the first, as ovk__symdia_flip() stores them. Values and
 * vectors stream upward, so nothing is prefetched: with prefetches of values a product took 1.25
 * times as long on AMD Zen 4. */
#include "matrix/formats/symdia/symdia_mult.inc"
#include "matrix/formats/symdia/symdia_many.inc"

/* y_d <- ((y_d + w x(i - 2)) + v x(i - 1)) + u x in the first rows of a chunk, where the first y
 * has one term, and the second has two: in vectors, as loops with conditions are not vectorized for
 * registers of four doubles. */
OVK_ALWAYS_INLINE void add_first_down(const double *u, const double *v, const double *w,
                                      const double *x, double *y_d)
{
  ovk__half y, value, by, wx, vx;
  ovk__half_of_doubles(&y, y_d);
  ovk__half_of_doubles(&wx, w - 2);
  ovk__half_of_doubles(&by, x - 2);
  ovk__half_scale(&wx, &by);
  ovk__half_add_where(0xc, &y, &wx);
  ovk__half_of_doubles(&vx, v - 1);
  ovk__half_of_doubles(&by, x - 1);
  ovk__half_scale(&vx, &by);
  ovk__half_add_where(0xe, &y, &vx);
  ovk__half_of_doubles(&value, u);
  ovk__half_of_doubles(&by, x);
  ovk__half_add(&y, &value, &by);
  ovk__half_to_doubles(y_d, &y);
}

/* As add_three(), with the diagonals w, v, u at d + 2, d + 1, d in this order. */
OVK_ALWAYS_INLINE void add_three_down(const double *restrict w, const double *restrict x,
                                      const double *restrict x_d, double *restrict t,
                                      double *restrict y_d)
{
  enum { END = CHUNK_HEIGHT - 1 };
  const double *v = w + CHUNK_HEIGHT, *u = v + CHUNK_HEIGHT;
  add_first_down(u, v, w, x, y_d);
  for (int l = OVK__HALF; l < LANES; l++) {
    y_d[l] = ((y_d[l] + w[l - 2] * x[l - 2]) + v[l - 1] * x[l - 1]) + u[l] * x[l];
  }
  for (int l = 0; l < LANES; l++) {
    t[l] = ((t[l] + w[l] * x_d[l + 2]) + v[l] * x_d[l + 1]) + u[l] * x_d[l];
  }
  for (int l = LANES; l < CHUNK_HEIGHT; l++) {
    t[l] = ((t[l] + w[l] * x_d[l + 2]) + v[l] * x_d[l + 1]) + u[l] * x_d[l];
    y_d[l] = ((y_d[l] + w[l - 2] * x[l - 2]) + v[l - 1] * x[l - 1]) + u[l] * x[l];
  }
  y_d[END + 1] = (y_d[END + 1] + w[END - 1] * x[END - 1]) + v[END] * x[END];
  y_d[END + 2] += w[END] * x[END];
}

/* All of a chunk's n diagonals above the main one, x and y at its first row, which is not the
 * matrix's first; some values precede its own. */
OVK_ALWAYS_INLINE void add_whole_down(ovk_lidx n, const ovk_lidx *restrict offset,
                                      const double *restrict val, const double *restrict x,
                                      double *restrict t, double *y)
{
#ifdef OVK_CLONES
  if (ovk__has_wide_vectors()) {
    ovk__symdia_add_whole_wide_down(n, offset, val, x, t, y);
    return;
  }
#endif
  for (ovk_lidx k = 0, done; k < n; k += done, val += (int64_t)done * CHUNK_HEIGHT) {
    done = ovk__symdia_together_down(offset, n, k);
    const ovk_lidx d = offset[k + done - 1];
    if (done == 3) {
      add_three_down(val, x, x + d, t, y + d);
    } else {
      symdia_add(CHUNK_HEIGHT, val, x, x + d, t, y + d);
    }
  }
}

/* Whether the last of n diagonals above the main one is next to it, and no other is next to that.
 */
OVK_ALWAYS_INLINE bool symdia_has_neighbor(const ovk_lidx *offset, ovk_lidx n)
{
  return n > 0 && offset[n - 1] == 1 && (n == 1 || offset[n - 2] > 2);
}

/* The end of a whole chunk, whose innermost diagonals are u, next to the main one, and the main
 * one. They are added while y is in registers: y that the neighbor has just written would be read
 * shifted by a row. A value and an x before the chunk's are read, but not used. */
OVK_ALWAYS_INLINE void symdia_complete_down(const double *restrict u, const double *restrict x,
                                            const double *restrict t, double *restrict y)
{
  enum { END = CHUNK_HEIGHT - 1 };
  const double *diagonal = u + CHUNK_HEIGHT;
  const double first = y[0] + ((t[0] + u[0] * x[1]) + diagonal[0] * x[0]);
  for (int l = 0; l < CHUNK_HEIGHT; l++) {
    y[l] = (y[l] + u[l - 1] * x[l - 1]) + ((t[l] + u[l] * x[l + 1]) + diagonal[l] * x[l]);
  }
  y[0] = first;
  y[END + 1] += u[END] * x[END];
}

/* Chunk c, which begins with row i; y is not written yet from row *reached on. */
OVK_ALWAYS_INLINE void symdia_order_chunk(const ovk__diagonals *d, ovk_lidx c,
                                          const double *restrict x, double *restrict y,
                                          ovk_lidx *reached)
{
  ovk_lidx n;
  double t[CHUNK_HEIGHT] = {0};
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  const ovk_lidx i = c * CHUNK_HEIGHT, rest = d->rows - i, last = n ? offset[0] : 0;
  const ovk_lidx rows = rest < CHUNK_HEIGHT ? rest : CHUNK_HEIGHT;
  const ovk_lidx reach = last < rest - rows ? i + rows + last : d->rows;
  const ovk_lidx above = n > 0 && offset[n - 1] == 0 ? n - 1 : n;
  const double *val = d->val + d->first[c], *diagonal = val + (int64_t)above * rows;
  const bool whole = d->first[c] > 0 && last <= rest - CHUNK_HEIGHT;
  for (; *reached < reach; ++*reached) y[*reached] = 0;
  if (whole && above < n && symdia_has_neighbor(offset, above)) {
    add_whole_down(above - 1, offset, val, x + i, t, y + i);
    symdia_complete_down(diagonal - CHUNK_HEIGHT, x + i, t, y + i);
    return;
  }
  if (whole) {
    add_whole_down(above, offset, val, x + i, t, y + i);
  } else {
    symdia_add_guarded(rows, rest, above, offset, val, x + i, t, y + i);
  }
  for (ovk_lidx l = 0; above < n && l < rows; l++) t[l] += diagonal[l] * x[i + l];
  for (ovk_lidx l = 0; l < rows; l++) y[i + l] += t[l];
}

OVK_FOR_EACH_CPU
static void symdia_order_chunks(const ovk__diagonals *d, ovk_lidx from, ovk_lidx to,
                                const double *restrict x, double *restrict y, ovk_lidx *reached)
{
  for (ovk_lidx c = from; c < to; c++) symdia_order_chunk(d, c, x, y, reached);
}

static void symdia_product_ordered(const void *self, const double *x, double *y, ovk_poll poll,
                                   const ovk__finish *finish)
{
  const ovk__diagonals *d = &((const ovk__symdia *)self)->d;
  ovk_lidx reached = 0;
  for (ovk_lidx i = 0, end; i < d->rows; i = end) {
    end = ovk__finish_until(finish, i, ovk__diagonals_until(d, poll, i));
    symdia_order_chunks(d, i / CHUNK_HEIGHT, end / CHUNK_HEIGHT + (end % CHUNK_HEIGHT != 0), x, y,
                        &reached);
    ovk__finish_rows(finish, i, end, y);
    ovk__diagonals_poll(d, poll, i, end);
  }
}

const ovk__products ovk__symdia_products = {
    .dot = symdia_product,
    .ordered = symdia_product_ordered,
    .many = symdia_product_many,
};
