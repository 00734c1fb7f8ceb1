/* SPDX-License-Identifier: BSD-2-Clause */
/* Preconditioners of several columns at once: each column has the bits of a single application, and
 * nothing passes from one column to another. */
#include "precond/precond_impl.h"
#include "support/problem.h"

/* Random columns; to be destroyed. */
static ovk_multivec *new_block(const ovk_mat *A, int width, uint64_t seed)
{
  ovk_multivec *X = new_multivec_of(A, width);
  for (int b = 0; b < ovk__multivec_panels(width); b++) {
    const ovk__panel block = ovk__multivec_panel(X, b);
    for (ovk_lidx k = 0; k < ovk_mat_local_size(A) * block.width; k++) {
      const uint64_t at = (uint64_t)k + (uint64_t)(1000000 * b);
      block.rows[k] = random_number(seed + (uint64_t)test_rank, at) - 0.5;
    }
  }
  return X;
}

static void apply_block(ovk_precond *M, int width, const ovk_multivec *R, ovk_multivec *Z)
{
  assert_ok(ovk__precond_prepare_many(M, width));
  assert_ok(ovk__precond_apply_many(M, width, ovk__multivec_panel(R, 0).rows,
                                    ovk__multivec_panel(Z, 0).rows, ovk_poll_none()));
}

/* Column c of Z has the bits of M^-1 times that of R. */
static void check_column(const ovk_precond *M, int c, const ovk_multivec *R, const ovk_multivec *Z)
{
  const size_t n = (size_t)ovk_multivec_local_size(R);
  scoped_vec *r = new_vec(M->A), *z = new_vec(M->A), *expected = new_vec(M->A);
  assert_ok(ovk_multivec_get(R, c, 1, ovk_vec_array(r), (int64_t)n));
  assert_ok(ovk_multivec_get(Z, c, 1, ovk_vec_array(z), (int64_t)n));
  assert_ok(ovk_precond_apply(M, r, expected, ovk_poll_none()));
  if (n) assert_memory_equal(ovk_vec_array(z), ovk_vec_array(expected), n * sizeof(double));
}

/* Two blocks of each width, the second with a NaN in its last column. */
static void check_precond(ovk_precond *M)
{
  for (int width = 1; width <= OVK__WIDEST; width *= 2) {
    scoped_multivec *R = new_block(M->A, width, 7), *Z = new_block(M->A, width, 8);
    apply_block(M, width, R, Z);
    for (int c = 0; c < width; c++) check_column(M, c, R, Z);
    if (ovk_multivec_local_size(R) > 0) ovk__multivec_panel(R, 0).rows[width - 1] = NAN;
    apply_block(M, width, R, Z);
    for (int c = 0; c < width - 1; c++) check_column(M, c, R, Z);
  }
}

/* Options that take other code than the default ones. */
static const char *const specs[] = {"none",
                                    "jacobi",
                                    "ssor",
                                    "ssor:store=float",
                                    "ic",
                                    "ic:order=rcm",
                                    "ic:store=float",
                                    "ilu",
                                    "bjacobi",
                                    "chebyshev",
                                    "chebyshev:degree=3",
                                    "amg",
                                    "amg:coarse=10",
                                    "amg:coarse=10,cycle=w,store=double",
                                    "amg:levels=2,coarse=10",
                                    NULL};

static void check_specs(ovk_mat *A)
{
  for (int k = 0; specs[k]; k++) {
    scoped_precond *M = new_precond(A, specs[k]);
    check_precond(M);
  }
}

TEST(columns_have_the_bits_of_single_applications)
{
  scoped_mat *A = new_laplace27(9, 7, 8);
  check_specs(A);
}

/* An irregular matrix; ranks have 0, 1, 2, ... rows, the last one the rest. */
TEST(so_they_do_on_ranks_with_few_rows_or_none)
{
  enum { N = 40 };
  const ovk_lidx rest = N - (test_size - 1) * (test_size - 2) / 2;
  scoped_array double *dense = random_spd(N, 10, 3);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      if (i != j && (i * j) % 7 != 1) dense[i * N + j] = 0;
      if (i == j) dense[i * N + j] += 10;
    }
  }
  scoped_mat *A = distribute(test_ctx(), dense, N, is_last() ? rest : test_rank);
  check_specs(A);
}

