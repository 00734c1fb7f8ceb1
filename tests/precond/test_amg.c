/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "amg": the same levels on any number of ranks, a symmetric positive operator,
 * iterations, and matrices that it cannot take. */
#include "diffusion.h"
#include "precond_case.h"
#include "support/problem.h"
#include "support/random.h"
#include "support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void levels_do_not_depend_on_the_number_of_ranks(void **state)
{
  coefficient_fn *const kinds[] = {constant, stretched, jumping};
  ovk_ctx *alone;
  assert_ok(ovk_ctx_create(MPI_COMM_SELF, &alone));
  for (int k = 0; k < 3; k++) {
    ovk_mat *A = new_diffusion(test_ctx(), 14, kinds[k]), *B = new_diffusion(alone, 14, kinds[k]);
    ovk_precond *M = new_precond(A, "amg:coarse=50"), *C = new_precond(B, "amg:coarse=50");
    assert_non_null(strstr(ovk_precond_info(M), ", hierarchy "));
    assert_string_equal(ovk_precond_info(M), ovk_precond_info(C));
    ovk_precond_destroy(&M);
    ovk_precond_destroy(&C);
    ovk_mat_destroy(&A);
    ovk_mat_destroy(&B);
  }
  ovk_ctx_destroy(&alone);
}

static void it_is_symmetric_and_positive(void **state)
{
  const char *const specs[] = {"amg",
                               "amg:cycle=w,coarse=20",
                               "amg:degree=3,omega=0,coarse=20",
                               "amg:levels=1",
                               "amg:coarse=4096",
                               "amg:store=double,coarse=20",
                               "amg:gather=0,coarse=20"};
  for (int k = 0; k < 7; k++) {
    ovk_mat *A = new_diffusion(test_ctx(), 10, jumping);
    ovk_precond *M = new_precond(A, specs[k]);
    ovk_vec *r = new_vec(A), *s = new_vec(A), *z = new_vec(A), *w = new_vec(A);
    double rz, sz, rw;
    fill_random(r, 3);
    fill_random(s, 5);
    assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
    assert_ok(ovk_precond_apply(M, s, w, ovk_poll_none()));
    assert_ok(ovk_vec_dot(r, z, &rz));
    assert_ok(ovk_vec_dot(s, z, &sz));
    assert_ok(ovk_vec_dot(r, w, &rw));
    assert_true(rz > 0);
    assert_true(fabs(sz - rw) < 1e-12 * rz);
    ovk_vec_destroy(&r);
    ovk_vec_destroy(&s);
    ovk_vec_destroy(&z);
    ovk_vec_destroy(&w);
    ovk_precond_destroy(&M);
    ovk_mat_destroy(&A);
  }
}

static void a_small_matrix_is_inverted(void **state)
{
  precond_case P = case_make(random_spd(20, 100, 4), 20, "amg");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  assert_ok(ovk_mat_mult(P.A, P.z, P.t));
  for (int i = 0; i < P.local; i++) {
    assert_close(ovk_vec_array(P.t)[i], ovk_vec_array(P.r)[i], 1e-9);
  }
  case_check_polls(&P, 1, false);
  case_clear(&P);
}

static void iterations_hardly_grow_with_size_and_contrast(void **state)
{
  const struct {
    coefficient_fn *kind;
    int least, most; /* of 24^3 rows */
  } cases[] = {{constant, 7, 10}, {stretched, 7, 11}, {jumping, 9, 14}};
  for (int k = 0; k < 3; k++) {
    const int small = count_iterations(new_diffusion(test_ctx(), 12, cases[k].kind), "amg", "cg");
    const int large = count_iterations(new_diffusion(test_ctx(), 24, cases[k].kind), "amg", "cg");
    assert_in_range(large, cases[k].least, cases[k].most);
    assert_true(large <= small + 4);
  }
}

static void overlapped_methods_take_it(void **state)
{
  const int plain = count_iterations(new_diffusion(test_ctx(), 16, jumping), "amg", "cg");
  const char *const methods[] = {"single-reduction", "groppcg", "pipecg", "pipefcg", "minres"};
  for (int k = 0; k < 5; k++) {
    const int n = count_iterations(new_diffusion(test_ctx(), 16, jumping), "amg", methods[k]);
    assert_true(n <= plain + 3);
  }
}

static void methods_with_factors_name_another(void **state)
{
  const char *const methods[] = {"split-cg", "overlap"};
  ovk_mat *A = new_diffusion(test_ctx(), 6, constant);
  ovk_precond *M = new_precond(A, "gamg");
  for (int k = 0; k < 2; k++) {
    ovk_solver_opts opts = with_method(methods[k]);
    ovk_solver *solver = NULL;
    assert_error(ovk_solver_create(A, M, &opts, &solver), OVK_ERR_UNSUPPORTED,
                 "'amg' has none; 'groppcg' takes any preconditioner");
  }
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
}

