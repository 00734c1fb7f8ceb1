/* SPDX-License-Identifier: BSD-2-Clause */
/* The method that "auto" selects: for given costs, and on a slow network. */
#include "solvers/auto/select_method.h"
#include "support/problem.h"

extern const ovk__method ovk__method_overlap, ovk__method_single_reduction, ovk__method_pipecg,
    ovk__method_pipeprcg, ovk__method_pipelcg, ovk__method_groppcg;

static linear_system open_system_with(const char *precond)
{
  return new_system(new_laplace27(6, 5, 4), precond);
}

static linear_system open_system(void)
{
  return open_system_with("jacobi");
}

static ovk_solver *open_solver(const linear_system *s, const char *method, const char *backend)
{
  ovk_solver_opts opts = solver_opts(.method = method, .backend = backend);
  return new_solver(s->A, s->M, &opts);
}

/* The name of the method chosen; checks that the solver gives the reason. */
static const char *choose(ovk_solver *S, ovk__costs costs)
{
  static const ovk__method *const methods[] = {&ovk__method_auto, &ovk__method_cg,
                                               &ovk__method_overlap, &ovk__method_single_reduction,
                                               &ovk__method_pipecg};
  const ovk__method *best =
      ovk__select_method(S, methods, sizeof methods / sizeof *methods, &costs).method;
  const char *name = best->name;
  assert_non_null(strstr(ovk_solver_method_why(S), name));
  return name;
}

TEST(the_least_costs_win)
{
  scoped_system s = open_system();
  scoped_solver *S = open_solver(&s, "cg", NULL);
  const ovk__costs cheap = {.cheap_reductions = true, .product = 1, .latency = 1e-3};
  ovk__costs costs = {.product = 1, .update = 0.1, .latency = 0.02, .hidden = 1};
  assert_string_equal(choose(S, cheap), "cg");
  assert_string_equal(choose(S, costs), "cg"); /* a gain of 0.04 or 0.06 is not enough */
  costs.latency = 0.5;
  assert_string_equal(choose(S, costs), "pipecg");
  costs.hidden = 0; /* a backend that blocks in begin */
  assert_string_equal(choose(S, costs), "single-reduction");
  costs = (ovk__costs){.product = 1e-2, .precond = 5, .update = 0.1, .latency = 1, .hidden = 1};
  assert_string_equal(choose(S, costs), "pipecg");
}

/* A trial ends early by this number, before it has timed updates as a prediction needs them. */
TEST(the_updates_of_an_iteration_are_those_of_its_prediction)
{
  static const char before[] = "per iteration, ";
  scoped_system s = open_system();
  scoped_solver *S = open_solver(&s, "cg", NULL);
  const double sweeps = ovk__select_sweeps(S);
  choose(S, (ovk__costs){.update = 1e-6});
  const char *predicted = strstr(ovk_solver_method_why(S), before);
  assert_non_null(predicted);
  assert_close(strtod(predicted + strlen(before), NULL), sweeps, 1e-2);
  assert_true(sweeps > 1);
}

TEST(sums_longer_than_a_product_go_behind_more_iterations)
{
  scoped_system s = open_system();
  scoped_solver *S = open_solver(&s, "cg", NULL);
  static const ovk__method *const methods[] = {&ovk__method_pipecg, &ovk__method_pipeprcg,
                                               &ovk__method_pipelcg};
  ovk__costs costs = {.product = 1, .update = 0.01, .latency = 1.5, .hidden = 1};
  ovk__candidate best = ovk__select_method(S, methods, 3, &costs);
  assert_ptr_equal(best.method, &ovk__method_pipelcg);
  assert_int_equal(best.depth, 2);
  costs.latency = 3.9;
  best = ovk__select_method(S, methods, 3, &costs);
  assert_ptr_equal(best.method, &ovk__method_pipelcg);
  assert_int_equal(best.depth, 4);
  costs.update = 10; /* vector updates dominate */
  assert_ptr_equal(ovk__select_method(S, methods, 3, &costs).method, &ovk__method_cg);
}

/* Each half of M^-1 hides a sum of overlap if it lasts as long; the third one is exposed, as is the
 * one of single-reduction. */
TEST(a_heavy_preconditioner_hides_sums)
{
  static const ovk__method *const methods[] = {&ovk__method_overlap, &ovk__method_single_reduction};
  static const struct {
    const char *name;
    double seconds;
    const ovk__method *best;
  } preconds[] = {{"jacobi", 0, &ovk__method_single_reduction},
                  {"ic", 2, &ovk__method_single_reduction},
                  {"ic", 4, &ovk__method_overlap}};
  for (int k = 0; k < 3; k++) {
    scoped_system s = open_system_with(preconds[k].name);
    scoped_solver *S = open_solver(&s, "cg", NULL);
    const ovk__costs costs = {
        .product = 0.1, .precond = preconds[k].seconds, .update = 0.01, .latency = 2, .hidden = 1};
    assert_ptr_equal(ovk__select_method(S, methods, 2, &costs).method, preconds[k].best);
  }
}

