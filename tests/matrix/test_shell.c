/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix-free operators through the same matrix type. */
#include "support/problem.h"

/* y = 3 x, with the data that a test checks, or the failure that it requests. */
typedef struct tripler {
  int rows, mults, destroyed;
  bool fail, fail_silently;
} tripler;

static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  tripler *t = user;
  t->mults++;
  for (int i = 0; i < t->rows; i++) y[i] = 3 * x[i];
  ovk_poll_call(poll);
  if (t->fail_silently) return OVK_ERR_USER;
  return t->fail ? ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "tripling failed on rank %d", test_rank)
                 : OVK_OK;
}

static ovk_err diagonal(void *user, double *d)
{
  const tripler *t = user;
  for (int i = 0; i < t->rows; i++) d[i] = 3;
  return OVK_OK;
}

static void shell_destroy(void *user)
{
  ((tripler *)user)->destroyed++;
}

TEST(a_shell_multiplies_by_its_function)
{
  tripler t = {.rows = 4};
  ovk_mat *A = new_shell(4, &t, .mult = mult, .diagonal = diagonal, .destroy = shell_destroy);
  assert_string_equal(ovk_mat_format(A), "shell");
  assert_int_equal(ovk_mat_nnz(A), 0);
  scoped_vec *x = new_filled(A, 2), *y = new_vec(A);
  assert_ok(ovk_mat_mult(A, x, y));
  assert_true(ovk_vec_array(y)[3] == 6);
  assert_ok(ovk_mat_diagonal(A, x));
  assert_true(ovk_vec_array(x)[0] == 3);
  assert_error(ovk_mat_assemble(A), OVK_ERR_STATE, "has no entries");
  assert_error(ovk_mat_add(A, 0, 0, 1), OVK_ERR_STATE, "before assembly");
  ovk_mat_destroy(&A);
  assert_int_equal(t.destroyed, 1);
  assert_int_equal(t.mults, 1);
}

TEST(one_ranks_failure_is_everyones_with_its_words)
{
  tripler t = {.rows = 4};
  scoped_mat *A = new_shell(4, &t, .mult = mult);
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  t.fail = test_rank == test_size - 1;
  assert_error(ovk_mat_mult(A, x, y), OVK_ERR_USER, "tripling failed on rank");
  t.fail = false;
  t.fail_silently = test_rank == 0;
  assert_error(ovk_mat_mult(A, x, y), OVK_ERR_USER, "mult returned OVK_ERR_USER");
  assert_error(ovk_mat_diagonal(A, x), OVK_ERR_UNSUPPORTED, "no diagonal");
  assert_error(ovk_mat_mult(A, test_rank == 0 ? NULL : x, y), OVK_ERR_ARG, "NULL");
}

TEST(a_shell_needs_a_mult_function_on_every_rank)
{
  ovk_mat *A = NULL;
  const ovk_shell_ops none = {0}, some = {.mult = mult};
  const ovk_shell_ops *ops = test_rank == test_size - 1 ? &none : &some;
  assert_error(ovk_mat_create_shell(test_ctx(), 4, ops, NULL, &A), OVK_ERR_ARG, "needs a mult");
  assert_null(A);
}