static double doubled(int direction, const int at[3])
{
  return 2 * jumping(direction, at);
}

static double slowly_varying(int direction, const int at[3])
{
  return jumping(direction, at) * (1 + 0.1 * sin(at[0] + 2 * at[1]));
}

/* Values times 2 keep all prolongators; with update=all, any values have the levels of a new
 * setup. */
static void an_update_has_the_levels_of_a_new_setup(void **state)
{
  const struct {
    const char *spec;
    coefficient_fn *values;
  } cases[] = {{"amg:coarse=50", doubled},
               {"amg:coarse=50,update=all", doubled},
               {"amg:coarse=50,update=all", constant}};
  for (int k = 0; k < 3; k++) {
    ovk_mat *A = new_diffusion(test_ctx(), 12, jumping);
    ovk_precond *M = new_precond(A, cases[k].spec), *C;
    assert_ok(ovk_mat_reset_values(A));
    fill_diffusion(A, 12, cases[k].values);
    assert_ok(ovk_precond_update(M));
    C = new_precond(A, cases[k].spec);
    assert_string_equal(ovk_precond_info(M), ovk_precond_info(C));
    ovk_precond_destroy(&C);
    ovk_precond_destroy(&M);
    ovk_mat_destroy(&A);
  }
}

static void an_update_keeps_the_iterations_where_values_vary_slowly(void **state)
{
  ovk_mat *A = new_diffusion(test_ctx(), 16, jumping);
  linear_system s = new_system(A, "amg:coarse=50");
  ovk_solver_opts opts = with_method("cg");
  const ovk_result before = solve_system(&s, &opts);
  assert_ok(ovk_mat_reset_values(A));
  fill_diffusion(A, 16, slowly_varying);
  assert_ok(ovk_precond_update(s.M));
  assert_ok(ovk_vec_fill(s.x, 0));
  const ovk_result after = solve_system(&s, &opts);
  assert_int_equal(after.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(after.iterations <= before.iterations + 2);
  clear_system(&s);
}

/* (-1, 2, -1) of n rows on the last rank, with `corner` in the first and the last entry of the
 * diagonal. */
static ovk_mat *new_line(int n, double corner)
{
  ovk_mat *A = new_mat(is_last() ? n : 0);
  for (int i = 0; i < n && is_last(); i++) {
    assert_ok(ovk_mat_add(A, i, i, i == 0 || i == n - 1 ? corner : 2));
    if (i) assert_ok(ovk_mat_add(A, i, i - 1, -1));
    if (i < n - 1) assert_ok(ovk_mat_add(A, i, i + 1, -1));
  }
  assert_ok(ovk_mat_assemble(A));
  return A;
}

static void tiny_matrices_work_on_any_number_of_ranks(void **state)
{
  for (int n = 0; n <= 3; n++) {
    ovk_mat *A = new_line(n, 2);
    ovk_precond *M = new_precond(A, "amg");
    ovk_vec *r = new_vec(A), *z = new_vec(A), *t = new_vec(A);
    fill_random(r, 1);
    assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
    assert_ok(ovk_mat_mult(A, z, t));
    for (ovk_lidx i = 0; i < ovk_vec_local_size(r); i++) {
      assert_close(ovk_vec_array(t)[i], ovk_vec_array(r)[i], 1e-12);
    }
    ovk_vec_destroy(&r);
    ovk_vec_destroy(&z);
    ovk_vec_destroy(&t);
    ovk_precond_destroy(&M);
    ovk_mat_destroy(&A);
  }
}

/* Neumann boundaries: the constant vector is in the null space of all levels. */
static void a_singular_matrix_is_solved(void **state)
{
  ovk_mat *A = new_line(3000, 1);
  ovk_precond *M = new_precond(A, "amg");
  ovk_vec *b = new_vec(A), *x = new_vec(A);
  ovk_solver_opts opts = with_method("cg");
  ovk_result res = OVK_RESULT;
  assert_non_null(strstr(ovk_precond_info(M), ", singular: 1"));
  fill_random(b, 7);
  opts.null_constant = true;
  assert_ok(ovk_pcg_solve(A, M, b, x, &opts, &res));
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_in_range(res.iterations, 3, 30);
  ovk_vec_destroy(&b);
  ovk_vec_destroy(&x);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
}

/* Rows without couplings are in no aggregate; the smoother solves them. */
static void uncoupled_rows_are_solved(void **state)
{
  enum { N = 1500 };
  ovk_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) assert_ok(ovk_mat_add(A, i, i, 1 + i));
  assert_ok(ovk_mat_assemble(A));
  assert_in_range(count_iterations(A, "amg", "cg"), 1, 10);
}

static void keep_notice(void *arg, const char *message)
{
  snprintf(arg, 300, "%s", message);
}

