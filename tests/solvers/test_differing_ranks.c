/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers on ranks that differ: the data that decide which sums are made, and when, are the same on
 * all ranks. */
#include "solvers/auto/select_method.h"
#include "support/methods.h"
#include "support/problem.h"

extern const ovk__method ovk__method_overlap, ovk__method_single_reduction, ovk__method_groppcg,
    ovk__method_pipecg, ovk__method_pipelcg;

static const ovk__method *const methods[] = {
    &ovk__method_cg,      &ovk__method_overlap, &ovk__method_single_reduction,
    &ovk__method_groppcg, &ovk__method_pipecg,  &ovk__method_pipelcg};
enum { METHODS = sizeof methods / sizeof *methods };

/* tridiagonal (-1, d, -1), where d is 4 in all rows or varies. */
static ovk_mat *make_matrix(ovk_lidx nlocal, bool varies)
{
  ovk_mat *A = new_mat(nlocal);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + nlocal; i < end; i++) {
    add_tridiagonal_row(A, i, -1, varies ? 4 + (double)(i % 7) : 4, -1);
  }
  return assembled(A);
}

TEST(the_same_costs_are_the_same_choice_where_diagonals_differ)
{
  scoped_mat *A = make_matrix(is_last() ? 50 : 100, is_last());
  ovk_solver_opts opts = with_method("cg");
  scoped_precond *M = new_precond(A, "jacobi");
  scoped_solver *S = new_solver(A, M, &opts);
  enum { MOST = 20000 };
  scoped_array int *choices = new_zeros(2 * MOST, sizeof *choices),
                   *of_first = new_zeros(2 * MOST, sizeof *choices);
  int count = 0;
  for (double update = 0.02; update < 1.5; update *= 1.2) {
    for (double latency = 0.02; latency < 20; latency *= 1.1) {
      for (int hidden = 0; hidden <= 4; hidden++) {
        const ovk__costs costs = {.product = 1,
                                  .update = update,
                                  .dot = 0.1 * update,
                                  .latency = latency,
                                  .hidden = hidden / 4.0};
        const ovk__candidate c = ovk__select_method(S, methods, METHODS, &costs);
        assert_true(count < MOST);
        for (int k = 0; k < METHODS; k++) {
          if (c.method == methods[k]) choices[2 * count] = k;
        }
        choices[2 * count++ + 1] = c.depth;
      }
    }
  }
  memcpy(of_first, choices, 2 * MOST * sizeof *choices);
  MPI_Bcast(of_first, 2 * MOST, MPI_INT, 0, MPI_COMM_WORLD);
  assert_memory_equal(choices, of_first, 2 * MOST * sizeof *choices);
}

TEST(different_choices_are_an_internal_error_that_names_them)
{
  scoped_mat *A = make_matrix(5, false);
  scoped_solver *S = new_solver(A, NULL, NULL);
  const ovk__candidate other = {&ovk__method_pipelcg, is_last() ? 3 : 2};
  assert_ok(ovk__select_method_agree(S, (ovk__candidate){&ovk__method_pipelcg, 3}));
  if (test_size > 1) {
    assert_error(ovk__select_method_agree(S, other), OVK_ERR_INTERNAL,
                 "different methods: 'pipelcg:l=2' on rank 0, 'pipelcg:l=3' on rank");
  }
}

/* A diagonal preconditioner that provides its diagonal on some ranks only. */
typedef struct shy {
  ovk_lidx n;
  double *d;
  bool gives;
} shy;

static ovk_err apply_shy(void *state, const double *r, double *z, ovk_poll poll)
{
  const shy *s = state;
  for (ovk_lidx i = 0; i < s->n; i++) z[i] = s->d[i] * r[i];
  return OVK_OK;
}

static const double *give(void *state)
{
  const shy *s = state;
  return s->gives ? s->d : NULL;
}

static ovk_err set_up_shy(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  *state = user;
  return OVK_OK;
}

static const ovk_precond_ops shy_ops = {
    .name = "shy", .setup = set_up_shy, .apply = apply_shy, .inverse_diagonal = give};

static shy the_shy;

/* With rows on all ranks, or on all but the last. */
static linear_system open_shy(bool last_has_rows, bool gives)
{
  const ovk_lidx n = is_last() && !last_has_rows ? 0 : 40;
  the_shy = (shy){.n = n, .d = malloc(40 * sizeof(double)), .gives = gives};
  assert_non_null(the_shy.d);
  for (ovk_lidx i = 0; i < n; i++) the_shy.d[i] = 1.0 / (4 + i % 5);
  return new_system(make_matrix(n, true), "shy");
}

static void close_shy(linear_system *s)
{
  clear_system(s);
  free(the_shy.d);
}

/* With every method that needs no factors, and with one chosen by the others. */
static void solve_with_all(const linear_system *s)
{
  FOR_EACH_CHOICE(ovk_list_methods, method) {
    ovk_solver_opts opts = with_method(method.name);
    ovk_result res = OVK_RESULT;
    assert_ok(ovk_vec_fill(s->x, 0));
    const ovk_err err = ovk_solve(s->A, s->M, s->b, s->x, &opts, &res);
    if (err == OVK_ERR_UNSUPPORTED) continue;
    assert_ok(err);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.method_changes, 0);
  }
}