TEST(an_update_is_followed_by_a_new_preparation)
{
  scoped_mat *A = new_tridiagonal(20, 2.5);
  for (int k = 0; specs[k]; k++) {
    scoped_precond *M = new_precond(A, specs[k]);
    check_precond(M);
    assert_ok(ovk_mat_reset_values(A));
    for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
      add_tridiagonal_row(A, i, -1, 4 + k + 0.1 * (double)(i % 3), -1);
    }
    assert_ok(ovk_mat_assemble(A));
    assert_ok(ovk_precond_update(M));
    check_precond(M);
  }
}

/* Their kernels for blocks would sum in another order. */
TEST(preconditioners_of_matrices_in_order_take_column_by_column)
{
  static const char *const any_partition[] = {"jacobi", "chebyshev", "amg"};
  scoped_mat *A = new_laplace27(5, 4, 6);
  assert_ok(ovk__mat_put_in_order(A));
  for (int k = 0; k < 3; k++) {
    scoped_precond *M = new_precond(A, any_partition[k]);
    check_precond(M);
  }
}

/* z <- r / 2 on two rows; counts its calls in `state`, fails in the second one on the last rank. */
static ovk_err halve(void *state, const double *r, double *z, ovk_poll poll)
{
  int *calls = state;
  for (int i = 0; i < 2; i++) z[i] = r[i] / 2;
  return ++*calls == 2 && is_last() ? OVK_ERR_USER : OVK_OK;
}

TEST(a_users_preconditioner_is_applied_to_all_columns_also_after_a_failure)
{
  int calls = 0;
  const ovk_precond_ops ops = {.size = sizeof ops, .name = "half", .apply = halve};
  scoped_mat *A = new_tridiagonal(2, 2.5);
  scoped_precond *M = NULL;
  assert_ok(ovk_precond_create_from_ops(A, &ops, &calls, &M));
  scoped_multivec *R = new_block(A, 4, 1), *Z = new_block(A, 4, 2);
  assert_ok(ovk__precond_prepare_many(M, 4));
  const ovk_err err = ovk__precond_apply_many(M, 4, ovk__multivec_panel(R, 0).rows,
                                              ovk__multivec_panel(Z, 0).rows, ovk_poll_none());
  assert_int_equal(err, is_last() ? OVK_ERR_USER : OVK_OK);
  assert_int_equal(calls, 4);
  apply_block(M, 4, R, Z);
  for (int c = 0; c < 4; c++) check_column(M, c, R, Z);
}

TEST(eleven_columns_are_preconditioned_in_three_blocks)
{
  enum { COLUMNS = 11 };
  scoped_mat *A = new_tridiagonal(30, 2.5);
  scoped_precond *M = new_precond(A, "ic");
  scoped_multivec *R = new_block(A, COLUMNS, 1), *Z = new_block(A, COLUMNS, 2);
  assert_ok(ovk_precond_apply_many(M, R, Z, ovk_poll_none()));
  for (int c = 0; c < COLUMNS; c++) check_column(M, c, R, Z);
}

TEST(wrong_arguments_are_refused_on_all_ranks)
{
  scoped_mat *A = new_tridiagonal(3, 2.5);
  scoped_precond *M = new_precond(A, "jacobi");
  scoped_multivec *R = new_block(A, 2, 1), *Z = new_block(A, 3, 1), *other = new_block(A, 2, 1);
  const ovk_poll none = ovk_poll_none();
  assert_error(ovk_precond_apply_many(M, R, Z, none), OVK_ERR_ARG, "R has 2 columns, Z has 3");
  assert_error(ovk_precond_apply_many(M, R, R, none), OVK_ERR_ARG, "the same");
  assert_error(ovk_precond_apply_many(M, R, is_last() ? NULL : other, none), OVK_ERR_ARG, "NULL");
}
