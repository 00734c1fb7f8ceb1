/* SPDX-License-Identifier: BSD-2-Clause */
#include "precond_case.h"
#include "support/problem.h"

precond_case case_of(ovk_mat *A, const char *spec)
{
  precond_case P = {.n = (int)ovk_mat_size(A), .first = (int)ovk_mat_row_begin(A)};
  P.local = ovk_mat_local_size(A);
  P.A = A;
  P.M = new_precond(A, spec);
  P.r = new_vec(A);
  P.z = new_vec(A);
  P.t = new_vec(A);
  fill_random(P.r, 21);
  return P;
}

precond_case case_make(double *dense, int n, const char *spec)
{
  const int share = test_size == 1   ? n
                    : test_rank == 0 ? 0
                                     : even_share(n, test_rank - 1, test_size - 1);
  precond_case P = case_of(distribute(test_ctx(), dense, n, share), spec);
  P.dense = dense;
  return P;
}

void case_clear(precond_case *P)
{
  free(P->dense);
  ovk_precond_destroy(&P->M);
  ovk_mat_destroy(&P->A);
  ovk_vec_destroy(&P->r);
  ovk_vec_destroy(&P->z);
  ovk_vec_destroy(&P->t);
}

double case_entry(const precond_case *P, int i, int j)
{
  const int end = P->first + P->local;
  return i >= P->first && j >= P->first && i < end && j < end ? P->dense[i * P->n + j] : 0;
}

void case_check_factors(precond_case *P)
{
  const ovk_poll none = ovk_poll_none();
  double rz, tt;
  scoped_vec *w = new_vec(P->A);
  assert_ok(ovk_precond_factor(P->M));
  assert_ok(ovk_precond_apply(P->M, P->r, P->z, none));
  assert_ok(ovk_precond_apply_left(P->M, P->r, P->t, none));
  assert_ok(ovk_precond_apply_right(P->M, P->t, w, none));
  for (int i = 0; i < P->local; i++) {
    assert_close(ovk_vec_array(w)[i], ovk_vec_array(P->z)[i], 1e-13);
  }
  assert_ok(ovk_vec_dot(P->r, P->z, &rz));
  assert_ok(ovk_vec_dot(P->t, P->t, &tt));
  assert_close(tt, rz, 1e-13);
}

typedef ovk_err apply_fn(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll);

static void check_polls(precond_case *P, apply_fn *apply, int least)
{
  int polls = 0;
  assert_ok(apply(P->M, P->r, P->z, ovk_poll_none()));
  assert_ok(apply(P->M, P->r, P->t, (ovk_poll){count_call, &polls, 1}));
  assert_true(polls >= least);
  assert_same_vec(P->z, P->t);
}

void case_check_polls(precond_case *P, int least, bool factors)
{
  check_polls(P, ovk_precond_apply, least);
  if (!factors) return;
  assert_ok(ovk_precond_factor(P->M));
  check_polls(P, ovk_precond_apply_left, least / 2);
  check_polls(P, ovk_precond_apply_right, least / 2);
}

void assert_updated_as_new(ovk_precond *M, ovk_mat *A, const char *spec)
{
  assert_ok(ovk_precond_update(M));
  scoped_precond *made = new_precond(A, spec);
  assert_string_equal(ovk_precond_info(M), ovk_precond_info(made));
}

int count_iterations(ovk_mat *A, const char *precond, const char *method)
{
  scoped_system s = new_system(A, precond);
  ovk_solver_opts opts = with_method(method);
  const ovk_result res = solve_system(&s, &opts);
  assert_true(res.reason == OVK_REASON_CONVERGED_RTOL);
  assert_true(res.true_relative_residual <= 1.01 * opts.rtol);
  return res.iterations;
}

void case_check_inverse(precond_case *P, double tolerance)
{
  assert_ok(ovk_precond_apply(P->M, P->r, P->z, ovk_poll_none()));
  assert_ok(ovk_mat_mult(P->A, P->z, P->t));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(P->r); i++) {
    assert_close(ovk_vec_array(P->t)[i], ovk_vec_array(P->r)[i], tolerance);
  }
}

void check_amg_solves_singular(ovk_mat *A, const char *method)
{
  scoped_system s = new_system(A, "amg");
  ovk_solver_opts opts = solver_opts(.method = method, .null_constant = true);
  fill_random(s.b, 7);
  assert_non_null(strstr(ovk_precond_info(s.M), ", singular: 1"));
  const ovk_result res = solve_system(&s, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_in_range(res.iterations, 3, 30);
}
