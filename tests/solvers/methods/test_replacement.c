/* SPDX-License-Identifier: BSD-2-Clause */
/* When residuals are replaced and methods changed, that it helps, and that scaling does not
 * matter. */
#include "solvers/ops/residual_gap.h"
#include "support/methods.h"
#include "support/problem.h"

enum { N = 40 };

/* Solves with A and b scaled; the unscaled solve must come first. */
static ovk_result solve_scaled(const char *method, double condition, double scale_A, double scale_b)
{
  scoped_dense_system S = new_dense_system(random_spd(N, condition, 4), N, 9, scale_A, scale_b);
  ovk_solver_opts opts = with_method(method);
  const ovk_result res = solve_dense_system(&S, S.M, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  return res;
}

/* About 1e100 and 1e50, as powers of two, which cause no rounding. */
TEST(scaling_changes_neither_iterations_nor_replacements)
{
  const double scales[][2] = {{1, 0x1p332}, {1, 0x1p-332}, {0x1p166, 1}, {0x1p-166, 1}};
  for (int m = 0; overlapped_methods[m]; m++) {
    for (double condition = 1e2; condition < 1e9; condition *= 1e3) {
      const ovk_result plain = solve_scaled(overlapped_methods[m], condition, 1, 1);
      for (int k = 0; k < 4; k++) {
        const ovk_result res =
            solve_scaled(overlapped_methods[m], condition, scales[k][0], scales[k][1]);
        assert_int_equal(res.iterations, plain.iterations);
        assert_int_equal(res.replacements, plain.replacements);
        assert_int_equal(res.method_changes, plain.method_changes);
        assert_true(res.relative_residual == plain.relative_residual);
      }
    }
  }
}

/* Powers of ten round every entry, which can change the outcome in close cases. */
TEST(scaling_by_powers_of_ten_changes_a_count_by_one_at_most)
{
  const double scales[][2] = {{1, 1e100}, {1, 1e-100}, {1e50, 1}, {1e-50, 1}, {1e50, 1e-100}};
  for (int m = 0; overlapped_methods[m]; m++) {
    const ovk_result plain = solve_scaled(overlapped_methods[m], 30, 1, 1);
    for (int k = 0; k < 5; k++) {
      const ovk_result res = solve_scaled(overlapped_methods[m], 30, scales[k][0], scales[k][1]);
      assert_in_range(res.iterations, plain.iterations - 1, plain.iterations + 1);
      assert_true(abs(res.replacements - plain.replacements) <= 1);
      assert_int_equal(res.method_changes, plain.method_changes);
    }
  }
}

TEST(long_solves_replace_and_short_ones_do_not)
{
  assert_true(solve_scaled("pipecg", 1e7, 1, 1).replacements > 0);
  scoped_dense_system S = new_random_system(N, 1, 4);
  ovk_solver_opts opts = with_method("pipecg");
  const ovk_result res = solve_dense_system(&S, S.M, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_int_equal(res.replacements, 0);
  assert_int_equal(res.method_changes, 0);
}

/* Products that are off by far more than they need be, and perturb r in its ninth digit. */
TEST(a_drift_is_harmless_far_below_the_tolerance)
{
  ovk__drift drift = {.step = 1e-14, .product = 1, .rounding = 1e-9, .norm_r = 1e-5};
  assert_int_equal(ovk__residual_gap_judge(&drift), OVK__REPLACE_PRODUCTS);
  drift.tolerance = 1e-9;
  assert_int_equal(ovk__residual_gap_judge(&drift), OVK__REPLACE_NONE);
  drift.tolerance = 1e-11;
  assert_int_equal(ovk__residual_gap_judge(&drift), OVK__REPLACE_PRODUCTS);
}

/* With rtol = 0 recurrences would continue indefinitely: a stable method must finish. */
TEST(a_stable_method_has_the_last_word)
{
  scoped_dense_system S = new_random_system(N, 1e6, 5);
  for (int m = 0; overlapped_methods[m]; m++) {
    ovk_solver_opts opts = with_method(overlapped_methods[m]);
    opts.rtol = 0;
    const ovk_result res = solve_dense_system(&S, S.M, &opts);
    assert_int_equal(res.reason, OVK_REASON_STAGNATED);
    assert_int_equal(res.method_changes, 1);
    assert_true(res.replacements >= 1 && res.restarts >= 2);
  }
}

/* A solver that changed its method starts the next solve with the original one. */
TEST(a_change_lasts_for_one_solve)
{
  scoped_dense_system S = new_random_system(N, 1e6, 5);
  for (int m = 0; overlapped_methods[m]; m++) {
    ovk_solver_opts opts = with_method(overlapped_methods[m]);
    opts.rtol = 0;
    scoped_solver *solver = new_solver(S.A, S.M, &opts);
    ovk_result res[2];
    for (int k = 0; k < 2; k++) {
      res[k] = solve_from_zero(solver, S.b, S.x);
      assert_int_equal(res[k].method_changes, 1);
    }
    assert_int_equal(res[0].iterations, res[1].iterations);
    assert_int_equal(res[0].replacements, res[1].replacements);
  }
}

/* b = A ones, or random. */
static ovk_result solve_file(const char *file, bool random_b, const char *method)
{
  ovk_mat *A = new_mat_of_file(matrix_path(file), NULL);
  scoped_system s = new_system(A, "jacobi");
  assert_ok(ovk_vec_fill(s.x, 1));
  assert_ok(ovk_mat_mult(A, s.x, s.b));
  if (random_b) {
    fill_random(s.b, 3);
  }
  ovk_solver_opts opts = with_method(method);
  const ovk_result res = solve_system(&s, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(res.true_relative_residual <= 1.01e-8);
  return res;
}

TEST(real_matrices_take_hardly_more_iterations_than_by_classic_cg)
{
  static const struct {
    const char *file;
    bool random_b;
    double at_most; /* times classic CG's iterations */
  } systems[] = {
      {"nos5", false, 1.1},
      {"gr_30_30", false, 1.1},
      {"bar", false, 1.1},
      {"Trefethen_2000", false, 1.1},
      {"mhd4800b", false, 1.1},
      {"ani4", false, 1.1},
      {"494_bus", false, 1.1},
      {"1138_bus", false, 1.1},
      {"1138_bus", true, 1.1},
      {"bcsstk16", false, 1.1},
      {"bcsstk13", false, 1.1},
      {"bcsstk13", true, 1.2}, /* any error in a recurrence matters */
      {"luxembourg_lap_s1e-3", true, 1.1},
  };
  if (!matrix_path("")) skip();
  const int quick = 5, all = sizeof systems / sizeof *systems;
  for (int k = 0; k < (test_size > 2 ? quick : all); k++) {
    char file[64];
    snprintf(file, sizeof file, "spd/%s.mtx", systems[k].file);
    const int classic = solve_file(file, systems[k].random_b, "cg").iterations;
    for (int m = 0; overlapped_methods[m]; m++) {
      const ovk_result res = solve_file(file, systems[k].random_b, overlapped_methods[m]);
      assert_true(res.iterations <= ceil(systems[k].at_most * classic));
      if (systems[k].at_most < 1.2) assert_int_equal(res.method_changes, 0);
    }
  }
}
