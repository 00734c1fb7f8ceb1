/* SPDX-License-Identifier: BSD-2-Clause */
/* Real matrices: known iteration counts, recovery of the solution, and the iteration counts of
 * hypre and PETSc for the 27-point problem. Skipped without the folder of matrices. */
#include "support/methods.h"
#include "support/problem.h"

/* Iterations of Jacobi-PCG to 1e-8 for b = A ones, from SciPy; the permitted difference; and the
 * condition number. */
static const struct {
  const char *file;
  int iterations;
  double tolerance, condition;
} known[] = {
    {"spd/494_bus.mtx", 393, 0.02, 2.4e6},  {"spd/1138_bus.mtx", 935, 0.02, 8.6e6},
    {"spd/nos5.mtx", 216, 0.02, 1.1e4},     {"spd/bcsstk13.mtx", 1364, 0.10, 1.1e10},
    {"spd/bcsstk16.mtx", 197, 0.10, 4.9e9}, {"spd/mhd4800b.mtx", 28, 0.10, 8.2e13},
    {"spd/gr_30_30.mtx", 41, 0.02, 1.9e2},  {"spd/bar.mtx", 87, 0.02, 3.4e4},
    {"spd/ani4.mtx", 340, 0.02, 1.8e3},     {"spd/Trefethen_2000.mtx", 8, 0.02, 1.6e4},
};

TEST(counts_are_those_known_and_ones_are_recovered)
{
  if (!matrix_path("")) skip();
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    ovk_mat *A = new_mat_of_file(matrix_path(known[k].file), NULL);
    scoped_system s = new_system(A, "jacobi");
    scoped_vec *ones = new_filled(A, 1);
    assert_ok(ovk_mat_mult(A, ones, s.b));
    ovk_choice method = OVK_CHOICE;
    for (int m = 0; list_cg_methods(test_ctx(), m, &method); m++) {
      ovk_solver_opts opts = OVK_SOLVER_OPTS;
      ovk_result res = OVK_RESULT;
      double error = 1, size = 1;
      opts.method = method.name;
      opts.backend = m % 2 ? "iallreduce" : "blocking";
      assert_ok(ovk_vec_fill(s.x, 0));
      assert_ok(ovk_pcg_solve(A, s.M, s.b, s.x, &opts, &res));
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01e-8);
      assert_true(abs(res.iterations - known[k].iterations) <=
                  ceil(known[k].tolerance * known[k].iterations));
      assert_ok(ovk_vec_axpy(-1, ones, s.x));
      assert_ok(ovk_vec_norm(s.x, &error));
      assert_ok(ovk_vec_norm(ones, &size));
      assert_true(error <= 1.01e-8 * known[k].condition * size);
    }
  }
}

TEST(a_consistent_singular_system_converges)
{
  if (!matrix_path("")) skip();
  ovk_mat *A = new_mat_of_file(matrix_path("spd/crack_lap.mtx"), NULL);
  scoped_system s = new_system(A, "jacobi");
  scoped_vec *wave = new_vec(A);
  fill_random(wave, 13);
  assert_ok(ovk_mat_mult(A, wave, s.b)); /* in the range of A */
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_CHOICE(list_cg_methods, method) {
    opts.method = method.name;
    const ovk_result res = solve_system(&s, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_in_range(res.iterations, 200, 450);
  }
}

TEST(the_27_point_problem_takes_as_many_iterations_as_in_hypre_and_petsc)
{
  const struct {
    int n, iterations[2]; /* on 1 rank, and on 2 ranks with grid 1 x 1 x 2 */
  } counts[] = {{40, {58, 92}}, {60, {87, 138}}};
  if (test_size > 2) skip();
  for (int k = 0; k < 2; k++) {
    const int n = counts[k].n;
    scoped_system s = new_system(new_laplace27(n, n, n), "jacobi");
    FOR_EACH_CHOICE(list_cg_methods, method) {
      ovk_solver_opts opts = with_method(method.name);
      const ovk_result res = solve_system(&s, &opts);
      assert_in_range(res.iterations, counts[k].iterations[test_size - 1] - 1,
                      counts[k].iterations[test_size - 1] + 1);
      assert_true(res.true_relative_residual < 1.01e-8);
    }
  }
}