/* Sets random vectors to be represented, which make coarse levels large. */
static void set_many_modes(ovk_mat *A)
{
  enum { MODES = 4 };
  ovk_vec *v[MODES];
  for (int k = 0; k < MODES; k++) {
    v[k] = new_vec(A);
    fill_random(v[k], (uint64_t)k);
  }
  assert_ok(ovk_mat_set_near_nullspace(A, MODES, v));
  for (int k = 0; k < MODES; k++) ovk_vec_destroy(&v[k]);
}

static void large_levels_are_a_warning(void **state)
{
  for (int large = 0; large <= 1; large++) {
    char notice[300] = "";
    ovk_ctx *ctx = new_ctx();
    ovk_ctx_on_notice(ctx, keep_notice, notice);
    ovk_mat *A = new_diffusion(ctx, 12, jumping);
    if (large) set_many_modes(A);
    ovk_precond *M = new_precond(A, "amg:coarse=50");
    if (large) {
      assert_non_null(strstr(notice, "times the entries of A"));
    } else {
      assert_string_equal(notice, "");
    }
    ovk_precond_destroy(&M);
    ovk_mat_destroy(&A);
    ovk_ctx_destroy(&ctx);
  }
}

static void its_view_has_the_levels(void **state)
{
  ovk_mat *A = new_diffusion(test_ctx(), 12, constant);
  ovk_precond *M = new_precond(A, "amg:coarse=50");
  FILE *file = tmpfile();
  char line[200];
  long long rows[4] = {0};
  int ranks[4] = {0}, lines = 0, level;
  assert_non_null(file);
  ovk_precond_view(NULL, file);
  ovk_precond_view(M, NULL);
  ovk_precond_view(M, file);
  rewind(file);
  for (; fgets(line, sizeof line, file); lines++) {
    if (lines == 0) assert_non_null(strstr(line, "entries/row"));
    if (lines == 0) continue;
    assert_int_equal(sscanf(line, "%d %lld %d", &level, &rows[lines - 1], &ranks[lines - 1]), 3);
    assert_int_equal(level, lines - 1);
  }
  assert_int_equal(lines, 4);
  assert_int_equal(rows[0], 12 * 12 * 12);
  assert_in_range(rows[2], 1, 50);
  assert_int_equal(ranks[0], test_size);
  assert_int_equal(ranks[2], 1);
  fclose(file);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
}

static void unfit_matrices_are_refused(void **state)
{
  const struct {
    double corner;
    const char *says;
  } cases[] = {{-1, "row 0 of level 0 has -1"}, {0, "row 0 of level 0 has 0"}};
  ovk_precond *M = NULL;
  for (int k = 0; k < 2; k++) {
    ovk_mat *A = new_line(600, cases[k].corner);
    assert_error(ovk_precond_create(A, "amg", &M), OVK_ERR_INDEFINITE, cases[k].says);
    assert_null(M);
    ovk_mat_destroy(&A);
  }
  ovk_mat *A = new_line(40, -1);
  assert_error(ovk_precond_create(A, "amg", &M), OVK_ERR_INDEFINITE, "not positive definite");
  assert_error(ovk_precond_create(A, "amg:theta=2", &M), OVK_ERR_ARG,
               "but must be a number from 0 to 1");
  assert_error(ovk_precond_create(A, "amg:cycle=k", &M), OVK_ERR_UNKNOWN, "it takes: v, w");
  ovk_mat_destroy(&A);
}

static void a_nonsymmetric_matrix_is_refused(void **state)
{
  const int n[3] = {6, 6, 6}, grid[3] = {1, 1, test_size};
  ovk_mat *A;
  ovk_precond *M = NULL;
  assert_ok(ovk_gallery_convdiff7(test_ctx(), n, grid, 1, false, NULL, &A));
  assert_error(ovk_precond_create(A, "amg", &M), OVK_ERR_ARG, "amg needs a symmetric matrix");
  ovk_mat_destroy(&A);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_do_not_depend_on_the_number_of_ranks),
      cmocka_unit_test(it_is_symmetric_and_positive),
      cmocka_unit_test(a_small_matrix_is_inverted),
      cmocka_unit_test(iterations_hardly_grow_with_size_and_contrast),
      cmocka_unit_test(overlapped_methods_take_it),
      cmocka_unit_test(methods_with_factors_name_another),
      cmocka_unit_test(an_update_has_the_levels_of_a_new_setup),
      cmocka_unit_test(an_update_keeps_the_iterations_where_values_vary_slowly),
      cmocka_unit_test(tiny_matrices_work_on_any_number_of_ranks),
      cmocka_unit_test(a_singular_matrix_is_solved),
      cmocka_unit_test(uncoupled_rows_are_solved),
      cmocka_unit_test(large_levels_are_a_warning),
      cmocka_unit_test(its_view_has_the_levels),
      cmocka_unit_test(unfit_matrices_are_refused),
      cmocka_unit_test(a_nonsymmetric_matrix_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
