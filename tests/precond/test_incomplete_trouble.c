/* SPDX-License-Identifier: BSD-2-Clause */
/* ic and ilu with unusable pivots, and the matrices that they refuse. */
#include "support/problem.h"

/* n rows a rank with the same block; *here: whether the block of this rank is the odd one. */
static ovk_mat *repeat(int n, const double *usual, const double *odd, bool here)
{
  const double *block = here ? odd : usual;
  ovk_mat *A = new_mat(n);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (block[i * n + j] != 0) assert_ok(ovk_mat_add(A, first + i, first + j, block[i * n + j]));
    }
  }
  return assembled(A);
}

/* Positive definite, but its incomplete Cholesky factorisation has a pivot of -5 in the last row
 * (Kershaw, J. Comput. Phys. 26, 1978). */
static const double kershaw[] = {3, -2, 0, 2, -2, 3, -2, 0, 0, -2, 3, -2, 2, 0, -2, 3};
static const double unit4[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* "shift 0.001 after a pivot of ..." -> 0.001 */
static double shift_in(const char *info)
{
  double shift = 0;
  assert_int_equal(sscanf(info, "shift %lf after", &shift), 1);
  return shift;
}

TEST(a_negative_pivot_is_mended_by_a_shift_and_told_on_all_ranks)
{
  const char *const specs[] = {"ic", "ic:shift=0.01", "ic:store=float"};
  char row[64], notice[NOTICE];
  snprintf(row, sizeof row, "after a pivot of -5 in row %d", 4 * test_size - 1);
  ovk_ctx_on_notice(test_ctx(), keep_notice, notice);
  for (int k = 0; k < 3; k++) {
    scoped_mat *A = repeat(4, unit4, kershaw, is_last());
    double rz;
    notice[0] = '\0';
    scoped_precond *M = new_precond(A, specs[k]);
    const char *info = ovk_precond_info(M);
    if (k != 1) assert_non_null(strstr(info, row));
    assert_non_null(strstr(notice, info));
    const double shift = shift_in(info), first = k == 1 ? 0.01 : 1e-3;
    const double doublings = log2(shift / first);
    assert_true(fabs(doublings - round(doublings)) < 1e-4 && doublings >= 1);
    scoped_vec *r = new_vec(A), *z = new_vec(A);
    for (int i = 0; i < 4; i++) { /* C is positive definite */
      assert_ok(ovk_vec_fill(r, 0.1));
      ovk_vec_array(r)[i] = -1;
      assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
      assert_ok(ovk_vec_dot(r, z, &rz));
      assert_true(rz > 0);
    }
  }
  ovk_ctx_on_notice(test_ctx(), NULL, NULL);
}

/* C = (1 + shift) A for a diagonal A. */
TEST(a_given_shift_is_taken)
{
  const char *const specs[] = {"ic:shift=0.5", "ilu:shift=0.5"};
  scoped_mat *A = repeat(4, unit4, NULL, false);
  scoped_vec *r = new_filled(A, 3), *z = new_vec(A);
  for (int k = 0; k < 2; k++) {
    scoped_precond *M = new_precond(A, specs[k]);
    assert_string_equal(ovk_precond_info(M), "");
    assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
    for (int i = 0; i < 4; i++) assert_close(ovk_vec_array_const(z)[i], 2, 1e-15);
  }
}

TEST(a_singular_or_indefinite_block_gets_a_shift)
{
  const double unit[] = {1, 0, 0, 1}, singular[] = {1, -1, -1, 1}, negative[] = {1, 0, 0, -2};
  const struct {
    const char *spec;
    const double *block;
    const char *said;
  } cases[] = {{"ic", singular, "after a pivot of 0 in row "},
               {"ilu", singular, "after a pivot of 0 in row "},
               {"ic", negative, "shift 1.024 after a pivot of -2 in row "}};
  for (int k = 0; k < 3; k++) {
    scoped_mat *A = repeat(2, unit, cases[k].block, is_last());
    scoped_precond *M = new_precond(A, cases[k].spec);
    assert_non_null(strstr(ovk_precond_info(M), cases[k].said));
  }
}

TEST(ilu_takes_negative_pivots_as_they_are)
{
  const double unit[] = {1, 0, 0, 1}, saddle[] = {1, 3, 2, -4}; /* u_22 = -10 */
  scoped_mat *A = repeat(2, unit, saddle, is_last());
  scoped_precond *M = new_precond(A, "ilu");
  assert_string_equal(ovk_precond_info(M), "");
  scoped_vec *r = new_filled(A, 10), *z = new_vec(A);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
  assert_close(ovk_vec_array_const(z)[0], is_last() ? 7 : 10, 1e-14);
  assert_close(ovk_vec_array_const(z)[1], is_last() ? 1 : 10, 1e-14);
}

TEST(values_that_it_cannot_factorise_are_refused_by_name)
{
  const double unit[] = {1, 0, 0, 1}, skew[] = {2, 1, 0.5, 2}, above[] = {2, 1, 0, 2},
               below[] = {2, 0, 1, 2}, bad[] = {1, 0, 0, NAN}, infinite[] = {1, -INFINITY, 1, 1},
               empty[] = {1, 0, 0, 0}, huge[] = {1e-90, 0, 0, 1};
  const struct {
    const char *spec;
    const double *block;
    int code;
    const char *format;
  } cases[] = {
      {"ic", skew, OVK_ERR_ARG, "row %d, column %d is 0.5, but row"},
      {"ic", above, OVK_ERR_ARG, "row %d, column %d is 0, but row"},
      {"ic", below, OVK_ERR_ARG, "row %d, column %d is 1, but row"},
      {"ic", bad, OVK_ERR_ARG, "row %d, column %d of A is nan"},
      {"ilu", bad, OVK_ERR_ARG, "row %d, column %d of A is nan"},
      {"ilu", infinite, OVK_ERR_ARG, "of A is -inf"},
      {"ic", empty, OVK_ERR_ARG, "the pivot of row %d is 0"},
      {"ilu", empty, OVK_ERR_ARG, "the pivot of row %d is 0"},
      {"ic:store=float", huge, OVK_ERR_RANGE, "store=float cannot hold the diagonal of row"},
      {"ilu:store=float", huge, OVK_ERR_RANGE, "store=float cannot hold the diagonal of row"},
  };
  const int row = 2 * test_size - 1;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    scoped_mat *A = repeat(2, unit, cases[k].block, is_last());
    char said[100];
    const bool diagonal = cases[k].block == bad;
    snprintf(said, sizeof said, cases[k].format, row, diagonal ? row : row - 1);
    assert_no_precond(A, cases[k].spec, (ovk_err)cases[k].code, said);
  }
}

