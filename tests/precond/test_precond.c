/* SPDX-License-Identifier: BSD-2-Clause */
/* Preconditioners: the built-in ones, a user-defined one, and the refused ones. */
#include "support/problem.h"

/* A diagonal matrix with two rows a rank: 4 and the given value. */
static ovk_mat *make_diagonal(double second)
{
  ovk_mat *A = new_mat(2);
  const ovk_gidx i = ovk_mat_row_begin(A);
  assert_ok(ovk_mat_add(A, i, i, 4));
  assert_ok(ovk_mat_add(A, i + 1, i + 1, second));
  return assembled(A);
}

static void check_rows(const ovk_vec *v, double first, double second)
{
  assert_close(ovk_vec_array_const(v)[0], first, 1e-15);
  assert_close(ovk_vec_array_const(v)[1], second, 1e-15);
}

TEST(jacobi_and_its_factors_invert_the_diagonal)
{
  scoped_mat *A = make_diagonal(9);
  scoped_precond *M = new_precond(A, "jacobi");
  assert_string_equal(ovk_precond_name(M), "jacobi");
  scoped_vec *r = new_filled(A, 36), *z = new_vec(A);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
  check_rows(z, 9, 4);
  assert_error(ovk_precond_apply_left(M, r, z, ovk_poll_none()), OVK_ERR_STATE,
               "ovk_precond_factor");
  assert_ok(ovk_precond_factor(M));
  assert_ok(ovk_precond_factor(M));
  assert_ok(ovk_precond_apply_left(M, r, z, ovk_poll_none()));
  check_rows(z, 18, 12);
  assert_ok(ovk_precond_apply_right(M, z, r, ovk_poll_none()));
  check_rows(r, 9, 4);
  assert_error(ovk_precond_apply(M, r, r, ovk_poll_none()), OVK_ERR_ARG, "same vector");
  ovk_precond_destroy(&M);
  assert_null(M);
}

TEST(none_copies)
{
  scoped_mat *A = make_diagonal(0);
  scoped_precond *M = new_precond(A, "none");
  assert_ok(ovk_precond_factor(M));
  scoped_vec *r = new_filled(A, 5), *z = new_vec(A);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
  check_rows(z, 5, 5);
}

TEST(jacobi_refuses_a_diagonal_it_cannot_invert_and_names_the_row)
{
  const double bad[] = {0, NAN, INFINITY, 1e-320};
  char says[64];
  snprintf(says, sizeof says, "row %d has ", 2 * test_size - 1);
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = make_diagonal(is_last() ? bad[k] : 1);
    assert_no_precond(A, "jacobi", OVK_ERR_ARG, says);
  }
}

TEST(jacobi_of_a_negative_diagonal_has_no_factors)
{
  scoped_mat *A = make_diagonal(is_last() ? -2 : 1);
  scoped_precond *M = new_precond(A, "jacobi");
  for (int again = 0; again < 3; again++) {
    assert_error(ovk_precond_factor(M), OVK_ERR_INDEFINITE, "has diagonal -2");
  }
}

/* A user's preconditioner that divides by a number from its spec. */
typedef struct divider {
  ovk_lidx n;
  double by;
  int *live; /* counts set-ups that were not destroyed */
} divider;

static const ovk_option divider_keys[] = {OVK_REAL("by", 0.1, 10, 2, "divisor"), OVK_OPTIONS_END};

static ovk_err divider_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  double by;
  const ovk_err err = ovk_spec_double(ovk_mat_ctx(A), spec, divider_keys, "by", &by);
  if (err) return err;
  divider *d = new_memory(sizeof *d);
  *d = (divider){ovk_mat_local_size(A), by, user};
  ++*d->live;
  *state = d;
  return OVK_OK;
}

static void divider_destroy(void *state)
{
  --*((divider *)state)->live;
  free(state);
}

static ovk_err divider_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const divider *d = state;
  for (ovk_lidx i = 0; i < d->n; i++) z[i] = r[i] / d->by;
  return OVK_OK;
}

static const ovk_precond_ops divider_ops = {.name = "divider",
                                            .keys = divider_keys,
                                            .apply = divider_apply,
                                            .setup = divider_setup,
                                            .destroy = divider_destroy};

