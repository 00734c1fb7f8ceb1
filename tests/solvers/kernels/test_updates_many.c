/* SPDX-License-Identifier: BSD-2-Clause */
/* Each sweep of blocks of columns against its formula in each column: the updates bit for bit, the
 * sums up to rounding, for a width of 1 bit for bit. The row after the block is unchanged. */
#include "solvers/kernels/many/updates_many.h"
#include "support/problem.h"
#include "sweeps.h"

enum { WIDEST = 8, MANY = 300, VALUES = (MANY + GUARD) * WIDEST };
static const int lengths[] = {0, 1, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129, MANY};

typedef struct data {
  double a[VALUES], b[VALUES], c[VALUES];
} data;

static const double alpha[WIDEST] = {0.7, 0, -1.5, 2, 0.1, 3, -0.2, 1};
static const double beta[WIDEST] = {0.3, 1, 0, -2, 0.9, 0.25, 5, -1};

static data make_data(void)
{
  data v, copy;
  make_vectors(11, &v, &copy, sizeof v);
  return v;
}

/* Calls check(n, w) for each length and width. */
static void for_each_block(void (*check)(ovk_lidx n, int w))
{
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    for (int w = 1; w <= WIDEST; w *= 2) check(lengths[k], w);
  }
}

/* (x, y) of column c, where x and y may be blocks of width w; exact for the order of a width of 1.
 */
static void check_dot(ovk_lidx n, int w, int c, const double *x, const double *y, double sum)
{
  double one[MANY] = {0}, other[MANY] = {0};
  for (int i = 0; i < n; i++) {
    one[i] = x[i * w + c];
    other[i] = y[i * w + c];
  }
  const double should = dot(n, one, other);
  if (w == 1) assert_true(sum == should);
  assert_true(fabs(sum - should) <= 1e-14 * (n + 1));
}

static void check_values(ovk_lidx n, int w, const double *values, const double *should)
{
  assert_memory_equal(values, should, (size_t)(n + GUARD) * (size_t)w * sizeof *values);
}

static void check_dots(ovk_lidx n, int w)
{
  const data v = make_data();
  double xy[WIDEST], yy[WIDEST];
  ovk__many_dots(n, w, v.a, v.b, xy, yy);
  for (int c = 0; c < w; c++) {
    check_dot(n, w, c, v.a, v.b, xy[c]);
    check_dot(n, w, c, v.b, v.b, yy[c]);
  }
}

TEST(dots_are_those_of_the_columns)
{
  for_each_block(check_dots);
}

static void check_residual(ovk_lidx n, int w)
{
  data v = make_data(), should = v;
  double bb[WIDEST], rr[WIDEST];
  for (int k = 0; k < n * w; k++) should.b[k] -= v.a[k];
  const data was = v;
  ovk__many_residual(n, w, v.a, v.b, bb, rr);
  check_values(n, w, v.b, should.b);
  for (int c = 0; c < w; c++) {
    check_dot(n, w, c, was.b, was.b, bb[c]);
    check_dot(n, w, c, v.b, v.b, rr[c]);
  }
}

TEST(residual_subtracts_and_sums_both_squares)
{
  for_each_block(check_residual);
}

static void check_axpy_norm(ovk_lidx n, int w)
{
  data v = make_data(), should = v;
  double rr[WIDEST];
  for (int k = 0; k < n * w; k++) should.b[k] -= alpha[k % w] * v.a[k];
  ovk__many_axpy_norm(n, w, alpha, v.a, v.b, rr);
  check_values(n, w, v.b, should.b);
  for (int c = 0; c < w; c++) check_dot(n, w, c, v.b, v.b, rr[c]);
}

static void check_axpy(ovk_lidx n, int w)
{
  data v = make_data(), should = v;
  int polls = 0;
  for (int k = 0; k < n * w; k++) should.b[k] += alpha[k % w] * v.a[k];
  ovk__many_axpy(n, w, alpha, v.a, v.b, (ovk_poll){count_call, &polls, 5});
  check_values(n, w, v.b, should.b);
  assert_int_equal(polls, (n + 4) / 5);
}

TEST(axpy_polls_every_so_many_rows)
{
  for_each_block(check_axpy);
}

TEST(axpy_norm_has_a_coefficient_for_each_column)
{
  for_each_block(check_axpy_norm);
}

static void check_update_r(ovk_lidx n, int w)
{
  for (int k = 0; k < 2 * KINDS; k++) {
    const ovk__diagonal D = diagonal(k / 2);
    data v = make_data(), should = v;
    double rz[WIDEST], vv[WIDEST];
    for (int i = 0; i < n * w; i++) {
      should.b[i] -= alpha[i % w] * v.a[i];
      should.c[i] = entry(D, i / w) * should.b[i];
    }
    ovk__many_cg_update_r(n, w, alpha, v.a, D, k % 2, v.b, rz, vv);
    check_values(n, w, v.b, should.b);
    const double *z = k % 2 ? should.c : v.b;
    for (int c = 0; c < w; c++) {
      check_dot(n, w, c, v.b, should.c, rz[c]);
      check_dot(n, w, c, z, z, vv[c]);
    }
  }
}

TEST(update_r_has_a_coefficient_for_each_column)
{
  for_each_block(check_update_r);
}

static void check_update_x_p(ovk_lidx n, int w)
{
  for (int kind = 0; kind < KINDS; kind++) {
    const ovk__diagonal D = diagonal(kind);
    data v = make_data(), should = v;
    for (int i = 0; i < n * w; i++) {
      should.c[i] += alpha[i % w] * v.b[i];
      should.b[i] = entry(D, i / w) * v.a[i] + beta[i % w] * v.b[i];
    }
    ovk__many_cg_update_x_p(n, w, alpha, D, v.a, beta, v.b, v.c);
    check_values(n, w, v.b, should.b);
    check_values(n, w, v.c, should.c);
  }
}

TEST(update_x_p_has_coefficients_for_each_column)
{
  for_each_block(check_update_x_p);
}

static void check_apply(ovk_lidx n, int w)
{
  for (int kind = 0; kind < KINDS; kind++) {
    const ovk__diagonal D = diagonal(kind);
    data v = make_data(), should = v;
    for (int i = 0; i < n * w; i++) should.b[i] = entry(D, i / w) * v.a[i];
    ovk__many_apply(n, w, D, v.a, v.b);
    check_values(n, w, v.b, should.b);
  }
}

TEST(apply_multiplies_the_rows_of_all_columns)
{
  for_each_block(check_apply);
}
