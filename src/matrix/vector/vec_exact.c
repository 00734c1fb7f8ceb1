/* SPDX-License-Identifier: BSD-2-Clause */
/* Inner products and norms with correctly rounded sums over the ranks. */
#include "matrix/vector/vec_exact.h"
#include "core/base/lanes.h"
#include "core/context/agree.h"
#include "core/exact/exact_sum.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 16 * OVK__LANES };

/* This rank's part of a sum: exact where the vectors are those of a matrix in order. */
typedef struct exact_part {
  double lane[OVK__LANES];
  bool ordered;
  ovk__exact_sum sum;
} exact_part;

static void exact_start(exact_part *part, bool ordered)
{
  *part = (exact_part){.ordered = ordered};
  ovk__exact_sum_clear(&part->sum);
}

static void exact_add(exact_part *part, ovk_lidx n, const double *x, const double *y)
{
  if (part->ordered) {
    ovk__exact_sum_add(&part->sum, n, x, y);
  } else {
    ovk__lanes_dot(n, x, y, part->lane);
  }
}

static ovk_err exact_total(ovk_ctx *ctx, exact_part *part, double *total)
{
  double words[OVK__LONG_WORDS];
  if (part->ordered) {
    ovk__exact_sum_put_long(&part->sum, words);
  } else {
    ovk__long_put(ovk__lanes_total(part->lane), words);
  }
  OVK_TRY(ovk__total(ctx, words, OVK__LONG_WORDS, MPI_SUM));
  *total = ovk__long_round(words);
  return OVK_OK;
}

ovk_err ovk__vec_exact_dot(const ovk_vec *x, const ovk_vec *y, double *dot)
{
  exact_part part;
  exact_start(&part, x->ordered && y->ordered);
  exact_add(&part, x->layout.local, x->array, y->array);
  return exact_total(x->ctx, &part, dot);
}

/* This rank's part of the square of `factor` times x. */
static void exact_scaled_square(const ovk_vec *x, double factor, exact_part *part)
{
  const ovk_lidx n = x->layout.local;
  double scaled[BLOCK];
  exact_start(part, x->ordered);
  for (ovk_lidx i = 0; i < n; i += BLOCK) {
    const ovk_lidx some = n - i < BLOCK ? n - i : BLOCK;
    for (ovk_lidx k = 0; k < some; k++) scaled[k] = factor * x->array[i + k];
    exact_add(part, some, scaled, scaled);
  }
}

ovk_err ovk__vec_exact_norm(const ovk_vec *x, double *norm)
{
  double most = 0, square = 0;
  int exponent = 0;
  for (ovk_lidx i = 0; i < x->layout.local; i++) most = fmax(most, fabs(x->array[i]));
  /* A NaN may be lost here; the sum below does not lose it. */
  const ovk_err first = ovk__total(x->ctx, &most, 1, MPI_MAX);
  if (isfinite(most)) frexp(fmax(most, DBL_MIN), &exponent);
  exact_part part;
  exact_scaled_square(x, ldexp(1, -exponent), &part);
  const ovk_err second = exact_total(x->ctx, &part, &square);
  *norm = ldexp(sqrt(square), exponent);
  return first ? first : second;
}
