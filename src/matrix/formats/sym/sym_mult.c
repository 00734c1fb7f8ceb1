/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "sym". Each stored entry a at (i, j), j > i, is used twice: y[i] += a
 * x[j] and y[j] += a x[i]. Rows of a window are final when the window has been processed. */
#include "matrix/formats/sell/sell_runs.h"
#include "matrix/formats/sym/sym_block.h"

/* Row i, of n entries from k on; x, y and columns are counted from the window's first row. Two
 * sums: one chain of additions would be latency-bound. */
OVK_ALWAYS_INLINE void row_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                 ovk_lidx i, const double *restrict x, double *restrict y)
{
  const double xi = x[i];
  ovk__entries_ask(e, near, k, n);
  double even = 0, odd = 0;
  for (; n >= 2; n -= 2, k += 2) {
    const ovk_lidx j = ovk__entries_column(e, near, k), l = ovk__entries_column(e, near, k + 1);
    even += e->val[k] * x[j];
    y[j] += e->val[k] * xi;
    odd += e->val[k + 1] * x[l];
    y[l] += e->val[k + 1] * xi;
  }
  if (n > 0) {
    const ovk_lidx j = ovk__entries_column(e, near, k);
    even += e->val[k] * x[j];
    y[j] += e->val[k] * xi;
  }
  y[i] += even + odd;
}

/* y <- diagonal x for rows first to end - 1 */
OVK_ALWAYS_INLINE void begin_rows(const ovk__sym *b, ovk_lidx first, ovk_lidx end,
                                  const double *restrict x, double *restrict y)
{
  if (!b->diagonal) {
    for (ovk_lidx i = first; i < end; i++) y[i] = 0;
  } else if (!b->missing) {
    for (ovk_lidx i = first; i < end; i++) y[i] = b->diagonal[i] * x[i];
  } else {
    for (ovk_lidx i = first; i < end; i++) y[i] = b->missing[i] ? 0 : b->diagonal[i] * x[i];
  }
}

/* The rows that a window is the first to write are initialised right before it, so that they are
 * still in cache. */
OVK_ALWAYS_INLINE double sweep(const ovk__sym *b, bool near, const double *restrict x,
                               double *restrict y, ovk_poll poll)
{
  const ovk__windows *w = &b->windows;
  double lane[OVK__LANES] = {0};
  ovk__pace pace = ovk__pace_start(poll);
  ovk_lidx begun = 0;
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k);
    for (ovk_lidx n; begun <= b->reach[k]; begun += n) {
      n = ovk__pace_until(&pace, b->reach[k] - begun + 1);
      begin_rows(b, begun, begun + n, x, y);
      ovk__pace_done(&pace, n);
    }
    ovk__window_times(w, &b->entries, near, k, row_times, x + first, y + first, &pace);
    ovk__lanes_add(lane, ovk__window_end(w, k) - first, x + first, y + first);
  }
  return ovk__lanes_sum(lane);
}

double ovk__sym_mult_dot(const void *block, const double *x, double *y, ovk_poll poll)
{
  const ovk__sym *b = block;
  return b->entries.near ? sweep(b, true, x, y, poll) : sweep(b, false, x, y, poll);
}