/* Differences that rounding explains are no asymmetry. */
TEST(rounding_is_no_asymmetry)
{
  const double nearly[] = {4, 1, 1 + 1e-13, 4};
  scoped_mat *A = repeat(2, nearly, NULL, false);
  scoped_precond *M = new_precond(A, "ic");
}

TEST(keys_are_checked)
{
  const struct {
    const char *spec, *said;
    int code;
  } cases[] = {{"ic:level=-1", "but must be a whole number from 0", OVK_ERR_ARG},
               {"ic:level=two", "but must be a whole number from 0", OVK_ERR_ARG},
               {"ic:store=flaot", "did you mean 'float'? it takes: double, float", OVK_ERR_UNKNOWN},
               {"ilu:shift=-1", "but must be a number from 0", OVK_ERR_ARG},
               {"ilu:shift=nan", "but must be a number from 0", OVK_ERR_ARG},
               {"ic:levels=1", "did you mean 'level'?", OVK_ERR_UNKNOWN}};
  scoped_mat *A = repeat(4, unit4, NULL, false);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_no_precond(A, cases[k].spec, (ovk_err)cases[k].code, cases[k].said);
  }
}

TEST(a_matrix_free_operator_is_refused)
{
  scoped_mat *A = new_shell(2, NULL, .mult = no_product);
  assert_no_precond(A, "ic", OVK_ERR_UNSUPPORTED, "'ic' needs the entries of A");
  assert_no_precond(A, "ilu", OVK_ERR_UNSUPPORTED, "'ilu' needs the entries");
}
