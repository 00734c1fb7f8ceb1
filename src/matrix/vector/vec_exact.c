/* SPDX-License-Identifier: BSD-2-Clause */
/* Inner products and norms with correctly rounded sums over the ranks. */
#include "matrix/vector/vec_exact.h"
#include "core/base/exact_window.h"
#include "core/base/lanes.h"
#include "core/context/agree.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 16 * OVK__LANES };

static ovk_err exact_total(ovk_ctx *ctx, double part, double *total)
{
  double words[OVK__LONG_WORDS];
  ovk__long_put(part, words);
  OVK_TRY(ovk__total(ctx, words, OVK__LONG_WORDS, MPI_SUM));
  *total = ovk__long_round(words);
  return OVK_OK;
}

ovk_err ovk__vec_exact_dot(const ovk_vec *x, const ovk_vec *y, double *dot)
{
  double lane[OVK__LANES] = {0};
  ovk__lanes_dot(x->layout.local, x->array, y->array, lane);
  return exact_total(x->ctx, ovk__lanes_total(lane), dot);
}

/* This rank's part of the square of `factor` times x. */
static double exact_scaled_square(const ovk_vec *x, double factor)
{
  const ovk_lidx n = x->layout.local;
  double lane[OVK__LANES] = {0}, scaled[BLOCK];
  for (ovk_lidx i = 0; i < n; i += BLOCK) {
    const ovk_lidx some = n - i < BLOCK ? n - i : BLOCK;
    for (ovk_lidx k = 0; k < some; k++) scaled[k] = factor * x->array[i + k];
    ovk__lanes_dot(some, scaled, scaled, lane);
  }
  return ovk__lanes_total(lane);
}

ovk_err ovk__vec_exact_norm(const ovk_vec *x, double *norm)
{
  double most = 0, square = 0;
  int exponent = 0;
  for (ovk_lidx i = 0; i < x->layout.local; i++) most = fmax(most, fabs(x->array[i]));
  /* A NaN may be lost here; the sum below does not lose it. */
  const ovk_err first = ovk__total(x->ctx, &most, 1, MPI_MAX);
  if (isfinite(most)) frexp(fmax(most, DBL_MIN), &exponent);
  const ovk_err second = exact_total(x->ctx, exact_scaled_square(x, ldexp(1, -exponent)), &square);
  *norm = ldexp(sqrt(square), exponent);
  return first ? first : second;
}
