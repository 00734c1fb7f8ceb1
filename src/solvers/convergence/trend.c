/* SPDX-License-Identifier: BSD-2-Clause */
/* The trend of the residual at the end of a solve: how fast it falls, and how many iterations the
 * tolerance would still take. */
#include "solvers/convergence/advice.h"

#include <math.h>
#include <stdio.h>

/* The minimum number of norms for a trend. */
enum { FEWEST = 10 };

/* A norm that falls by less than this factor in 100 iterations has stalled. */
static const double STALLED = 1.1;

/* The factor by which the least-squares line through the logarithms of the norms falls in 100
 * iterations. */
static double trend_decrease(const ovk__trend *t, int n)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  const int origin = t->at[(t->count - 1) % OVK__TREND];
  for (int k = 0; k < n; k++) {
    const double at = t->at[k] - origin, log_norm = 0.5 * log(t->rr[k]);
    x += at / n;
    y += log_norm / n;
    xx += at * at;
    xy += at * log_norm;
  }
  return exp(-100 * (xy - n * x * y) / (xx - n * x * x));
}

/* Rounds up to two digits. */
static double trend_rounded(double value)
{
  const double unit = pow(10, fmax(0, floor(log10(value)) - 1));
  return unit * ceil(value / unit);
}

unsigned ovk__trend_write(const ovk_solver *S, char *text, size_t size)
{
  const ovk__trend *t = &S->trend;
  const int n = t->count < OVK__TREND ? t->count : OVK__TREND;
  text[0] = '\0';
  if (n < FEWEST) return OVK__FACT_NO_TREND;
  const double fall = trend_decrease(t, n);
  if (!(fall >= STALLED)) {
    snprintf(text, size, ", with no fall since iteration %d", t->fallen_at);
    return 0;
  }
  const double more = 100 * log(sqrt(S->norms.rr) / S->norms.tolerance) / log(fall);
  const int used = snprintf(text, size, ", falling by a factor of %.3g in 100 iterations", fall);
  if (!isfinite(more)) return 0;
  snprintf(text + used, size - (size_t)used, ", so about %.0f more would do",
           trend_rounded(fmax(more, 1)));
  return more <= S->counts.iterations ? OVK__FACT_NEAR : 0;
}