TEST(a_users_preconditioner_is_found_by_name)
{
  static int live;
  scoped_mat *A = make_diagonal(1);
  assert_ok(ovk_precond_register(test_ctx(), &divider_ops, &live));
  assert_error(ovk_precond_register(test_ctx(), &divider_ops, &live), OVK_ERR_ARG, "already");
  ovk_precond *M = new_precond(A, "divider:by=5");
  scoped_vec *r = new_filled(A, 10), *z = new_vec(A);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
  check_rows(z, 2, 2);
  assert_error(ovk_precond_factor(M), OVK_ERR_UNSUPPORTED, "'divider' has no factors");
  assert_int_equal(live, 1);
  ovk_precond_destroy(&M);
  assert_int_equal(live, 0);
  assert_no_precond(A, "divider:by=50", OVK_ERR_ARG, "but must be a number");
  assert_no_precond(A, "divider:buy=5", OVK_ERR_UNKNOWN, "did you mean 'by'");
  assert_int_equal(live, 0);
}

TEST(a_users_preconditioner_needs_no_name_in_the_context)
{
  scoped_mat *A = make_diagonal(1);
  ovk_precond *M = NULL;
  int live = 0;
  ovk_precond_ops ops = divider_ops, other = divider_ops;
  assert_ok(ovk_precond_create_from_ops(A, &ops, &live, &M));
  ops.apply = NULL; /* it has a copy */
  scoped_vec *r = new_filled(A, 10), *z = new_vec(A);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
  check_rows(z, 5, 5);
  ovk_precond_destroy(&M);
  assert_error(ovk_precond_create_from_ops(A, is_last() ? &ops : &divider_ops, &live, &M),
               OVK_ERR_ARG, "apply function");
  assert_error(ovk_precond_create_from_ops(A, is_last() ? NULL : &divider_ops, &live, &M),
               OVK_ERR_ARG, "apply function");
  other.name = is_last() ? "unlike" : "divider";
  if (test_size > 1) {
    assert_error(ovk_precond_create_from_ops(A, &other, &live, &M), OVK_ERR_ARG, "different");
  }
  other.name = NULL;
  assert_error(ovk_precond_create_from_ops(A, &other, &live, &M), OVK_ERR_ARG, "needs a name");
  assert_null(M);
  assert_int_equal(live, 0);
}

TEST(names_of_petsc_are_aliases)
{
  scoped_mat *A = make_diagonal(1);
  scoped_precond *icc = new_precond(A, "ICC:level=1"), *sor = new_precond(A, "sor");
  assert_string_equal(ovk_precond_name(icc), "ic");
  assert_string_equal(ovk_precond_name(sor), "ssor");
}

TEST(multigrid_says_which_library_has_it)
{
  const char *const names[] = {"boomeramg:strong=0.5", "boomeramg", "BoomerAMG"};
  scoped_mat *A = make_diagonal(1);
  for (int k = 0; k < 3; k++) {
    assert_no_precond(A, names[k], OVK_ERR_UNKNOWN,
                      "of libovkhypre: link that library and call ovk_hypre_register(ctx) first");
  }
}

TEST(bad_arguments_are_told_on_all_ranks)
{
  scoped_mat *A = make_diagonal(1);
  assert_no_precond(A, "jacoby", OVK_ERR_UNKNOWN, "did you mean 'jacobi'");
  assert_no_precond(A, is_last() ? NULL : "none", OVK_ERR_ARG, "spec is NULL");
  if (test_size > 1) {
    assert_no_precond(A, is_last() ? "jacobi" : "none", OVK_ERR_ARG, "different");
  }
  scoped_mat *open = new_mat(1);
  assert_no_precond(open, "none", OVK_ERR_STATE, "not assembled");
  const ovk_precond_ops no_apply = {.name = "x"},
                        half = {.name = "x", .apply = divider_apply, .apply_left = divider_apply};
  assert_error(ovk_precond_register(test_ctx(), &no_apply, NULL), OVK_ERR_ARG, "apply function");
  assert_error(ovk_precond_register(test_ctx(), &half, NULL), OVK_ERR_ARG, "together");
}
