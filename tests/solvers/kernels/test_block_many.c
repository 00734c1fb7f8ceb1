/* SPDX-License-Identifier: BSD-2-Clause */
/* Each sweep of block methods against its formula up to rounding, and the factors of small Gram
 * matrices. The row after a block is unchanged. */
#include "solvers/kernels/gram.h"
#include "solvers/kernels/many/block_many.h"
#include "support/problem.h"
#include "sweeps.h"

enum { WIDEST = 8, MANY = 100, VALUES = (MANY + GUARD) * WIDEST, SQUARE = WIDEST * WIDEST };
static const int lengths[] = {0, 1, 7, 31, 32, 33, 65, MANY};

typedef struct data {
  double r[VALUES], s[VALUES], p[VALUES], x[VALUES], d[VALUES], C[SQUARE], E[SQUARE];
} data;

static data make_data(void)
{
  data v, copy;
  make_vectors(13, &v, &copy, sizeof v);
  return v;
}

static void for_each_block(void (*check)(ovk_lidx n, int w))
{
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    for (int w = 2; w <= WIDEST; w *= 2) check(lengths[k], w);
  }
}

static void check_near(double is, double should, double size)
{
  assert_true(fabs(is - should) <= 1e-13 * (1 + size));
}

/* G = x^T D y. The sweeps compute only one half of it. */
static void check_gram(ovk_lidx n, int w, const double *x, const double *d, int step,
                       const double *y, const double *G)
{
  for (int a = 0; a < w; a++) {
    for (int b = 0; b < w; b++) {
      const int i = a >= 4 && b < 4 ? b : a, j = a >= 4 && b < 4 ? a : b;
      double sum = 0, size = 0;
      for (ovk_lidx k = 0; k < n; k++) {
        const double term = x[k * w + i] * d[(ptrdiff_t)k * step] * y[k * w + j];
        sum += term;
        size += fabs(term);
      }
      check_near(G[8 * a + b], sum, size);
    }
  }
}

/* is = a + b v C in row k */
static void check_row(int w, const double *is, const double *a, double b, const double *v,
                      const double *C)
{
  for (int c = 0; c < w; c++) {
    double should = a ? a[c] : 0;
    for (int k = 0; k < w; k++) should += b * v[k] * C[8 * k + c];
    check_near(is[c], should, 10);
  }
}

static void check_products(ovk_lidx n, int w)
{
  static const double one = 1;
  const data v = make_data();
  data is = v;
  double G[SQUARE];
  ovk__block_gram(n, w, v.p, v.s, G);
  check_gram(n, w, v.p, &one, 0, v.s, G);
  ovk__block_scale(n, w, v.C, is.r);
  for (ovk_lidx k = 0; k < n; k++) check_row(w, is.r + k * w, NULL, 1, v.r + k * w, v.C);
  assert_memory_equal(is.r + n * w, v.r + n * w, sizeof(double));
}

TEST(products_of_blocks_are_their_formulas)
{
  for_each_block(check_products);
}

static void check_update_r(ovk_lidx n, int w)
{
  static const double one = 1;
  const data v = make_data();
  double squares[VALUES];
  for (int k = 0; k < VALUES; k++) squares[k] = v.d[k] * v.d[k];
  for (int kind = 0; kind < 6; kind++) {
    const bool constant = kind % 3 == 1, of_z = kind >= 3;
    const ovk__diagonal D = {kind % 3 == 2 ? NULL : v.d, constant};
    double rz[SQUARE], vv[SQUARE];
    data is = v;
    ovk__block_update_r(n, w, v.C, v.s, D, of_z, is.r, rz, vv);
    for (ovk_lidx k = 0; k < n; k++) check_row(w, is.r + k * w, v.r + k * w, -1, v.s + k * w, v.C);
    assert_memory_equal(is.r + n * w, v.r + n * w, sizeof(double));
    if (D.d) check_gram(n, w, is.r, v.d, !constant, is.r, rz);
    check_gram(n, w, is.r, D.d && of_z ? squares : &one, D.d && of_z && !constant, is.r, vv);
  }
}

