/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of matrices with values in float: products against those in double, scaling of values that
 * float cannot hold, errors on all ranks. */
#include "matrix/float/float_copy.h"
#include "matrix/mat_impl.h"
#include "support/problem.h"

enum { N = 6 };

/* The entry (i, j) of a test matrix: a number in [1,2) for the pair, and the dominant diagonal. */
static double entry(ovk_gidx i, ovk_gidx j)
{
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  return i == j ? 30 + random_number(1, high) : -1 - random_number(2, low * 100000 + high);
}

/* A power of two for each row, of exponents up to `most`. */
static double row_scale(ovk_gidx i, int most)
{
  return ldexp(1, (int)((2 * random_number(3, (uint64_t)i) - 1) * most));
}

typedef struct copying {
  const char *format; /* to be asked for */
  double factor;      /* of all values */
  int most;           /* exponent of row scales */
  bool rounded;       /* values are floats */
} copying;

/* The pattern of a 27-point operator on N x N x N points a rank, with different values. */
static ovk_err add_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  void *const *both = arg;
  ovk_mat *A = both[0];
  const copying *c = both[1];
  for (ovk_lidx k = 0; k < n; k++) {
    double value = entry(i, col[k]) * c->factor;
    value *= row_scale(i, c->most) * row_scale(col[k], c->most);
    if (c->rounded) value = (double)(float)value;
    assert_ok(ovk_mat_add(A, i, col[k], value));
  }
  return OVK_OK;
}

static ovk_mat *new_source(const copying *c)
{
  ovk_mat *pattern = new_laplace27(N, N, N), *A = new_mat(ovk_mat_local_size(pattern));
  void *both[2] = {A, (void *)c};
  assert_ok(ovk_mat_set_format(A, c->format));
  assert_ok(ovk_mat_for_each_row(pattern, add_row, both));
  assert_ok(ovk_mat_assemble(A));
  ovk_mat_destroy(&pattern);
  return A;
}

/* The copy of a matrix that needs no scaling. */
static ovk_mat *new_copy(const ovk_mat *A)
{
  ovk_mat *F = NULL;
  ovk_vec *scale = NULL;
  assert_ok(ovk__mat_copy_float(A, &F, &scale));
  assert_null(scale);
  return F;
}

static const char *const FORMATS[] = {"csr", "symdia", "sym", "dia", "sell"};
enum { NFORMATS = sizeof FORMATS / sizeof *FORMATS };

TEST(values_that_are_floats_give_the_bits_of_doubles)
{
  for (int f = 1; f < NFORMATS; f++) {
    const copying c = {.format = FORMATS[f], .factor = 1, .rounded = true};
    scoped_mat *A = new_source(&c), *F = new_copy(A);
    scoped_vec *x = new_vec(A), *y = new_vec(A), *found = new_vec(A);
    double dot, found_dot;
    fill_random(x, 5);
    assert_ok(ovk__mat_mult_dot(A, x, y, ovk_poll_none(), &dot));
    assert_ok(ovk__mat_mult_dot(F, x, found, ovk_poll_none(), &found_dot));
    assert_memory_equal(&found_dot, &dot, sizeof dot);
    assert_same_vec(found, y);
  }
}

/* y <- A x by the copy F = S A S of A: S^-1 F S^-1 x */
static void mult_by_copy(const ovk_mat *F, const ovk_vec *scale, const ovk_vec *x, ovk_vec *y)
{
  scoped_vec *scaled = new_vec(F);
  const double *s = ovk_vec_array_const(scale);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    ovk_vec_array(scaled)[i] = ovk_vec_array_const(x)[i] / (scale ? s[i] : 1);
  }
  assert_ok(ovk_mat_mult(F, scaled, y));
  for (ovk_lidx i = 0; scale && i < ovk_vec_local_size(x); i++) ovk_vec_array(y)[i] /= s[i];
}

/* A x against the copy's product, for x of the scale of the columns. */
static void check_close(const ovk_mat *A, const copying *c, const ovk_mat *F, const ovk_vec *scale)
{
  scoped_vec *x = new_vec(A), *y = new_vec(A), *found = new_vec(A);
  fill_random(x, 5);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    ovk_vec_array(x)[i] /= row_scale(ovk_vec_first(x) + i, c->most);
  }
  assert_ok(ovk_mat_mult(A, x, y));
  mult_by_copy(F, scale, x, found);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(y); i++) {
    const double size = c->factor * row_scale(ovk_vec_first(y) + i, c->most); /* of terms */
    assert_close(ovk_vec_array(found)[i] / size, ovk_vec_array(y)[i] / size, 3e-6);
  }
}

TEST(copies_are_as_close_as_float_is)
{
  for (int f = 0; f < NFORMATS; f++) {
    const copying c = {.format = FORMATS[f], .factor = 1};
    scoped_mat *A = new_source(&c), *F = new_copy(A);
    check_close(A, &c, F, NULL);
    assert_true(strstr(ovk_mat_format(F), ":float") != NULL);
    assert_true(strncmp(ovk_mat_format(F), f ? FORMATS[f] : "sell", 3) == 0);
    assert_int_equal(ovk_mat_nnz(F), ovk_mat_nnz(A));
    assert_true(ovk_mat_bytes(F) < ovk_mat_bytes(A));
  }
}

