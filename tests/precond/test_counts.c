/* SPDX-License-Identifier: BSD-2-Clause */
/* Iteration counts with the preconditioners: those of PETSc for a model problem, and solves of real
 * matrices, which are skipped if the folder of matrices is missing. */
#include "support/problem.h"

enum { SIDE = 80 };

/* PETSc tests ||C^-1 r|| <= rtol ||C^-1 b|| by default. */
TEST(the_5_point_problem_takes_as_many_iterations_as_in_petsc)
{
  const struct {
    const char *spec, *method;
    int ranks, iterations;
  } counts[] = {{"jacobi", "cg", 2, 169},
                {"ic", "cg", 2, 101},
                {"ic", "split-cg", 2, 101},
                {"ic", "overlap", 2, 101},
                {"ic:store=float", "cg", 2, 101},
                {"ilu", "cg", 2, 101},
                {"bjacobi:sub=ic", "cg", 2, 101},
                {"bjacobi:blocks=2,sub=ic", "cg", 1, 101}, /* as two ranks have them */
                {"ssor", "cg", 1, 92}, /* -pc_type sor -pc_sor_local_symmetric */
                {"ssor", "cg", 2, 119},
                {"ssor:omega=1.5", "cg", 1, 57},
                {"ssor:omega=1.5", "cg", 2, 82}};
  ovk_mat *A = new_laplace5(SIDE);
  scoped_system s = new_system(A, NULL);
  assert_ok(ovk_vec_fill(s.x, 1));
  assert_ok(ovk_mat_mult(A, s.x, s.b));
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    if (test_size != counts[k].ranks) continue;
    ovk_solver_opts opts =
        solver_opts(.method = counts[k].method, .norm = OVK_NORM_PRECONDITIONED, .rtol = 1e-10);
    s.M = new_precond(A, counts[k].spec);
    const ovk_result res = solve_system(&s, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_in_range(res.iterations, counts[k].iterations - 1, counts[k].iterations + 1);
    ovk_precond_destroy(&s.M);
  }
}

/* split-cg takes products of the split operator from ssor, cg those of A. */
TEST(products_of_the_split_operator_leave_counts_as_they_are)
{
  static const char *const specs[] = {"ssor", "ssor:omega=1.5", "ssor:store=float"};
  static const char *const methods[] = {"cg", "split-cg"};
  const ovk_norm norms[] = {OVK_NORM_UNPRECONDITIONED, OVK_NORM_NATURAL};
  ovk_mat *A = new_laplace5(SIDE);
  scoped_system s = new_system(A, NULL);
  for (int k = 0; k < 6; k++) {
    ovk_solver_opts opts = OVK_SOLVER_OPTS;
    int iterations[2];
    s.M = new_precond(A, specs[k / 2]);
    opts.norm = norms[k % 2];
    opts.rtol = 1e-10;
    for (int m = 0; m < 2; m++) {
      opts.method = methods[m];
      const ovk_result res = solve_system(&s, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(res.restarts, 0);
      assert_true(res.true_relative_residual <= 1e-9); /* in the Euclidean norm */
      iterations[m] = res.iterations;
    }
    assert_in_range(iterations[1], iterations[0] - 1, iterations[0] + 1);
    ovk_precond_destroy(&s.M);
  }
}

/* b = A x for an x of random numbers, so that a singular A has a solution, too. */
static void fill_rhs(const ovk_mat *A, ovk_vec *x, ovk_vec *b)
{
  fill_random(x, 13);
  assert_ok(ovk_mat_mult(A, x, b));
  assert_ok(ovk_vec_fill(x, 0));
}

TEST(real_matrices_are_solved)
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
    snprintf(path, sizeof path, "spd/%s.mtx", files[k]);
    scoped_mat *A = new_mat_of_file(matrix_path(path), NULL);
    scoped_vec *b = new_vec(A), *x = new_vec(A);
    for (int s = 0; s < SPECS; s++) {
      ovk_solver_opts opts = with_method("cg");
      ovk_result res = OVK_RESULT;
      fill_rhs(A, x, b);
      scoped_precond *M = new_precond(A, specs[s]);
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
    }
  }
}
