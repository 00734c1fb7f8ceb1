/* SPDX-License-Identifier: BSD-2-Clause */
/* The residual norms of a solve's last iterations, from which the message of a failed solve has the
 * trend. */
#ifndef OVK_SOLVERS_STATE_TREND_H
#define OVK_SOLVERS_STATE_TREND_H

enum { OVK__TREND = 100 };

typedef struct ovk__trend {
  int count;             /* norms so far; the last OVK__TREND are kept */
  int at[OVK__TREND];    /* their iterations */
  double rr[OVK__TREND]; /* their squares */
  double fallen;         /* the square that was the last to be 20 % below an earlier such one */
  int fallen_at;         /* its iteration */
} ovk__trend;

static inline void ovk__trend_add(ovk__trend *t, int iteration, double rr)
{
  const int k = t->count % OVK__TREND;
  t->at[k] = iteration;
  t->rr[k] = rr;
  if (t->count++ > 0 && !(rr < 0.8 * t->fallen)) return;
  t->fallen = rr;
  t->fallen_at = iteration;
}

#endif