TEST(few_values_stay_in_their_dictionary)
{
  scoped_mat *A = new_laplace27(N, N, N), *F = new_copy(A);
  assert_string_equal(ovk_mat_format(A), "pattern");
  assert_string_equal(ovk_mat_format(F), "pattern");
  assert_same_product(A, F);
}

/* A copy that is scaled has a diagonal around 1. */
static void check_scaled(const copying *c)
{
  scoped_mat *A = new_source(c), *F = NULL;
  scoped_vec *scale = NULL, *d = new_vec(A);
  assert_ok(ovk__mat_copy_float(A, &F, &scale));
  assert_non_null(scale);
  assert_ok(ovk_mat_diagonal(F, d));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(d); i++) {
    int exponent;
    assert_true(ovk_vec_array(d)[i] >= 0.5 && ovk_vec_array(d)[i] < 4);
    assert_true(frexp(ovk_vec_array(scale)[i], &exponent) == 0.5);
  }
  check_close(A, c, F, scale);
}

TEST(values_of_any_scale_are_scaled_by_powers_of_two)
{
  for (int f = 0; f < NFORMATS; f++) {
    check_scaled(&(copying){.format = FORMATS[f], .factor = 0x1p-600});
    check_scaled(&(copying){.format = FORMATS[f], .factor = 0x1p+600});
    check_scaled(&(copying){.format = FORMATS[f], .factor = 1, .most = 200});
  }
}

TEST(moderate_scales_are_left_alone)
{
  const copying c = {.format = "auto", .factor = 1, .most = 40};
  scoped_mat *A = new_source(&c), *F = new_copy(A);
  check_close(A, &c, F, NULL);
}

static ovk_err add_scaled_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                              const double *val)
{
  for (ovk_lidx k = 0; k < n; k++) assert_ok(ovk_mat_add(arg, i, col[k], val[k] * 0x1p-600));
  return OVK_OK;
}

TEST(a_constant_operator_stays_one_when_it_is_scaled)
{
  scoped_mat *values = new_laplace27(N, N, N), *A = new_mat(ovk_mat_local_size(values)), *F = NULL;
  scoped_vec *scale = NULL;
  assert_ok(ovk_mat_for_each_row(values, add_scaled_row, A));
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk__mat_copy_float(A, &F, &scale));
  assert_non_null(scale);
  assert_string_equal(ovk_mat_format(F), "pattern");
}

TEST(polls_are_those_of_the_matrix)
{
  for (int f = 1; f < NFORMATS; f++) {
    const copying c = {.format = FORMATS[f], .factor = 1};
    scoped_mat *A = new_source(&c), *F = new_copy(A);
    scoped_vec *x = new_vec(A), *y = new_vec(A);
    int calls = 0, expected = 0;
    assert_ok(ovk_mat_mult_polled(A, x, y, (ovk_poll){count_call, &expected, 16}));
    assert_ok(ovk_mat_mult_polled(F, x, y, (ovk_poll){count_call, &calls, 16}));
    assert_int_equal(calls, expected);
    assert_true(calls >= N * N * N / 16);
  }
}

TEST(a_copy_outlives_its_matrix)
{
  const copying c = {.format = "symdia", .factor = 1};
  scoped_mat *A = new_source(&c), *again = new_source(&c), *F = new_copy(A);
  assert_ok(ovk_mat_reset_values(A));
  check_close(again, &c, F, NULL);
}

TEST(ranks_may_have_no_rows)
{
  scoped_mat *A = new_tridiagonal(is_last() ? 9 : 0, 4), *F = new_copy(A);
  scoped_vec *x = new_filled(A, 1), *y = new_vec(A);
  assert_ok(ovk_mat_mult(F, x, y));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(y); i++) {
    assert_true(ovk_vec_array(y)[i] == (i == 0 || i == 8 ? 3 : 2));
  }
}

TEST(an_entry_beyond_float_is_an_error_on_all_ranks)
{
  ovk_mat *F = NULL;
  ovk_vec *scale = NULL;
  for (int scaled = 0; scaled < 2; scaled++) {
    scoped_mat *A = new_mat(3);
    const ovk_gidx first = ovk_mat_row_begin(A), last = ovk_mat_size(A) - 1;
    for (ovk_gidx i = first; i < first + 3; i++) {
      assert_ok(ovk_mat_add(A, i, i, scaled ? 1e-60 : 1));
    }
    if (is_last()) assert_ok(ovk_mat_add(A, last, 0, -1e300));
    assert_ok(ovk_mat_set_format(A, "csr"));
    assert_ok(ovk_mat_assemble(A));
    assert_error(ovk__mat_copy_float(A, &F, &scale), OVK_ERR_RANGE, ",0) of a matrix, -1e+300");
    assert_null(F);
    assert_null(scale);
  }
}

TEST(matrices_without_values_are_refused)
{
  ovk_mat *A = new_mat(3), *shell = NULL, *F = NULL;
  ovk_vec *scale = NULL;
  assert_error(ovk__mat_copy_float(A, &F, &scale), OVK_ERR_STATE, "not assembled");
  shell = new_shell(3, NULL, .mult = no_product);
  assert_error(ovk__mat_copy_float(shell, &F, &scale), OVK_ERR_UNSUPPORTED, "no values to round");
  ovk_mat_destroy(&shell);
  ovk_mat_destroy(&A);
}
