/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "amg": the same levels on any number of ranks, a symmetric positive operator,
 * iterations. */
#include "precond/diffusion.h"
#include "precond/precond_case.h"
#include "support/problem.h"

TEST(levels_do_not_depend_on_the_number_of_ranks)
{
  coefficient_fn *const kinds[] = {constant, stretched, jumping};
  scoped_ctx *alone = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_SELF, &alone));
  for (int k = 0; k < 3; k++) {
    scoped_mat *A = new_diffusion(test_ctx(), 14, kinds[k]),
               *B = new_diffusion(alone, 14, kinds[k]);
    scoped_precond *M = new_precond(A, "amg:coarse=50"), *C = new_precond(B, "amg:coarse=50");
    assert_non_null(strstr(ovk_precond_info(M), ", hierarchy "));
    assert_string_equal(ovk_precond_info(M), ovk_precond_info(C));
  }
}

TEST(it_is_symmetric_and_positive)
{
  const char *const specs[] = {"amg",
                               "amg:cycle=w,coarse=20",
                               "amg:coarse=5",
                               "amg:cycle=v,coarse=20",
                               "amg:degree=3,omega=0,coarse=20",
                               "amg:levels=1",
                               "amg:coarse=4096",
                               "amg:store=double,coarse=20",
                               "amg:gather=0,coarse=20"};
  for (int k = 0; k < 9; k++) {
    const bool inverts_all = k == 5 || k == 6; /* in the third power of the rows */
    scoped_mat *A = new_diffusion(test_ctx(), inverts_all ? 7 : 10, jumping);
    scoped_precond *M = new_precond(A, specs[k]);
    scoped_vec *r = new_vec(A), *s = new_vec(A), *z = new_vec(A), *w = new_vec(A);
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
  }
}

TEST(a_small_matrix_is_inverted)
{
  scoped_precond_case P = case_make(random_spd(20, 100, 4), 20, "amg");
  case_check_inverse(&P, 1e-9);
  case_check_polls(&P, 1, false);
}

TEST(iterations_hardly_grow_with_size_and_contrast)
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

/* A bound below the largest eigenvalue makes polynomials of a high degree indefinite. */
TEST(iterations_with_jumps_are_fewer_with_a_higher_degree)
{
  const int n = 24;
  const int two = count_iterations(new_diffusion(test_ctx(), n, jumping), "amg", "cg");
  const int four = count_iterations(new_diffusion(test_ctx(), n, jumping), "amg:degree=4", "cg");
  const int eight = count_iterations(new_diffusion(test_ctx(), n, jumping), "amg:degree=8", "cg");
  assert_true(four < two && eight < four);
}

/* Whether two specs are the same operator for A, which it destroys, by a random vector. */
static bool are_equal(ovk_mat *matrix, const char *spec, const char *other)
{
  scoped_mat *A = matrix;
  scoped_precond *M = new_precond(A, spec), *C = new_precond(A, other);
  scoped_vec *r = new_vec(A), *z = new_vec(A), *w = new_vec(A);
  double difference;
  fill_random(r, 3);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
  assert_ok(ovk_precond_apply(C, r, w, ovk_poll_none()));
  assert_ok(ovk_vec_axpy(-1, z, w));
  assert_ok(ovk_vec_norm(w, &difference));
  return difference == 0;
}

/* 7 points: the second level has more than 5 % of the entries. */
TEST(a_mixed_cycle_visits_the_third_level_twice_unless_it_is_the_last)
{
  ovk_mat *A[3];
  for (int k = 0; k < 3; k++) A[k] = new_diffusion(test_ctx(), 24, constant);
  assert_false(are_equal(A[0], "amg:coarse=5", "amg:coarse=5,cycle=v"));
  assert_false(are_equal(A[1], "amg:coarse=5", "amg:coarse=5,cycle=w"));
  assert_true(are_equal(A[2], "amg:coarse=5,levels=3", "amg:coarse=5,levels=3,cycle=v"));
}

