/* SPDX-License-Identifier: BSD-2-Clause */
/* The recurrence of the Chebyshev iteration, and the correction of its interval. Source of the
 * correction: Hageman and Young, "Applied iterative methods" (1981), chapter 5. */
#include "solvers/methods/chebyshev/interval.h"
#include "core/math/elementary.h"

#include <float.h>
#include <math.h>

/* The residual is compared with its bound once T_k(center / half) exceeds this, and earlier if it
 * has grown by as much. */
static const double TELLING = 10;

/* The interval is corrected if ||r_k|| / ||r_0|| exceeds 1 / T_k(center / half) to this power. */
static const double DAMPING = 0.75;

/* The largest Ritz value is close to lambda_max: b has to be raised once at most. Further raises
 * mean that the residual does not become smaller. */
enum { MOST_RAISED = 3 };

void ovk__interval_start(ovk__interval *I, double a, double b, double rr)
{
  const double center = 0.5 * (b + a), half = 0.5 * (b - a);
  *I = (ovk__interval){
      .center = center, .half = half, .alpha = 1 / center, .rho = half / center, .start_rr = rr};
}

double ovk__interval_advance(ovk__interval *I)
{
  const double rho = I->rho, alpha = I->alpha;
  I->rho = 1 / (2 * I->center / I->half - rho);
  I->alpha = 2 * I->rho / I->half;
  I->steps++;
  return I->rho * rho * alpha / I->alpha;
}

/* log T_k(y) for y >= 1 and its inverse: y from log T_k(y) >= 0 */
static double interval_log_polynomial(int k, double y)
{
  const double c = k * ovk__acosh(y);
  return c + ovk__log1p(ovk__exp(-2 * c)) - ovk__log(2);
}

static double interval_argument(int k, double log_value)
{
  return ovk__cosh((log_value + ovk__log1p(sqrt(-ovk__expm1(-2 * log_value)))) / k);
}

/* If one eigenvalue t dominates r_k, then T_k((center - t) / half) is ||r_k|| / ||r_0|| times
 * T_k(center / half): below a if r has become smaller, else above b. */
bool ovk__interval_correct(ovk__interval *I, double rr)
{
  const int k = I->steps;
  int raised = I->raised;
  const double a = I->center - I->half, b = I->center + I->half;
  const double size = interval_log_polynomial(k, I->center / I->half),
               ratio = 0.5 * ovk__log(rr / I->start_rr), telling = ovk__log(TELLING);
  const bool tells = size > telling || ratio > telling;
  if (!tells || ratio <= -DAMPING * size) return false;
  const double y = interval_argument(k, size + ratio);
  if (ratio < 0) {
    ovk__interval_start(I, I->center - I->half * y, b, rr);
  } else {
    ovk__interval_start(I, a, I->center + I->half * y, rr);
    raised++;
  }
  I->raised = raised;
  return true;
}

bool ovk__interval_failed(const ovk__interval *I)
{
  const double a = I->center - I->half;
  return !(a > 4 * DBL_EPSILON * I->center) || I->raised > MOST_RAISED;
}
