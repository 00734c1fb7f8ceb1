/* SPDX-License-Identifier: BSD-2-Clause */
/* The deep method when A or M fails while several sums are in flight, or already when a solver is
 * created. */
#include "support/problem.h"

enum { EACH = 100, CALLS = 50 }; /* rows on each rank; calls in which something goes wrong */

/* A = diag(1, 2, ..., n), or M = 1: both misbehave on rank 0 in calls `from` to `until`: they
 * return `bad`, or fail if that is 0. */
typedef struct troubled {
  ovk_gidx first;
  int calls, from, until;
  double bad;
  bool is_A;
} troubled;

static troubled the_A, the_C;

static ovk_err troubled_apply(void *user, const double *x, double *y, ovk_poll poll)
{
  troubled *o = user;
  o->calls++;
  const bool wrong = test_rank == 0 && o->calls >= o->from && o->calls <= o->until;
  if (wrong && o->bad == 0) return OVK_ERR_USER;
  for (int i = 0; i < EACH; i++) y[i] = o->is_A ? (double)(o->first + i + 1) * x[i] : x[i];
  if (wrong) y[EACH / 2] = o->bad;
  return OVK_OK;
}

static ovk_err set_up_C(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  *state = user;
  return OVK_OK;
}

static const ovk_precond_ops odd_ops = {.name = "odd", .setup = set_up_C, .apply = troubled_apply};

static linear_system make_system(void)
{
  the_A = (troubled){.first = (ovk_gidx)EACH * test_rank, .is_A = true};
  the_C = (troubled){0};
  return new_system(new_shell(EACH, &the_A, .mult = troubled_apply), "odd");
}

static ovk_solver *create_solver(const linear_system *s, int l)
{
  char text[16];
  snprintf(text, sizeof text, "pipelcg:l=%d", l);
  ovk_solver_opts opts = with_method(text);
  return new_solver(s->A, s->M, &opts);
}

/* ||b - A x|| / ||b||, computed without the library. */
static double residual(const linear_system *s)
{
  double rr = 0;
  for (int i = 0; i < EACH; i++) {
    const double r = 1 - (double)(the_A.first + i + 1) * ovk_vec_array(s->x)[i];
    rr += r * r;
  }
  MPI_Allreduce(MPI_IN_PLACE, &rr, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(rr / (EACH * test_size));
}

/* Misbehaves in the k-th call of the solve and `more` calls after it; checks the properties that
 * hold in any case. */
static ovk_result solve_wrong(ovk_solver *solver, const linear_system *s, troubled *o, int k,
                              int more)
{
  const double bad[] = {NAN, INFINITY, -INFINITY};
  o->from = o->calls + k;
  o->until = o->from + more;
  o->bad = bad[k % 3];
  const ovk_result res = solve_from_zero(solver, s->b, s->x);
  o->from = o->until = 0;
  const double norm = residual(s);
  assert_true(isfinite(norm)); /* x was not affected */
  assert_true(res.reason > 0 ? norm <= 1.02e-8 : res.reason == OVK_REASON_NAN);
  return res;
}

TEST(not_a_number_that_stays_is_traced_to_its_origin)
{
  scoped_system s = make_system();
  for (int l = 1; l <= 5; l++) {
    scoped_solver *solver = create_solver(&s, l);
    for (int k = 1; k < CALLS; k++) {
      ovk_result res = solve_wrong(solver, &s, &the_A, k, 1 << 20);
      assert_end(res, OVK_REASON_NAN, "entries of the product ");
      assert_true(res.iterations <= k);
      res = solve_wrong(solver, &s, &the_C, k, 1 << 20);
      assert_end(res, OVK_REASON_NAN, "the preconditioner's output");
      assert_true(res.iterations <= k);
      assert_true(fabs(residual(&s) - res.relative_residual) <= 1e-8);
    }
  }
}

TEST(after_a_single_one_x_is_good_or_the_solve_says_that_it_is_not)
{
  scoped_system s = make_system();
  for (int l = 1; l <= 5; l++) {
    scoped_solver *solver = create_solver(&s, l);
    for (int k = 1; k < CALLS; k++) {
      (void)solve_wrong(solver, &s, &the_A, k, 0);
      (void)solve_wrong(solver, &s, &the_C, k, 0);
    }
  }
}

TEST(a_failure_in_flight_is_an_error_on_all_ranks_and_the_solver_lives_on)
{
  scoped_system s = make_system();
  for (int l = 1; l <= 5; l++) {
    scoped_solver *solver = create_solver(&s, l);
    for (int k = 1; k < CALLS; k += 3) {
      troubled *o = k % 2 ? &the_A : &the_C;
      ovk_result res = OVK_RESULT;
      *o = (troubled){.first = o->first, .is_A = o->is_A, .from = k, .until = 1 << 20};
      assert_ok(ovk_vec_fill(s.x, 0));
      assert_int_equal(ovk_solver_solve(solver, s.b, s.x, &res), OVK_ERR_USER);
      o->until = 0;
      res = solve_from_zero(solver, s.b, s.x);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    }
  }
}

/* Creating a solver estimates the end of the spectrum. A failure there is reported by the solve. */
TEST(a_solver_can_be_made_whatever_A_and_C_do)
{
  const double bad[] = {0, NAN, INFINITY};
  scoped_system s = make_system();
  for (int k = 1; k < 30; k++) {
    troubled *o = k % 2 ? &the_A : &the_C;
    ovk_result res = OVK_RESULT;
    *o = (troubled){.first = o->first, .is_A = o->is_A, .from = (k + 1) / 2, .until = 1 << 20};
    o->bad = bad[k % 3];
    scoped_solver *solver = create_solver(&s, 1 + k % 5);
    o->from = 1;
    assert_ok(ovk_vec_fill(s.x, 0));
    const ovk_err err = ovk_solver_solve(solver, s.b, s.x, &res);
    if (o->bad == 0) {
      assert_int_equal(err, OVK_ERR_USER);
    } else {
      assert_ok(err);
      assert_int_equal(res.reason, OVK_REASON_NAN);
    }
    o->until = 0;
    res = solve_from_zero(solver, s.b, s.x);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  }
}

/* In seven iterations r is reduced to the rounding errors of x0, far above the tolerance; further
 * iterations would amplify noise. */
TEST(a_start_far_from_a_small_solution_does_not_diverge)
{
  enum { N = 7, SEEDS = 10 };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    scoped_array double *dense = random_spd(N, 3, seed);
    scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
    scoped_vec *b = new_filled(A, 0x1p-24), *x = new_vec(A);
    for (int l = 1; l <= 5; l++) {
      char method[16];
      ovk_solver_opts opts = OVK_SOLVER_OPTS;
      ovk_result res = OVK_RESULT;
      snprintf(method, sizeof method, "pipelcg:l=%d", l);
      opts.method = method;
      opts.rtol = 1e-12;
      for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
        ovk_vec_array(x)[i] = random_number(seed + 99, (uint64_t)(ovk_vec_first(x) + i));
      }
      assert_ok(ovk_pcg_solve(A, NULL, b, x, &opts, &res));
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    }
  }
}

static int register_plugins(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &odd_ops, &the_C);
}

TEST_GROUP(register_plugins, NULL)
