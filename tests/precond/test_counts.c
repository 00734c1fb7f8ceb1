/* SPDX-License-Identifier: BSD-2-Clause */
/* Iteration counts with the preconditioners: PETSc's for a model problem, and solves of real
 * matrices, which are skipped where the folder of matrices is missing. */
#include "support/matrices.h"
#include "support/test_main.h"

#include <stdio.h>

enum { SIDE = 80 };

/* The 5-point Laplacian on SIDE x SIDE points in their natural order, dealt out evenly. */
static ovk_mat *make_laplace5(void)
{
  ovk_mat *A = NULL;
  const ovk_gidx n = (ovk_gidx)SIDE * SIDE;
  assert_ok(ovk_mat_create(test_ctx(), even_share((int)n, test_rank, test_size), &A));
  const ovk_gidx first = ovk_mat_first(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    if (i >= SIDE) assert_ok(ovk_mat_add(A, i, i - SIDE, -1));
    if (i % SIDE > 0) assert_ok(ovk_mat_add(A, i, i - 1, -1));
    assert_ok(ovk_mat_add(A, i, i, 4));
    if (i % SIDE < SIDE - 1) assert_ok(ovk_mat_add(A, i, i + 1, -1));
    if (i < n - SIDE) assert_ok(ovk_mat_add(A, i, i + SIDE, -1));
  }
  assert_ok(ovk_mat_assemble(A));
  return A;
}

/* PETSc tests ||C^-1 r|| <= rtol ||C^-1 b|| by default. */
static void the_5_point_problem_takes_as_many_iterations_as_in_petsc(void **state)
{
  const struct {
    const char *spec, *method;
    int ranks, iterations;
  } counts[] = {{"jacobi", "algorithm1", 2, 169},
                {"ic", "algorithm1", 2, 101},
                {"ic", "algorithm2", 2, 101},
                {"ic", "overlap", 2, 101},
                {"ic:store=float", "algorithm1", 2, 101},
                {"ilu", "algorithm1", 2, 101},
                {"bjacobi:sub=ic", "algorithm1", 2, 101},
                {"bjacobi:blocks=2,sub=ic", "algorithm1", 1, 101}, /* as two ranks have them */
                {"ssor", "algorithm1", 1, 92}, /* -pc_type sor -pc_sor_local_symmetric */
                {"ssor", "algorithm1", 2, 119},
                {"ssor:omega=1.5", "algorithm1", 1, 57},
                {"ssor:omega=1.5", "algorithm1", 2, 82}};
  ovk_mat *A = make_laplace5();
  ovk_vec *b = NULL, *x = NULL;
  assert_ok(ovk_mat_create_vec(A, &b));
  assert_ok(ovk_mat_create_vec(A, &x));
  assert_ok(ovk_vec_fill(x, 1));
  assert_ok(ovk_mat_mult(A, x, b, ovk_poll_none()));
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    if (test_size != counts[k].ranks) continue;
    ovk_precond *M = NULL;
    ovk_pcg_opts opts = OVK_PCG_OPTS;
    ovk_result res;
    opts.method = counts[k].method;
    opts.norm = OVK_NORM_PRECONDITIONED;
    opts.rtol = 1e-10;
    assert_ok(ovk_vec_fill(x, 0));
    assert_ok(ovk_precond_create(A, counts[k].spec, &M));
    assert_ok(ovk_pcg_solve(A, M, b, x, &opts, &res));
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_in_range(res.iterations, counts[k].iterations - 1, counts[k].iterations + 1);
    ovk_precond_destroy(&M);
  }
  ovk_vec_destroy(&b);
  ovk_vec_destroy(&x);
  ovk_mat_destroy(&A);
}