TEST(a_rank_without_rows_need_not_give_its_diagonal)
{
  SCOPED(close_shy) linear_system s = open_shy(test_size == 1, !is_last() || test_size == 1);
  solve_with_all(&s);
  scoped_solver *S = new_solver(s.A, s.M, NULL);
  assert_int_equal(S->M_kind, OVK__M_DIAGONAL);
}

TEST(a_diagonal_that_one_ranks_rows_do_not_have_is_none)
{
  SCOPED(close_shy) linear_system s = open_shy(true, !is_last());
  solve_with_all(&s);
  scoped_solver *S = new_solver(s.A, s.M, NULL);
  assert_int_equal(S->M_kind, OVK__M_OTHER);
  the_shy.gives = true; /* a solver keeps the settings of its creation */
  const ovk_result res = solve_from(S, s.b, s.x);
  assert_true(res.reason > 0);
}

TEST(a_diagonal_that_one_rank_gives_no_more_is_an_error_on_all)
{
  SCOPED(close_shy) linear_system s = open_shy(true, true);
  FOR_EACH_CHOICE(list_named_methods, method) {
    ovk_solver_opts opts = with_method(method.name);
    scoped_solver *S = NULL;
    if (ovk_solver_create(s.A, s.M, &opts, &S) == OVK_ERR_UNSUPPORTED) continue;
    the_shy.gives = !is_last();
    assert_error(ovk_solver_solve(S, s.b, s.x, NULL), OVK_ERR_USER,
                 "'shy' gives no inverse diagonal, but did");
    the_shy.gives = true;
    assert_ok(ovk_solver_solve(S, s.b, s.x, NULL));
  }
}

/* A = diag(1, 2, ...), or M = 1, whose k-th call fails on the last rank. */
typedef struct brittle {
  int calls, fails_in;
  bool says_why;
} brittle;

enum { BRITTLE_ROWS = 30 };

static brittle brittle_A, brittle_C;

static ovk_err fail_in_turn(brittle *o, bool is_A, const double *x, double *y)
{
  for (int i = 0; i < BRITTLE_ROWS; i++) {
    y[i] = is_A ? (double)(BRITTLE_ROWS * test_rank + i + 1) * x[i] : x[i];
  }
  if (++o->calls != o->fails_in || !is_last()) return OVK_OK;
  return o->says_why ? ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "call %d", o->calls) : OVK_ERR_USER;
}

static ovk_err mult_brittle(void *user, const double *x, double *y, ovk_poll poll)
{
  ovk_poll_call(poll);
  return fail_in_turn(user, true, x, y);
}

static ovk_err apply_brittle(void *state, const double *r, double *z, ovk_poll poll)
{
  ovk_poll_call(poll);
  return fail_in_turn(state, false, r, z);
}

static const ovk_precond_ops brittle_ops = {.name = "brittle",
                                            .apply = apply_brittle,
                                            .factor = has_factors,
                                            .apply_left = apply_brittle,
                                            .apply_right = apply_brittle};

/* Fails in the solve's k-th call; false if it makes fewer calls. The failure is reported no earlier
 * than in the iteration of the call. */
static bool fails_in_call(ovk_solver *S, const linear_system *s, brittle *o, int k)
{
  ovk_result res = OVK_RESULT;
  char says[100];
  brittle_A.calls = brittle_C.calls = 0;
  o->fails_in = k;
  o->says_why = k % 2;
  assert_ok(ovk_vec_fill(s->x, 0));
  const ovk_err err = ovk_solver_solve(S, s->b, s->x, &res);
  o->fails_in = 0;
  if (o->calls < k) {
    assert_ok(err);
    return false;
  }
  snprintf(says, sizeof says, "call %d", k);
  assert_error(err, OVK_ERR_USER,
               o->says_why       ? says
               : o == &brittle_A ? "the shell operator's mult returned OVK_ERR_USER"
                                 : "the preconditioner's apply");
  snprintf(says, sizeof says, " (rank %d)", test_size - 1);
  assert_error(err, OVK_ERR_USER, says);
  const char *after = strstr(ovk_ctx_error(test_ctx()), ", after ");
  assert_non_null(after);
  int iterations = -1;
  assert_int_equal(sscanf(after, ", after %d iterations", &iterations), 1);
  assert_in_range(iterations, 0, k);
  return true;
}

TEST(every_failing_call_has_a_message_with_rank_and_iteration)
{
  ovk_choice method = OVK_CHOICE;
  ovk_mat *A = new_shell(BRITTLE_ROWS, &brittle_A, .mult = mult_brittle);
  scoped_system s = new_system(A, "brittle");
  for (int m = 0; list_named_methods(test_ctx(), m, &method); m++) {
    ovk_solver_opts opts = solver_opts(.method = method.name, .rtol = 1e-3);
    scoped_solver *S = new_solver(s.A, s.M, &opts);
    int last[2] = {0};
    while (fails_in_call(S, &s, &brittle_A, last[0] + 1)) last[0]++;
    while (fails_in_call(S, &s, &brittle_C, last[1] + 1)) last[1]++;
    assert_true(last[0] > 10 && last[1] > 10);
  }
}

static int register_plugins(void **state)
{
  const ovk_err err = ovk_precond_register(test_ctx(), &brittle_ops, &brittle_C);
  return err ? (int)err : (int)ovk_precond_register(test_ctx(), &shy_ops, &the_shy);
}

TEST_GROUP(register_plugins, NULL)
