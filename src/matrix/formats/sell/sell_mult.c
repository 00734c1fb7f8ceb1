/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "sell". */
#include "matrix/formats/sell/sell_block.h"

/* n entries from k on times x, in four sums: one chain of additions would be latency-bound. */
OVK_KERNEL_PART double row_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                 const double *x)
{
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (; n >= 4; n -= 4, k += 4) {
    sum0 += e->val[k] * x[ovk__entries_column(e, near, k)];
    sum1 += e->val[k + 1] * x[ovk__entries_column(e, near, k + 1)];
    sum2 += e->val[k + 2] * x[ovk__entries_column(e, near, k + 2)];
    sum3 += e->val[k + 3] * x[ovk__entries_column(e, near, k + 3)];
  }
  for (; n > 0; n--, k++) sum0 += e->val[k] * x[ovk__entries_column(e, near, k)];
  return (sum0 + sum1) + (sum2 + sum3);
}

/* y[row[r]] <- A x for `rows` rows of n entries each, from entry k on. */
OVK_KERNEL_PART void rows_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx rows,
                                ovk_lidx n, const uint8_t *row, const double *restrict x,
                                double *restrict y)
{
  for (ovk_lidx r = 0; r < rows; r++, k += n) {
    ovk__entries_ask(e, near, k, n);
    y[row[r]] = row_times(e, near, k, n, x);
  }
}

/* The same; short rows have an unrolled loop for each length. */
OVK_KERNEL_PART void run_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx rows,
                               ovk_lidx n, const uint8_t *row, const double *restrict x,
                               double *restrict y)
{
  switch (n) {
  case 1:
    rows_times(e, near, k, rows, 1, row, x, y);
    break;
  case 2:
    rows_times(e, near, k, rows, 2, row, x, y);
    break;
  case 3:
    rows_times(e, near, k, rows, 3, row, x, y);
    break;
  case 4:
    rows_times(e, near, k, rows, 4, row, x, y);
    break;
  case 5:
    rows_times(e, near, k, rows, 5, row, x, y);
    break;
  case 6:
    rows_times(e, near, k, rows, 6, row, x, y);
    break;
  case 7:
    rows_times(e, near, k, rows, 7, row, x, y);
    break;
  default:
    rows_times(e, near, k, rows, n, row, x, y);
  }
}

OVK_KERNEL_PART void window_times(const ovk__sell *b, bool near, ovk_lidx window,
                                  const double *restrict x, double *restrict y, ovk__pace *pace)
{
  const ovk__windows *w = &b->windows;
  const ovk_lidx first = ovk__window_first(window);
  const uint8_t *row = w->row + first;
  int64_t k = w->entry[window];
  for (const ovk__sell_run *run = w->runs + w->run[window]; run < w->runs + w->run[window + 1];
       run++) {
    for (ovk_lidx left = run->rows, n; left > 0; left -= n) {
      n = ovk__pace_until(pace, left);
      run_times(&b->entries, near, k, n, run->length, row, x + b->origin[window], y + first);
      ovk__pace_done(pace, n);
      row += n;
      k += (int64_t)n * run->length;
    }
  }
}

OVK_KERNEL_PART double sweep(const ovk__sell *b, bool near, const double *restrict x,
                             double *restrict y, ovk_poll poll)
{
  const ovk__windows *w = &b->windows;
  double lane[OVK__LANES] = {0};
  ovk__pace pace = ovk__pace_start(poll);
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k);
    window_times(b, near, k, x, y, &pace);
    ovk__lanes_add(lane, ovk__window_end(w, k) - first, x + first, y + first);
  }
  return ovk__lanes_sum(lane);
}

double ovk__sell_mult_dot(const void *block, const double *x, double *y, ovk_poll poll)
{
  const ovk__sell *b = block;
  return b->entries.near ? sweep(b, true, x, y, poll) : sweep(b, false, x, y, poll);
}
