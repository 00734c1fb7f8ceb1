/* SPDX-License-Identifier: BSD-2-Clause */
/* Each fused sweep against its formula in plain C, bit for bit, for lengths around the lanes and
 * the blocks: so all versions of a sweep for different machines give the same bits. */
#include "solvers/kernels/updates/updates.h"
#include "support/problem.h"
#include "sweeps.h"

typedef struct data {
  double a[MAX + GUARD], b[MAX + GUARD], c[MAX + GUARD];
} data;

static data make_data(uint64_t seed)
{
  data v, copy;
  make_vectors(seed, &v, &copy, sizeof v);
  return v;
}

/* Checks n rows bit for bit, and that the row after them is unchanged. */
static void assert_rows(int n, const double *rows, const double *formula, const double *was)
{
  if (n) assert_memory_equal(rows, formula, (size_t)n * sizeof *rows);
  assert_true(rows[n] == was[n]);
}

/* (r, D r) */
static double scaled_dot(int n, ovk__diagonal D, const double *r)
{
  double Dr[MAX];
  for (int i = 0; i < n; i++) Dr[i] = entry(D, i) * r[i];
  return dot(n, r, Dr);
}

static double plain_dot(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

TEST(dot_is_the_sum_of_products)
{
  const data v = make_data(1);
  FOR_EACH_LENGTH(n) {
    assert_true(ovk__dot(n, v.a, v.b) == dot(n, v.a, v.b));
    assert_true(ovk__dot(n, v.a, v.a) == dot(n, v.a, v.a));
    assert_close(ovk__dot(n, v.a, v.b), plain_dot(n, v.a, v.b), 1e-14);
  }
}

TEST(residual_subtracts_and_sums_both_squares)
{
  FOR_EACH_LENGTH(n) {
    data v = make_data(2), formula = v;
    const data was = v;
    for (int i = 0; i < n; i++) formula.b[i] = was.a[i] - was.b[i];
    double bb = NAN;
    const double rr = ovk__residual(n, v.a, v.b, &bb);
    assert_rows(n, v.b, formula.b, was.b);
    assert_true(bb == dot(n, was.a, was.a));
    assert_true(rr == dot(n, formula.b, formula.b));
  }
}

TEST(axpy_adds_and_polls)
{
  FOR_EACH_LENGTH(n) {
    data v = make_data(3), formula = v;
    const data was = v;
    for (int i = 0; i < n; i++) formula.b[i] = was.b[i] + 0.7 * was.a[i];
    int calls = 0;
    ovk__axpy(n, 0.7, v.a, v.b, (ovk_poll){count_call, &calls, 5});
    assert_rows(n, v.b, formula.b, was.b);
    assert_int_equal(calls, (n + 4) / 5);
  }
}

TEST(aypx_scales_and_adds)
{
  FOR_EACH_LENGTH(n) {
    data v = make_data(12), formula = v;
    const data was = v;
    for (int i = 0; i < n; i++) formula.b[i] = was.a[i] + 0.7 * was.b[i];
    ovk__aypx(n, 0.7, v.a, v.b);
    assert_rows(n, v.b, formula.b, was.b);
  }
}

TEST(axpy_norm_subtracts_and_sums_squares)
{
  FOR_EACH_LENGTH(n) {
    data v = make_data(4), formula = v;
    const data was = v;
    for (int i = 0; i < n; i++) formula.b[i] = was.b[i] - 0.7 * was.a[i];
    const double rr = ovk__axpy_norm(n, 0.7, v.a, v.b);
    assert_rows(n, v.b, formula.b, was.b);
    assert_true(rr == dot(n, formula.b, formula.b));
  }
}

TEST(update_r_subtracts_and_sums_both_products)
{
  FOR_EACH_DIAGONAL_AND_CHOICE(n, D, of_z) {
    data v = make_data(5), formula = v;
    const data was = v;
    double z[MAX];
    for (int i = 0; i < n; i++) {
      formula.b[i] = was.b[i] - -1.3 * was.a[i];
      z[i] = entry(D, i) * formula.b[i];
    }
    double rz = NAN;
    const double vv = ovk__cg_update_r(n, -1.3, v.a, D, of_z, v.b, &rz);
    assert_rows(n, v.b, formula.b, was.b);
    assert_true(vv == (of_z ? dot(n, z, z) : dot(n, formula.b, formula.b)));
    assert_true(rz == scaled_dot(n, D, formula.b));
  }
}

TEST(update_x_p_moves_x_along_the_old_p)
{
  FOR_EACH_DIAGONAL(n, D) {
    data v = make_data(6), formula = v;
    const data was = v;
    for (int i = 0; i < n; i++) {
      formula.c[i] = was.c[i] + 0.9 * was.b[i];
      formula.b[i] = entry(D, i) * was.a[i] + 0.3 * was.b[i];
    }
    ovk__cg_update_x_p(n, 0.9, D, v.a, 0.3, v.b, v.c);
    assert_rows(n, v.c, formula.c, was.c);
    assert_rows(n, v.b, formula.b, was.b);
  }
}

TEST(direction_adds_two_multiples)
{
  FOR_EACH_DIAGONAL(n, D) {
    data v = make_data(7), formula = v;
    const data was = v;
    for (int i = 0; i < n; i++) formula.c[i] = entry(D, i) * was.a[i] + 0.3 * was.b[i];
    ovk__cg_direction(n, D, v.a, 0.3, v.b, v.c);
    assert_rows(n, v.c, formula.c, was.c);
  }
}

TEST(scaled_norm_is_the_norm_of_the_scaled_vector)
{
  const data v = make_data(11);
  FOR_EACH_LENGTH(n) {
    for (int kind = 0; kind < KINDS; kind++) {
      const ovk__diagonal D = diagonal(kind);
      double Dr[MAX];
      for (int i = 0; i < n; i++) Dr[i] = entry(D, i) * v.a[i];
      assert_true(ovk__scaled_norm(n, D, v.a) == dot(n, Dr, Dr));
    }
  }
}

TEST(scaled_dot_polls_without_changing_its_bits)
{
  const data v = make_data(8);
  FOR_EACH_DIAGONAL(n, D) {
    const double formula = scaled_dot(n, D, v.a);
    assert_true(ovk__scaled_dot(n, D, v.a, ovk_poll_none()) == formula);
    for (int every = 1; every < 3 * LANES; every += 5) {
      const int step = (every + LANES - 1) / LANES * LANES; /* whole groups of lanes */
      int calls = 0;
      assert_true(ovk__scaled_dot(n, D, v.a, (ovk_poll){count_call, &calls, every}) == formula);
      assert_int_equal(calls, (n + step - 1) / step);
    }
  }
}

/* The sweep for M^-1 r when M is not diagonal: multiplying z by 1 changes no bit. */
TEST(a_diagonal_of_one_changes_nothing)
{
  const double one = 1;
  const ovk__diagonal I = {&one, true};
  FOR_EACH_LENGTH(n) {
    data v = make_data(9);
    assert_true(ovk__scaled_dot(n, I, v.a, ovk_poll_none()) == dot(n, v.a, v.a));
    ovk__cg_direction(n, I, v.a, 0, v.b, v.c);
    if (n) assert_memory_equal(v.c, v.a, (size_t)n * sizeof *v.c);
  }
}
