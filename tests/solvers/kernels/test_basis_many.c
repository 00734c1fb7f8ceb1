/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis of blocks of columns against their formulas in each column, up to
 * rounding. */
#include "solvers/kernels/many/basis_many.h"
#include "support/test_main.h"
#include "sweeps.h"

enum { WIDEST = 8, MOST = 5, ROWS = 70, VALUES = (ROWS + GUARD) * WIDEST };
static const int lengths[] = {0, 1, 3, 8, 9, 17, 64, ROWS};

typedef struct data {
  double v[MOST + 1][VALUES], z[VALUES], y[VALUES];
  double s[MOST][WIDEST], t[MOST][WIDEST], inverse[WIDEST];
} data;

static void check_near(double value, double should)
{
  assert_true(fabs(value - should) <= 1e-12 * (1 + fabs(should)));
}

static void check_dots(const data *d, double *const *v, int n, int w, int k)
{
  double memory[(MOST + 1) * 16], dots[2 * (MOST + 1)][WIDEST];
  ovk__many_basis_dots(n, w, k, v, v[k], d->z, memory, *dots);
  for (int i = -1; i < k; i++) {
    const double *x = i < 0 ? v[k] : v[i];
    for (int c = 0; c < w; c++) {
      double with_u = 0, with_z = 0;
      for (int r = c; r < n * w; r += w) {
        with_u += x[r] * v[k][r];
        with_z += x[r] * d->z[r];
      }
      check_near(dots[2 * (i + 1)][c], with_u);
      check_near(dots[2 * (i + 1) + 1][c], with_z);
    }
  }
}

static void check_sum(data *d, double *const *v, int n, int w, int k)
{
  ovk__many_basis_sum(n, w, k, v, *d->s, d->y);
  for (int r = 0; r < n * w; r++) {
    double should = 0;
    for (int i = 0; i < k; i++) should += d->s[i][r % w] * v[i][r];
    check_near(d->y[r], should);
  }
}

static void check_extend(data *d, const data *was, double *const *v, int n, int w, int k)
{
  ovk__many_basis_extend(n, w, k, v, *d->s, *d->t, d->inverse, d->z);
  for (int r = 0; r < n * w; r++) {
    double last = was->v[k][r], next = was->z[r];
    for (int i = 0; i < k; i++) last -= d->s[i][r % w] * was->v[i][r];
    last *= d->inverse[r % w];
    for (int i = 0; i < k; i++) next -= d->t[i][r % w] * was->v[i][r];
    next = (next - d->t[k][r % w] * last) * d->inverse[r % w];
    check_near(v[k][r], last);
    check_near(v[k + 1][r], next);
  }
  for (int i = 0; i < k; i++) assert_memory_equal(v[i], was->v[i], sizeof was->v[i]);
  for (int i = k; i < k + 2; i++) {
    assert_memory_equal(v[i] + n * w, was->v[i] + n * w, GUARD * (size_t)w * sizeof(double));
  }
}

TEST(a_basis_has_coefficients_for_each_column)
{
  static data d, was;
  double *v[MOST + 1];
  for (int i = 0; i <= MOST; i++) v[i] = d.v[i];
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    for (int w = 1; w <= WIDEST; w *= 2) {
      for (int k = 0; k < MOST; k++) {
        make_vectors(5, &d, &was, sizeof d);
        check_dots(&d, v, lengths[l], w, k);
        check_sum(&d, v, lengths[l], w, k);
        check_extend(&d, &was, v, lengths[l], w, k);
      }
    }
  }
}