/* algorithm2 takes products of the split operator from ssor, algorithm1 those of A. */
static void products_of_the_split_operator_leave_counts_as_they_are(void **state)
{
  static const char *const specs[] = {"ssor", "ssor:omega=1.5", "ssor:store=float"};
  static const char *const methods[] = {"algorithm1", "algorithm2"};
  const ovk_norm norms[] = {OVK_NORM_UNPRECONDITIONED, OVK_NORM_NATURAL};
  ovk_mat *A = make_laplace5();
  ovk_vec *b = NULL, *x = NULL;
  assert_ok(ovk_mat_create_vec(A, &b));
  assert_ok(ovk_mat_create_vec(A, &x));
  assert_ok(ovk_vec_fill(b, 1));
  for (int k = 0; k < 6; k++) {
    ovk_precond *M = NULL;
    ovk_pcg_opts opts = OVK_PCG_OPTS;
    int iterations[2];
    assert_ok(ovk_precond_create(A, specs[k / 2], &M));
    opts.norm = norms[k % 2];
    opts.rtol = 1e-10;
    for (int m = 0; m < 2; m++) {
      ovk_result res;
      opts.method = methods[m];
      assert_ok(ovk_vec_fill(x, 0));
      assert_ok(ovk_pcg_solve(A, M, b, x, &opts, &res));
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(res.restarts, 0);
      assert_true(res.true_relative_residual <= 1e-9); /* in the Euclidean norm */
      iterations[m] = res.iterations;
    }
    assert_in_range(iterations[1], iterations[0] - 1, iterations[0] + 1);
    ovk_precond_destroy(&M);
  }
  ovk_vec_destroy(&b);
  ovk_vec_destroy(&x);
  ovk_mat_destroy(&A);
}

/* b = A x for an x of random numbers, so that a singular A has a solution, too. */
static void fill_rhs(const ovk_mat *A, ovk_vec *x, ovk_vec *b)
{
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    ovk_vec_array(x)[i] = random_number(13, (uint64_t)(ovk_vec_first(x) + i)) - 0.5;
  }
  assert_ok(ovk_mat_mult(A, x, b, ovk_poll_none()));
  assert_ok(ovk_vec_fill(x, 0));
}

static void real_matrices_are_solved(void **state)
{
  static const char *const files[] = {
      "1138_bus",  "494_bus",  "Trefethen_2000",       "ani4",     "bar", "bcsstk13", "bcsstk16",
      "crack_lap", "gr_30_30", "luxembourg_lap_s1e-3", "mhd4800b", "nos5"};
  enum { ILU = 2, SPECS = 6 };
  static const char *const specs[SPECS] = {
      "ic", "ic:level=1,store=float", "ilu", "ssor", "chebyshev", "bjacobi"};
  if (!matrix_path("")) skip();
  bool definite = true; /* ilu's C: ic of the same sparsity needed no shift */
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[100];
    ovk_mat *A = NULL;
    ovk_vec *b = NULL, *x = NULL;
    snprintf(path, sizeof path, "spd/%s.mtx", files[k]);
    assert_ok(ovk_mat_read_mm(test_ctx(), matrix_path(path), NULL, &A));
    assert_ok(ovk_mat_create_vec(A, &b));
    assert_ok(ovk_mat_create_vec(A, &x));
    for (int s = 0; s < SPECS; s++) {
      ovk_precond *M = NULL;
      ovk_pcg_opts opts = OVK_PCG_OPTS;
      ovk_result res;
      opts.method = "algorithm1";
      fill_rhs(A, x, b);
      assert_ok(ovk_precond_create(A, specs[s], &M));
      assert_ok(ovk_pcg_solve(A, M, b, x, &opts, &res));
      if (test_rank == 0) {
        print_message("%s, %s: %d iterations, %.1e, %s\n", files[k], specs[s], res.iterations,
                      res.true_relative_residual, ovk_precond_info(M));
      }
      if (s == 0) definite = !ovk_precond_info(M)[0];
      if (s == ILU && !definite) {
        assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_M);
      } else {
        assert_true(res.reason > 0);
        assert_true(res.true_relative_residual <= 1.01e-8);
      }
      ovk_precond_destroy(&M);
    }
    ovk_vec_destroy(&b);
    ovk_vec_destroy(&x);
    ovk_mat_destroy(&A);
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_5_point_problem_takes_as_many_iterations_as_in_petsc),
      cmocka_unit_test(products_of_the_split_operator_leave_counts_as_they_are),
      cmocka_unit_test(real_matrices_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
