/* SPDX-License-Identifier: BSD-2-Clause */
/* "amg" with coarse levels on fewer ranks: the same levels and iterations, on the ranks expected.
 */
#include "precond/amg/gather.h"
#include "precond/amg/hierarchy.h"
#include "precond/diffusion.h"
#include "precond/precond_case.h"

enum { N = 18, ROWS = N * N * N };

/* With more than two ranks, the second has no rows. */
static ovk_mat *new_with_empty_rank(coefficient_fn *coefficient)
{
  const int left = test_rank - (test_rank > 1);
  ovk_mat *A;
  if (test_size <= 2) return new_diffusion(test_ctx(), N, coefficient);
  A = new_mat(test_rank == 1 ? 0 : even_share(ROWS, left, test_size - 1));
  fill_diffusion(A, N, coefficient);
  return A;
}

static ovk__amg_hierarchy hierarchy_of(const ovk_mat *A, int gather)
{
  const ovk__amg_options options = {.theta = 0.35,
                                    .block = 1,
                                    .omega = 1.4,
                                    .degree = 2,
                                    .levels = 20,
                                    .coarse = 20,
                                    .gather = gather,
                                    .cycle = OVK__AMG_V,
                                    .in_float = 1,
                                    .symmetric = true};
  ovk__amg_hierarchy H;
  assert_ok(ovk__amg_hierarchy_create(A, options, &H));
  return H;
}

static int ranks_with_rows(const ovk__amg_level *level)
{
  int ranks = level->layout.local > 0;
  MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_SUM, ovk_ctx_comm(test_ctx()));
  return ranks;
}

TEST(ranks_of_a_level_have_enough_rows_or_are_one)
{
  const int gather[] = {20, 200, 2000};
  scoped_mat *A = new_with_empty_rank(jumping);
  for (int g = 0; g < 3; g++) {
    SCOPED(ovk__amg_hierarchy_free) ovk__amg_hierarchy H = hierarchy_of(A, gather[g]);
    assert_true(H.n >= 3);
    assert_int_equal(H.level[0].stride, 1);
    for (int k = 1; k < H.n; k++) {
      const ovk__amg_level *level = &H.level[k];
      assert_int_equal(level->ranks, ranks_with_rows(level));
      assert_true(level->ranks == 1 || level->layout.global >= level->ranks * gather[g]);
      assert_true(level->stride >= H.level[k - 1].stride);
      if (test_rank % level->stride) assert_int_equal(level->layout.local, 0);
    }
    assert_int_equal(H.level[H.n - 1].ranks, 1);
  }
}

TEST(a_rank_without_rows_has_no_ghosts)
{
  scoped_mat *A = new_with_empty_rank(constant);
  SCOPED(ovk__amg_hierarchy_free) ovk__amg_hierarchy H = hierarchy_of(A, 1000000);
  for (int k = 1; k < H.n - 1; k++) {
    const ovk_mat *mat = H.level[k].smoother.A;
    assert_int_equal(mat->ghosts.count, 0);
    if (test_rank) assert_int_equal(ovk__halo_bytes(mat->halo), 0);
  }
}

TEST(without_gathering_levels_stay_on_all_ranks)
{
  scoped_mat *A = new_diffusion(test_ctx(), N, constant);
  SCOPED(ovk__amg_hierarchy_free) ovk__amg_hierarchy H = hierarchy_of(A, 0);
  for (int k = 0; k < H.n; k++) assert_int_equal(H.level[k].stride, 1);
  assert_int_equal(H.level[1].ranks, test_size);
}

static const char *const specs[] = {"amg:coarse=20,gather=0", "amg:coarse=20",
                                    "amg:coarse=20,gather=30", "amg:coarse=20,gather=1000000",
                                    "amg:coarse=20,gather=300,update=all"};
enum { SPECS = sizeof specs / sizeof *specs };

TEST(levels_and_iterations_do_not_depend_on_it)
{
  coefficient_fn *const kinds[] = {constant, jumping};
  for (int k = 0; k < 2; k++) {
    char info[300];
    int iterations = 0;
    for (int s = 0; s < SPECS; s++) {
      scoped_system system = new_system(new_with_empty_rank(kinds[k]), specs[s]);
      ovk_solver_opts opts = with_method("cg");
      const ovk_result res = solve_system(&system, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      if (s == 0) {
        snprintf(info, sizeof info, "%s", ovk_precond_info(system.M));
        iterations = res.iterations;
      }
      assert_string_equal(ovk_precond_info(system.M), info);
      assert_int_equal(res.iterations, iterations);
    }
  }
}

TEST(the_operator_does_not_depend_on_it)
{
  scoped_mat *A = new_with_empty_rank(jumping);
  scoped_vec *r = new_vec(A), *z = new_vec(A), *w = new_vec(A);
  double norm, difference;
  fill_random(r, 11);
  for (int s = 0; s < SPECS; s++) {
    ovk_precond *M = new_precond(A, specs[s]);
    assert_ok(ovk_precond_apply(M, r, s ? w : z, ovk_poll_none()));
    ovk_precond_destroy(&M);
    if (s == 0) continue;
    assert_ok(ovk_vec_norm(z, &norm));
    for (ovk_lidx i = 0; i < ovk_vec_local_size(w); i++) ovk_vec_array(w)[i] -= ovk_vec_array(z)[i];
    assert_ok(ovk_vec_norm(w, &difference));
    assert_true(difference < 1e-12 * norm);
  }
}

static double doubled(int direction, const int at[3])
{
  return 2 * jumping(direction, at);
}

TEST(an_update_has_the_levels_of_a_new_setup)
{
  for (int s = 0; s < SPECS; s++) {
    scoped_mat *A = new_with_empty_rank(jumping);
    scoped_precond *M = new_precond(A, specs[s]);
    assert_ok(ovk_mat_reset_values(A));
    fill_diffusion(A, N, doubled);
    assert_updated_as_new(M, A, specs[s]);
  }
}

TEST(points_of_several_rows_stay_together)
{
  ovk__layout spread, coarse;
  int stride = 1;
  assert_ok(ovk__layout_create(test_ctx(), 10, &spread));
  coarse = spread;
  assert_ok(ovk__amg_gather(test_ctx(), 60, 6, &coarse, &stride)); /* just enough */
  assert_int_equal(stride, 1);
  assert_true(ovk__layout_same(&coarse, &spread));
  assert_ok(ovk__amg_gather(test_ctx(), 61, 6, &coarse, &stride));
  assert_int_equal(stride, test_size == 1 ? 1 : 2);
  assert_int_equal(coarse.local, test_rank % 2 ? 0 : test_rank + 1 < test_size ? 20 : 10);
  assert_int_equal(coarse.first, test_rank % 2 ? 10 * test_rank + 10 : spread.first);
  assert_ok(ovk__amg_gather(test_ctx(), 1000000, 6, &coarse, &stride));
  assert_int_equal(coarse.local, test_rank ? 0 : 10 * test_size);
  assert_int_equal(stride, test_size);
}
