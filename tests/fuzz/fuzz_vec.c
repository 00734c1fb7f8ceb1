/* SPDX-License-Identifier: BSD-2-Clause */
/* Norms of vectors neither overflow nor underflow for any entries; inner products and sums equal
 * those of the formula. Input: a factor, then the entries of all ranks. */
#include "support/fuzz/fuzz.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 300 };

/* The entries of all ranks. */
static void check_norm(const ovk_vec *x, const double *all, ovk_lidx n)
{
  long double square = 0;
  double norm;
  for (ovk_lidx i = 0; i < n; i++) square += (long double)all[i] * all[i];
  const long double expected = sqrtl(square);
  FUZZ_CHECK(ovk_vec_norm(x, &norm) == OVK_OK, "no norm");
  if (isnan(expected)) {
    FUZZ_CHECK(isnan(norm), "%g, not NaN", norm);
  } else if (expected > DBL_MAX * (1 - 1e-12L)) {
    FUZZ_CHECK(norm > DBL_MAX * (1 - 1e-12), "%g, not %Lg", norm, expected);
  } else {
    FUZZ_CHECK(fabsl(norm - expected) <= 1e-14L * expected * (n + 4) + DBL_TRUE_MIN * (n + 4),
               "%.17g, not %.17Lg", norm, expected);
  }
}

static void check_dot(const ovk_vec *x, const ovk_vec *y)
{
  const double *a = ovk_vec_array_const(x), *b = ovk_vec_array_const(y);
  const ovk_lidx n = ovk_vec_local_size(x);
  long double sum = 0, size = 0;
  double dot;
  for (ovk_lidx i = 0; i < n; i++) {
    const long double product = (long double)a[i] * b[i];
    sum += product;
    size += fabsl(product);
  }
  FUZZ_CHECK(ovk_vec_local_dot(x, y, &dot) == OVK_OK, "no product");
  if (isnan(sum)) {
    FUZZ_CHECK(isnan(dot), "%g, not NaN", dot);
  } else if (size < DBL_MAX) {
    FUZZ_CHECK(fabsl(dot - sum) <= (n + 4) * (DBL_EPSILON * size + DBL_TRUE_MIN),
               "%.17g, not %.17Lg", dot, sum);
  }
}

/* y <- y + a x, row by row, with or without a fused multiply-add. */
static void check_axpy(double a, const ovk_vec *x, ovk_vec *y)
{
  const ovk_lidx n = ovk_vec_local_size(x);
  scoped_array double *before = malloc(((size_t)n + 1) * sizeof *before);
  FUZZ_CHECK(before, "no memory");
  for (ovk_lidx i = 0; i < n; i++) before[i] = ovk_vec_array(y)[i];
  FUZZ_CHECK(ovk_vec_axpy(a, x, y) == OVK_OK, "no sum");
  for (ovk_lidx i = 0; i < n; i++) {
    const double product = a * ovk_vec_array_const(x)[i], sum = before[i] + product;
    const double got = ovk_vec_array_const(y)[i];
    const double size = fabs(product) + fabs(before[i]);
    if (isfinite(size) && size < DBL_MAX / 4)
      FUZZ_CHECK(fabs(got - sum) <= 2 * DBL_EPSILON * size + DBL_TRUE_MIN,
                 "row %d: %.17g, not %.17g", i, got, sum);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  const double a = fuzz_double(&in);
  double all[MOST_ROWS];
  ovk_lidx n = 0;
  while (n < MOST_ROWS && in.at < in.end) all[n++] = fuzz_double(&in);
  scoped_vec *x = NULL, *y = NULL;
  FUZZ_CHECK(ovk_vec_create(fuzz_ctx(), fuzz_share(n), &x) == OVK_OK, "no vector");
  FUZZ_CHECK(ovk_vec_create(fuzz_ctx(), fuzz_share(n), &y) == OVK_OK, "no vector");
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    ovk_vec_array(x)[i] = all[ovk_vec_first(x) + i];
    ovk_vec_array(y)[i] = all[n - 1 - (ovk_vec_first(x) + i)];
  }
  check_norm(x, all, n);
  check_dot(x, y);
  check_axpy(a, x, y);
  return 0;
}