/* The product overlaps the second reduction of Gropp, and the preconditioner the first. */
TEST(a_preconditioner_that_never_polls_hides_what_the_trial_has_measured)
{
  static const ovk__method *const methods[] = {&ovk__method_single_reduction, &ovk__method_groppcg};
  scoped_system s = open_system_with("ic");
  scoped_solver *S = open_solver(&s, "cg", NULL);
  ovk__costs costs = {.product = 3, .precond = 3, .update = 0.01, .latency = 2, .hidden = 1};
  assert_ptr_equal(ovk__select_method(S, methods, 2, &costs).method, &ovk__method_groppcg);
  costs.never_polls = true;
  costs.hidden_by_precond = 1;
  assert_ptr_equal(ovk__select_method(S, methods, 2, &costs).method, &ovk__method_groppcg);
  costs.hidden_by_precond = 0;
  assert_ptr_equal(ovk__select_method(S, methods, 2, &costs).method, &ovk__method_single_reduction);
}

/* pipelcg hides more of its reduction than pipecg, but projects by a further reduction. */
TEST(a_sum_for_the_null_space_is_counted)
{
  static const ovk__method *const methods[] = {&ovk__method_pipecg, &ovk__method_pipelcg};
  const ovk__costs costs = {.product = 1, .precond = 1, .update = 0.01, .latency = 3, .hidden = 1};
  scoped_system s = open_system_with("ic");
  scoped_solver *S = open_solver(&s, "cg", NULL);
  assert_ptr_equal(ovk__select_method(S, methods, 2, &costs).method, &ovk__method_pipelcg);
  S->null.count = 1;
  assert_ptr_equal(ovk__select_method(S, methods, 2, &costs).method, &ovk__method_pipecg);
  S->null.count = 0;
}

static size_t vector_bytes;

static ovk_err copy_vector(void *state, const double *r, double *z, ovk_poll poll)
{
  memcpy(z, r, *(const size_t *)state);
  return OVK_OK;
}

static const ovk_precond_ops no_factors = {.name = "no-factors", .apply = copy_vector};

TEST(methods_that_need_factors_are_left_out_where_there_are_none)
{
  scoped_system s = open_system();
  vector_bytes = (size_t)ovk_mat_local_size(s.A) * sizeof(double);
  assert_ok(ovk_precond_register(test_ctx(), &no_factors, &vector_bytes));
  scoped_precond *other = new_precond(s.A, "no-factors");
  scoped_solver *S = open_solver(&s, "cg", NULL);
  static const ovk__method *const methods[] = {&ovk__method_overlap};
  const ovk__costs costs = {.product = 0.01, .precond = 9, .latency = 9, .hidden = 1};
  assert_ptr_equal(ovk__select_method(S, methods, 1, &costs).method, &ovk__method_overlap);
  S->M = other;
  assert_ptr_equal(ovk__select_method(S, methods, 1, &costs).method, &ovk__method_cg);
  S->M = s.M;
}

TEST(one_sum_an_iteration_is_chosen_on_a_slow_network_by_all_ranks)
{
  scoped_system s = open_system();
  scoped_solver *S = open_solver(&s, "auto", "emulate-latency:us=20000|blocking");
  char first[64] = "";
  strncpy(first, ovk_solver_method(S), sizeof first - 1);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(ovk_solver_method(S), first);
  assert_string_not_equal(first, "auto");
  assert_non_null(strstr(ovk_solver_method_why(S), first));
  const ovk_result res = solve_from(S, s.b, s.x);
  assert_true(res.reason > 0);
  assert_int_equal(res.reductions_per_iteration, 1);
}

TEST(a_named_method_is_taken_without_a_reason)
{
  scoped_system s = open_system();
  scoped_solver *S = open_solver(&s, "overlap", NULL);
  assert_string_equal(ovk_solver_method(S), "overlap");
  assert_string_equal(ovk_solver_method_why(S), "");
}

/* A x = x, but fails on the last rank. */
static ovk_err fail_on_last(void *user, const double *x, double *y, ovk_poll poll)
{
  memcpy(y, x, *(const size_t *)user);
  return test_rank < test_size - 1
             ? OVK_OK
             : ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "no product on the last rank");
}

TEST(a_failure_in_the_trial_is_left_to_the_solve)
{
  size_t bytes = 3 * sizeof(double);
  ovk_result res = OVK_RESULT;
  ovk_mat *A = new_shell(3, &bytes, .mult = fail_on_last);
  scoped_system s = new_system(A, NULL);
  ovk_solver_opts opts = with_method("auto");
  opts.backend = "blocking"; /* for a trial also on one rank */
  scoped_solver *S = new_solver(A, NULL, &opts);
  assert_string_equal(ovk_solver_method(S), "cg");
  assert_non_null(strstr(ovk_solver_method_why(S), "the timing trial failed: "));
  assert_error(ovk_solver_solve(S, s.b, s.x, &res), OVK_ERR_USER, "no product on the last rank");
}
