/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "sym". Each stored entry a at (i, j), j > i, is used twice: y[i] += a
 * x[j] and y[j] += a x[i]. Rows of a window are final when the window has been processed. */
#include "matrix/formats/sell/sell_runs.h"
#include "matrix/formats/sym/sym_block.h"

#include <string.h>

/* Entries k to k + 3 of a row: sum <- sum + a x[j], y[j] <- y[j] + a x[i] */
OVK_ALWAYS_INLINE void four_times(const ovk__row *r, ovk_lidx k, double xi,
                                  const double *restrict x, double *restrict y, ovk__four *sum)
{
  ovk_lidx j[4];
  for (int l = 0; l < 4; l++) j[l] = ovk__row_column(r, k + l);
#ifdef OVK_CLONES
  ovk__four a;
  memcpy(&a, r->val + k, sizeof a);
  *sum += a * (ovk__four){x[j[0]], x[j[1]], x[j[2]], x[j[3]]};
  a *= xi;
  for (int l = 0; l < 4; l++) y[j[l]] += a[l];
#else
  for (int l = 0; l < 4; l++) {
    sum->of[l] += r->val[k + l] * x[j[l]];
    y[j[l]] += r->val[k + l] * xi;
  }
#endif
}

/* Row i, of n entries; x, y and columns are counted from the window's first row. */
OVK_ALWAYS_INLINE void row_times(const ovk__entries *e, bool near, int64_t from, ovk_lidx n,
                                 ovk_lidx i, const double *restrict x, double *restrict y)
{
  const ovk__row r = ovk__entries_row(e, near, from);
  const double xi = x[i];
  ovk__four lanes = {0};
  double sum[4], rest = 0;
  ovk_lidx k = 0;
  for (; k <= n - 8; k += 8) {
    ovk__row_ask(&r, k);
    four_times(&r, k, xi, x, y, &lanes);
    four_times(&r, k + 4, xi, x, y, &lanes);
  }
  ovk__row_ask(&r, k);
  if (k <= n - 4) {
    four_times(&r, k, xi, x, y, &lanes);
    k += 4;
  }
  for (; k < n; k++) {
    const ovk_lidx j = ovk__row_column(&r, k);
    rest += r.val[k] * x[j];
    y[j] += r.val[k] * xi;
  }
  memcpy(sum, &lanes, sizeof sum);
  y[i] += (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
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
    ovk__window_times(w, &b->entries, near, k, NULL, row_times, x + first, y + first, &pace);
    ovk__lanes_add(lane, ovk__window_end(w, k) - first, x + first, y + first);
  }
  return ovk__lanes_sum(lane);
}

OVK_FOR_EACH_CPU
static double multiply(const ovk__sym *b, const double *restrict x, double *restrict y,
                       ovk_poll poll)
{
  return b->entries.near ? sweep(b, true, x, y, poll) : sweep(b, false, x, y, poll);
}

double ovk__sym_mult_dot(const void *block, const double *x, double *y, ovk_poll poll)
{
  return multiply(block, x, y, poll);
}