TEST(updates_of_residuals_are_their_formulas)
{
  for_each_block(check_update_r);
}

static void check_step(ovk_lidx n, int w)
{
  const data v = make_data();
  for (int constant = 0; constant < 2; constant++) {
    data is = v;
    ovk__block_step(n, w, v.E, v.C, (ovk__diagonal){v.d, constant}, v.r, is.p, is.x);
    for (ovk_lidx k = 0; k < n; k++) {
      double z[WIDEST];
      for (int c = 0; c < w; c++) z[c] = v.d[constant ? 0 : k] * v.r[k * w + c];
      check_row(w, is.x + k * w, v.x + k * w, 1, v.p + k * w, v.E);
      check_row(w, is.p + k * w, z, 1, v.p + k * w, v.C);
    }
    assert_memory_equal(is.x + n * w, v.x + n * w, sizeof(double));
    assert_memory_equal(is.p + n * w, v.p + n * w, sizeof(double));
  }
}

TEST(steps_of_blocks_are_their_formulas)
{
  for_each_block(check_step);
}

/* G = T^T T of w vectors with `n` numbers. Vector c is 10^c times as long. */
static void make_gram(int w, int n, ovk__gram G)
{
  const data v = make_data();
  memset(G, 0, sizeof(ovk__gram));
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < w; j++) {
      for (int k = 0; k < n; k++)
        G[i][j] += pow(10, i + j) * v.r[k * WIDEST + i] * v.r[k * WIDEST + j];
    }
  }
}

/* factor^T factor = G; inverse^T G inverse = I */
static void check_factors(int w, ovk__gram G, const ovk__gram_factors *Q)
{
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < w; j++) {
      double square = 0, unit = 0;
      for (int k = 0; k < w; k++) square += Q->factor[k][i] * Q->factor[k][j];
      for (int k = 0; k < w; k++) {
        for (int l = 0; l < w; l++) unit += Q->inverse[k][i] * G[k][l] * Q->inverse[l][j];
      }
      const double size = sqrt(G[i][i] * G[j][j]);
      assert_true(fabs(square - G[i][j]) <= 1e-12 * size);
      assert_true(fabs(unit - (i == j && i < Q->rank)) <= 1e-10);
    }
  }
}

TEST(factors_of_gram_matrices_make_orthonormal_vectors)
{
  for (int w = 1; w <= WIDEST; w++) {
    ovk__gram G;
    ovk__gram_factors Q;
    make_gram(w, 40, G);
    assert_true(ovk__gram_factor(w, G, 0, OVK__GRAM_DROP, &Q));
    assert_int_equal(Q.rank, w);
    assert_true(!Q.drops && Q.least > 1e-3);
    check_factors(w, G, &Q);
  }
}

TEST(dependent_and_zero_vectors_have_no_part_in_the_factors)
{
  ovk__gram G;
  ovk__gram_factors Q;
  make_gram(6, 3, G); /* 3 are independent */
  for (int j = 0; j < 6; j++) G[4][j] = G[j][4] = 0;
  assert_true(ovk__gram_factor(6, G, 0, OVK__GRAM_DROP, &Q));
  assert_int_equal(Q.rank, 3);
  assert_int_equal(Q.vectors, 5);
  assert_true(Q.drops);
  check_factors(6, G, &Q);
  assert_true(ovk__gram_factor(6, G, 0, OVK__GRAM_KEEP, &Q));
  assert_int_equal(Q.rank, 5);
  assert_true(!Q.drops && Q.least < 1e-10);
}

TEST(gram_matrices_that_are_indefinite_or_not_finite_have_no_factors)
{
  ovk__gram_factors Q;
  ovk__gram negative = {{1, 0}, {0, -1}}, indefinite = {{1, 2}, {2, 1}}, nan = {{1, NAN}, {0, 1}};
  assert_false(ovk__gram_factor(2, negative, 0, OVK__GRAM_KEEP, &Q));
  assert_false(ovk__gram_factor(2, indefinite, 0, OVK__GRAM_KEEP, &Q));
  assert_false(ovk__gram_factor(2, nan, 0, OVK__GRAM_KEEP, &Q));
}