/* 27 points: it has less. */
TEST(a_mixed_cycle_visits_a_small_second_level_twice_unless_it_is_the_last)
{
  assert_false(are_equal(new_laplace27(13, 13, 13), "amg:coarse=5,levels=3",
                         "amg:coarse=5,levels=3,cycle=v"));
  assert_true(are_equal(new_laplace27(13, 13, 13), "amg:coarse=5,levels=3",
                        "amg:coarse=5,levels=3,cycle=w"));
  assert_true(are_equal(new_laplace27(13, 13, 13), "amg:coarse=5,levels=2",
                        "amg:coarse=5,levels=2,cycle=v"));
}

/* Large problems need less: ghosts and the levels of few rows count here. */
TEST(its_memory_is_at_most_twice_that_of_the_matrix)
{
  static const double MOST[] = {2, 1}; /* with 7 and with 27 points */
  ovk_mat *matrices[2] = {new_diffusion(test_ctx(), 36, jumping), new_laplace27(20, 20, 20)};
  for (int k = 0; k < 2; k++) {
    scoped_mat *A = matrices[k];
    const double csr = 12 * (double)ovk_mat_nnz(A) + 8 * (double)ovk_mat_size(A);
    scoped_precond *M = new_precond(A, "amg:coarse=100");
    assert_true((double)ovk_precond_bytes(M) > 0.1 * csr);
    assert_true((double)ovk_precond_bytes(M) < MOST[k] * csr);
  }
}

TEST(overlapped_methods_take_it)
{
  const int plain = count_iterations(new_diffusion(test_ctx(), 12, jumping), "amg", "cg");
  const char *const methods[] = {"single-reduction", "groppcg", "pipecg", "pipefcg", "minres"};
  for (int k = 0; k < 5; k++) {
    const int n = count_iterations(new_diffusion(test_ctx(), 12, jumping), "amg", methods[k]);
    assert_true(n <= plain + 3);
  }
}

TEST(methods_with_factors_name_another)
{
  const char *const methods[] = {"split-cg", "overlap"};
  scoped_mat *A = new_diffusion(test_ctx(), 6, constant);
  scoped_precond *M = new_precond(A, "gamg");
  for (int k = 0; k < 2; k++) {
    ovk_solver_opts opts = with_method(methods[k]);
    assert_no_solver(A, M, &opts, OVK_ERR_UNSUPPORTED,
                     "'amg' has none; 'groppcg' takes any preconditioner");
  }
}

TEST(its_view_has_the_levels)
{
  scoped_mat *A = new_diffusion(test_ctx(), 12, constant);
  scoped_precond *M = new_precond(A, "amg:coarse=50");
  FILE *file = tmpfile();
  char line[200];
  long long rows[4] = {0};
  int ranks[4] = {0}, lines = 0, level;
  assert_non_null(file);
  ovk_precond_view(NULL, file);
  ovk_precond_view(M, NULL);
  ovk_precond_view(M, file);
  rewind(file);
  for (; fgets(line, sizeof line, file) && !strstr(line, " s: "); lines++) {
    if (lines == 0) assert_non_null(strstr(line, "entries/row"));
    if (lines == 0) continue;
    assert_int_equal(sscanf(line, "%d %lld %d", &level, &rows[lines - 1], &ranks[lines - 1]), 3);
    assert_int_equal(level, lines - 1);
  }
  assert_int_equal(lines, 4);
  assert_non_null(strstr(line, "setup"));
  assert_non_null(strstr(line, "aggregates"));
  assert_non_null(fgets(line, sizeof line, file));
  assert_non_null(strstr(line, "cycle"));
  assert_int_equal(rows[0], 12 * 12 * 12);
  assert_in_range(rows[2], 1, 50);
  assert_int_equal(ranks[0], test_size);
  assert_int_equal(ranks[2], 1);
  fclose(file);
}
