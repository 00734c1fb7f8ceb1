/* SPDX-License-Identifier: BSD-2-Clause */
/* How a solve ends: reasons, origins, monitors, misuse; for every method, the same on all ranks. */
#include "support/matrices.h"
#include "support/methods.h"
#include "support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Solves and checks that all ranks got the same result. */
static ovk_result solve(const ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                        const ovk_pcg_opts *opts)
{
  ovk_result res;
  assert_ok(ovk_pcg_solve(A, M, b, x, opts, &res));
  int mine[2] = {res.reason, res.iterations}, first[2] = {res.reason, res.iterations};
  MPI_Bcast(first, 2, MPI_INT, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, mine, sizeof mine);
  return res;
}

/* A tridiagonal matrix (-1, diagonal, -1) with `nlocal` rows on this rank, and vectors for it. */
typedef struct linear_system {
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} linear_system;

static linear_system make(ovk_lidx nlocal, double diagonal)
{
  linear_system s = {0};
  assert_ok(ovk_mat_create(test_ctx(), nlocal, &s.A));
  const ovk_gidx first = ovk_mat_first(s.A), n = ovk_mat_size(s.A);
  for (ovk_gidx i = first; i < first + nlocal; i++) {
    assert_ok(ovk_mat_add(s.A, i, i, diagonal));
    if (i > 0) assert_ok(ovk_mat_add(s.A, i, i - 1, -1));
    if (i < n - 1) assert_ok(ovk_mat_add(s.A, i, i + 1, -1));
  }
  assert_ok(ovk_mat_assemble(s.A));
  assert_ok(ovk_precond_create(s.A, "jacobi", &s.M));
  assert_ok(ovk_mat_create_vec(s.A, &s.b));
  assert_ok(ovk_mat_create_vec(s.A, &s.x));
  assert_ok(ovk_vec_fill(s.b, 1));
  return s;
}

static void clear(linear_system *s)
{
  ovk_precond_destroy(&s->M);
  ovk_mat_destroy(&s->A);
  ovk_vec_destroy(&s->b);
  ovk_vec_destroy(&s->x);
}

static bool is_last(void)
{
  return test_rank == test_size - 1;
}

/* Sets the last entry of the last rank that has one (all ranks have rows in these tests). */
static void spoil(ovk_vec *v, double value)
{
  if (is_last()) ovk_vec_array(v)[ovk_vec_local_size(v) - 1] = value;
}

#define FOR_EACH_OF(list, opts)                                                                    \
  ovk_choice method_;                                                                              \
  for (int m_ = 0; list(test_ctx(), m_, &method_) && ((opts).method = method_.name, true); m_++)
#define FOR_EACH_METHOD(opts) FOR_EACH_OF(list_named_methods, opts)
#define FOR_EACH_CG_METHOD(opts) FOR_EACH_OF(list_cg_methods, opts)

static void a_zero_right_hand_side_gives_zero_at_once(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(3, 2);
    assert_ok(ovk_vec_fill(s.b, 0));
    assert_ok(ovk_vec_fill(s.x, 7));
    const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ZERO_RHS);
    assert_int_equal(res.iterations, 0);
    assert_true(ovk_vec_array(s.x)[0] == 0 && ovk_vec_array(s.x)[2] == 0);
    clear(&s);
  }
}

static void a_good_guess_takes_no_iteration(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(4, 2);
    ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_true(res.iterations > 0);
    res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.iterations, 0);
    assert_true(res.true_relative_residual <= 1e-8);
    clear(&s);
  }
}

static void tiny_and_empty_systems_work(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_CG_METHOD(opts)
  {
    for (int rows = 0; rows < 3; rows++) { /* all on the last rank */
      linear_system s = make(is_last() ? rows : 0, 4);
      const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason,
                       rows ? OVK_REASON_CONVERGED_RTOL : OVK_REASON_CONVERGED_ZERO_RHS);
      assert_true(res.iterations <= rows);
      const double x = rows == 1 ? 0.25 : 1.0 / 3;
      for (ovk_lidx i = 0; i < ovk_vec_local_size(s.x); i++) {
        assert_close(ovk_vec_array(s.x)[i], x, 1e-14);
      }
      clear(&s);
    }
  }
}

static void the_absolute_tolerance_counts_where_it_is_larger(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.atol = 1e-2;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(10, 2);
    const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ATOL);
    assert_true(res.tolerance == 1e-2);
    assert_true(res.true_relative_residual * res.rhs_norm <= 1.01e-2);
    clear(&s);
  }
}

static void maxit_stops_and_says_so(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (opts.maxit = 0; opts.maxit < 4; opts.maxit += 3) {
      linear_system s = make(10, 2);
      const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_MAXIT);
      assert_int_equal(res.iterations, opts.maxit);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "iterations"));
      clear(&s);
    }
  }
}

static void an_indefinite_matrix_is_recognised(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(10, 0.5); /* eigenvalues from -1.5 to 2.5, positive diagonal */
    const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "(p, A p) = -"));
    clear(&s);
  }
}

/* Diagonal and singular: 0 in even rows, 2 in odd ones. */
static linear_system make_singular(void)
{
  enum { EACH = 6 };
  linear_system s = {0};
  assert_ok(ovk_mat_create(test_ctx(), EACH, &s.A));
  for (ovk_gidx i = ovk_mat_first(s.A), end = i + EACH; i < end; i++) {
    assert_ok(ovk_mat_add(s.A, i, i, i % 2 ? 2 : 0));
  }
  assert_ok(ovk_mat_assemble(s.A));
  assert_ok(ovk_mat_create_vec(s.A, &s.b));
  assert_ok(ovk_mat_create_vec(s.A, &s.x));
  assert_ok(ovk_vec_fill(s.b, 1)); /* not in the range of A, which is zero in these rows */
  return s;
}

static void a_singular_matrix_is_named_where_it_breaks_the_solve(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_CG_METHOD(opts)
  {
    linear_system s = make_singular();
    const ovk_result res = solve(s.A, NULL, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "indefinite or singular: (p, A p) = "));
    clear(&s);
  }
}

/* From an x that is large in the rows of zeros, as after a solve that continues because of
 * rounding. */
static void a_singular_matrix_is_named_where_x_has_grown(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_CG_METHOD(opts)
  {
    for (int singular = 0; singular < 2; singular++) {
      linear_system s = singular ? make_singular() : make(10, 0.5);
      for (int i = 0; singular && i < ovk_vec_local_size(s.x); i++) {
        ovk_vec_array(s.x)[i] = (ovk_mat_first(s.A) + i) % 2 ? 0 : 1e16;
      }
      const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
      const char *found = strstr(ovk_ctx_error(test_ctx()), "; A is singular or nearly so, as ");
      assert_true(singular == (found != NULL));
      clear(&s);
    }
  }
}

static void an_indefinite_preconditioner_is_recognised(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(10, -4); /* the jacobi preconditioner of a negative diagonal */
    const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_M);
    assert_int_equal(res.iterations, 0);
    clear(&s);
  }
}

static void check_nan(const linear_system *s, const ovk_pcg_opts *opts, const char *origin)
{
  const ovk_result res = solve(s->A, s->M, s->b, s->x, opts);
  assert_int_equal(res.reason, OVK_REASON_NAN);
  assert_true(res.iterations <= 1);
  if (!strstr(ovk_ctx_error(test_ctx()), origin)) {
    print_error("%s: '%s' not in '%s'\n", opts->method, origin, ovk_ctx_error(test_ctx()));
  }
  assert_non_null(strstr(ovk_ctx_error(test_ctx()), origin));
}

static void not_a_number_is_traced_to_its_origin(void **state)
{
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int k = 0; k < 3; k++) {
      linear_system s = make(5, 2);
      spoil(s.b, bad[k]);
      check_nan(&s, &opts, "entries of b");
      assert_ok(ovk_vec_fill(s.b, 1));
      assert_ok(ovk_vec_fill(s.x, 0));
      spoil(s.x, bad[k]);
      check_nan(&s, &opts, "entries of x0");
      clear(&s);
    }
  }
}

static void not_a_number_in_the_matrix_is_traced(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(5, 2);
    ovk_mat *A = NULL;
    assert_ok(ovk_mat_create(test_ctx(), 5, &A));
    const ovk_gidx first = ovk_mat_first(A);
    for (ovk_gidx i = first; i < first + 5; i++) assert_ok(ovk_mat_add(A, i, i, 2));
    if (is_last()) assert_ok(ovk_mat_add(A, first, first + 1, NAN));
    assert_ok(ovk_mat_assemble(A));
    ovk_precond_destroy(&s.M);
    ovk_mat_destroy(&s.A);
    s.A = A;
    assert_ok(ovk_precond_create(s.A, "jacobi", &s.M));
    check_nan(&s, &opts, "so A does");
    clear(&s);
  }
}

/* A preconditioner that copies, and fails from its k-th application on. */
typedef struct faulty_precond {
  ovk_lidx n;
  int calls, from;
  bool fails; /* otherwise: returns NaN */
} faulty_precond;

static ovk_err trick(void *state, const double *r, double *z, ovk_poll poll)
{
  faulty_precond *t = state;
  (void)poll;
  const bool bad = ++t->calls >= t->from && is_last();
  if (bad && t->fails) {
    return ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "out of tricks on rank %d", test_rank);
  }
  memcpy(z, r, (size_t)t->n * sizeof *z);
  if (bad) z[0] = NAN;
  return OVK_OK;
}

static ovk_err no_factor(void *state)
{
  (void)state;
  return OVK_OK;
}

static faulty_precond the_faulty_precond;

static ovk_err get_faulty(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)A;
  (void)spec;
  *state = user;
  return OVK_OK;
}

static const ovk_precond_ops faulty_ops = {.name = "faulty_precond",
                                           .setup = get_faulty,
                                           .apply = trick,
                                           .factor = no_factor,
                                           .apply_left = trick,
                                           .apply_right = trick};

static linear_system make_tricky(int from, bool fails)
{
  linear_system s = make(20, 3);
  spoil(s.b, -3); /* without symmetry, which would shorten the solve */
  ovk_precond_destroy(&s.M);
  the_faulty_precond = (faulty_precond){.n = 20, .from = from, .fails = fails};
  assert_ok(ovk_precond_create(s.A, "faulty_precond", &s.M));
  return s;
}

static void not_a_number_from_the_preconditioner_is_traced(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 4; from++) {
      linear_system s = make_tricky(from, false);
      const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_NAN);
      assert_true(res.iterations <= from);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "the preconditioner's output"));
      /* x is that of the last complete iteration, not one behind */
      assert_close(res.true_relative_residual, res.relative_residual, 1e-12);
      clear(&s);
    }
  }
}

static void a_failing_preconditioner_ends_the_solve_with_its_error_on_all_ranks(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 7; from++) {
      linear_system s = make_tricky(from, true);
      ovk_result res;
      assert_error(ovk_pcg_solve(s.A, s.M, s.b, s.x, &opts, &res), OVK_ERR_USER, "out of tricks");
      clear(&s);
    }
  }
}

/* diag(1, 2, 3, 4, 5) on each rank, which fails from some call on: returns an error without output,
 * or NaN. */
typedef struct failing_shell {
  int calls, from;
  bool nan;
} failing_shell;

static ovk_err shell_mult(void *user, const double *x, double *y, ovk_poll poll)
{
  failing_shell *f = user;
  (void)poll;
  const bool bad = ++f->calls >= f->from && is_last();
  if (bad && !f->nan) return OVK_ERR_USER;
  for (int i = 0; i < 5; i++) y[i] = (i + 1) * x[i];
  if (bad) y[2] = NAN;
  return OVK_OK;
}

static linear_system make_shell(failing_shell *f)
{
  linear_system s = {0};
  assert_ok(ovk_mat_create_shell(test_ctx(), 5, &(ovk_shell_ops){.mult = shell_mult}, f, &s.A));
  assert_ok(ovk_mat_create_vec(s.A, &s.b));
  assert_ok(ovk_mat_create_vec(s.A, &s.x));
  assert_ok(ovk_vec_fill(s.b, 1));
  return s;
}

static void a_failing_operator_ends_the_solve_with_its_error_on_all_ranks(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 7; from++) {
      failing_shell f = {.from = from};
      linear_system s = make_shell(&f);
      assert_error(ovk_pcg_solve(s.A, NULL, s.b, s.x, &opts, NULL), OVK_ERR_USER, "mult returned");
      clear(&s);
    }
  }
}

/* In every product, including the one that confirms the result. */
static void not_a_number_from_the_operator_is_traced(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 8; from++) {
      failing_shell f = {.from = from, .nan = true};
      linear_system s = make_shell(&f);
      const ovk_result res = solve(s.A, NULL, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_NAN);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "so A does"));
      clear(&s);
    }
  }
}

static int stop_at_three(void *arg, const ovk_progress *progress)
{
  (void)arg;
  return is_last() && progress->iteration == 3;
}

static void a_monitor_on_one_rank_stops_all_when_the_next_sum_ends(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.monitor = stop_at_three;
  FOR_EACH_CG_METHOD(opts)
  {
    linear_system s = make(20, 2);
    const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_MONITOR);
    const int later = strcmp(opts.method, "deep") == 0 ? 2 : 1; /* the depth of the pipeline */
    assert_int_equal(res.iterations, 3 + later);
    clear(&s);
  }
}

static void a_residual_that_runs_away_is_divergence(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.dtol = 1 + 1e-12;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(20, 2);
    ovk_precond *none = NULL;
    assert_ok(ovk_precond_create(s.A, "none", &none));
    assert_ok(ovk_vec_fill(s.b, 0));
    spoil(s.b, 1); /* the residual of a single source grows before it decreases */
    if (test_rank == 0) ovk_vec_array(s.b)[0] = -0.5;
    const ovk_result res = solve(s.A, none, s.b, s.x, &opts);
    assert_true(res.reason == OVK_REASON_DIVERGED || res.reason == OVK_REASON_CONVERGED_RTOL);
    ovk_precond_destroy(&none);
    clear(&s);
  }
}

static void extreme_right_hand_sides_are_refused_with_a_reason(void **state)
{
  (void)state;
  const double sizes[] = {1e-170, 1e-130, 1e150, 1e200};
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int k = 0; k < 4; k++) {
      linear_system s = make(3, 2);
      assert_ok(ovk_vec_fill(s.b, sizes[k]));
      const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_NAN);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "scale the system"));
      clear(&s);
    }
  }
}

/* A = 1e-165 I and b of 1e-120 are representable, but (p, A p) underflows. */
static void underflow_is_not_called_indefinite(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  FOR_EACH_CG_METHOD(opts)
  {
    linear_system s = make(3, 2);
    ovk_mat *A = NULL;
    assert_ok(ovk_mat_create(test_ctx(), 3, &A));
    for (ovk_gidx i = ovk_mat_first(A), end = i + 3; i < end; i++) {
      assert_ok(ovk_mat_add(A, i, i, 1e-165));
    }
    assert_ok(ovk_mat_assemble(A));
    assert_ok(ovk_vec_fill(s.b, 1e-120));
    const ovk_result res = solve(A, NULL, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_NAN);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "(p, A p) underflows"));
    ovk_mat_destroy(&A);
    clear(&s);
  }
}

static void a_solver_serves_many_right_hand_sides(void **state)
{
  (void)state;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.backend = "iallreduce";
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make(6, 2.5);
    ovk_solver *solver = NULL;
    assert_ok(ovk_solver_create(s.A, s.M, &opts, &solver));
    assert_int_equal(strncmp(ovk_solver_method(solver), opts.method, strlen(opts.method)), 0);
    assert_string_equal(ovk_solver_backend(solver), opts.backend);
    for (int k = 1; k < 6; k++) {
      ovk_result res;
      double rest = 1;
      ovk_vec *r = NULL;
      assert_ok(ovk_vec_fill(s.b, k));
      spoil(s.b, -k * k);
      assert_ok(ovk_vec_fill(s.x, 0));
      assert_ok(ovk_solver_solve(solver, s.b, s.x, &res));
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_in_range(res.reductions_per_iteration, 0, 3);
      assert_ok(ovk_vec_duplicate(s.b, &r));
      assert_ok(ovk_mat_mult(s.A, s.x, r, ovk_poll_none()));
      assert_ok(ovk_vec_axpy(-1, s.b, r));
      assert_ok(ovk_vec_norm(r, &rest));
      assert_close(rest / res.rhs_norm, res.true_relative_residual, 1e-14);
      assert_true(rest <= 1.01e-8 * res.rhs_norm);
      const ovk_seconds *t = &res.seconds;
      const double parts =
          t->mult + t->halo_wait + t->precond + t->vector + t->reduction_begin + t->reduction_wait;
      assert_true(parts > 0 && parts <= t->solve);
      ovk_vec_destroy(&r);
    }
    ovk_solver_destroy(&solver);
    assert_null(solver);
    clear(&s);
  }
}

static void the_print_monitor_writes_a_line_an_iteration(void **state)
{
  (void)state;
  linear_system s = make(4, 2);
  FILE *file = tmpfile();
  assert_non_null(file);
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.monitor = ovk_monitor_print;
  opts.monitor_arg = test_rank == 0 ? file : NULL;
  opts.true_residual_every = 2;
  const ovk_result res = solve(s.A, s.M, s.b, s.x, &opts);
  rewind(file);
  int lines = 0, with_true = 0;
  char line[200];
  while (fgets(line, sizeof line, file)) {
    assert_int_equal(atoi(line), lines++);
    with_true += strstr(line, "true") != NULL;
  }
  assert_int_equal(lines, test_rank == 0 ? res.iterations + 1 : 0);
  if (test_rank == 0) assert_int_equal(with_true, res.iterations / 2 + 1);
  fclose(file);
  clear(&s);
}

static void bad_options_are_told_on_all_ranks(void **state)
{
  (void)state;
  linear_system s = make(3, 2);
  const struct {
    ovk_pcg_opts opts;
    ovk_err err;
    const char *says;
  } bad[] = {
      {{.rtol = -1, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "rtol is -1"},
      {{.rtol = NAN, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "rtol is"},
      {{.atol = -1, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "atol is -1"},
      {{.dtol = 1, .poll_rows = 1}, OVK_ERR_ARG, "dtol is 1"},
      {{.dtol = 10, .maxit = -1, .poll_rows = 1}, OVK_ERR_ARG, "maxit is -1"},
      {{.dtol = 10, .poll_rows = 0}, OVK_ERR_ARG, "poll_rows is 0"},
      {{.dtol = 10, .poll_rows = 1, .true_residual_every = -1}, OVK_ERR_ARG, "every is -1"},
      {{.rtol = 1e-8}, OVK_ERR_ARG, "start from OVK_PCG_OPTS"},
      {{.method = "algorithm3", .dtol = 10, .poll_rows = 1}, OVK_ERR_UNKNOWN, "did you mean"},
      {{.method = "overlap:x", .dtol = 10, .poll_rows = 1}, OVK_ERR_UNKNOWN, "no keys"},
      {{.backend = "blockin", .dtol = 10, .poll_rows = 1}, OVK_ERR_UNKNOWN, "'blocking'"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ovk_solver *solver = NULL;
    assert_error(ovk_solver_create(s.A, s.M, &bad[k].opts, &solver), bad[k].err, bad[k].says);
    assert_null(solver);
    ovk_result res = {.reason = OVK_REASON_MAXIT, .iterations = 7};
    assert_error(ovk_pcg_solve(s.A, s.M, s.b, s.x, &bad[k].opts, &res), bad[k].err, bad[k].says);
    assert_true(res.reason == OVK_REASON_NOT_RUN && res.iterations == 0);
  }
  if (test_size > 1) {
    ovk_pcg_opts opts = OVK_PCG_OPTS;
    ovk_solver *solver = NULL;
    if (is_last()) opts.rtol = 1e-3;
    assert_error(ovk_solver_create(s.A, s.M, &opts, &solver), OVK_ERR_ARG,
                 "different solver options: 'rtol 1e-08' on rank 0, 'rtol 0.001' on rank");
    opts = ovk_pcg_opts_default();
    if (is_last()) opts.maxit = -1;
    assert_error(ovk_solver_create(s.A, s.M, &opts, &solver), OVK_ERR_ARG, "maxit is -1 (rank ");
  }
  clear(&s);
}

static void b_and_x_that_share_memory_on_one_rank_are_refused_on_all(void **state)
{
  (void)state;
  enum { ROWS = 3 };
  double array[2 * ROWS] = {0};
  linear_system s = make(ROWS, 2);
  ovk_vec *b = NULL, *x = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), ROWS, array, &b));
  assert_ok(ovk_vec_wrap(test_ctx(), ROWS, array + (is_last() ? ROWS - 1 : ROWS), &x));
  assert_error(ovk_pcg_solve(s.A, s.M, b, x, NULL, NULL), OVK_ERR_ARG, "share memory");
  assert_error(ovk_precond_apply(s.M, x, b, ovk_poll_none()), OVK_ERR_ARG, "share memory");
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  clear(&s);
}

static void vectors_that_do_not_fit_are_told_on_all_ranks(void **state)
{
  (void)state;
  linear_system s = make(3, 2), other = make(is_last() ? 4 : 3, 2);
  ovk_solver *solver = NULL;
  assert_ok(ovk_solver_create(s.A, s.M, NULL, &solver));
  assert_error(ovk_solver_solve(solver, other.b, s.x, NULL), OVK_ERR_ARG, "b ");
  assert_error(ovk_solver_solve(solver, s.b, other.x, NULL), OVK_ERR_ARG, "x ");
  assert_error(ovk_solver_solve(solver, s.b, s.b, NULL), OVK_ERR_ARG, "same vector");
  ovk_vec *alias = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), 3, ovk_vec_array(s.b), &alias));
  assert_error(ovk_solver_solve(solver, s.b, alias, NULL), OVK_ERR_ARG, "same vector");
  ovk_vec_destroy(&alias);
  assert_error(ovk_solver_solve(solver, is_last() ? NULL : s.b, s.x, NULL), OVK_ERR_ARG,
               "b is NULL");
  ovk_solver_destroy(&solver);
  assert_error(ovk_solver_create(s.A, other.M, NULL, &solver), OVK_ERR_ARG, "preconditioner");
  assert_int_equal(ovk_solver_create(NULL, NULL, NULL, &solver), OVK_ERR_ARG);
  clear(&s);
  clear(&other);
}

static ovk_err copy(void *state, const double *r, double *z, ovk_poll poll)
{
  (void)poll;
  memcpy(z, r, *(const size_t *)state);
  return OVK_OK;
}

static void split_methods_refuse_a_preconditioner_without_factors(void **state)
{
  (void)state;
  static size_t bytes = 3 * sizeof(double);
  static const ovk_precond_ops ops = {.name = "unsplit", .apply = copy};
  linear_system s = make(3, 2);
  ovk_precond *M = NULL;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  ovk_solver *solver = NULL;
  assert_ok(ovk_precond_register(test_ctx(), &ops, &bytes));
  assert_ok(ovk_precond_create(s.A, "unsplit", &M));
  opts.method = "overlap";
  assert_error(ovk_solver_create(s.A, M, &opts, &solver), OVK_ERR_UNSUPPORTED,
               "method 'overlap' needs a preconditioner with factors");
  opts.method = "algorithm1";
  const ovk_result res = solve(s.A, M, s.b, s.x, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  ovk_precond_destroy(&M);
  clear(&s);
}

static void the_environment_gives_defaults(void **state)
{
  (void)state;
  setenv("OVK_METHOD", "algorithm2", 1);
  setenv("OVK_BACKEND", "iallreduce", 1);
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  unsetenv("OVK_METHOD");
  unsetenv("OVK_BACKEND");
  ovk_mat *A = NULL;
  ovk_solver *solver = NULL;
  const int n[3] = {2, 2, 2}, grid[3] = {1, 1, test_size};
  assert_int_equal(ovk_gallery_laplace7(ctx, n, grid, NULL, &A), OVK_OK);
  assert_int_equal(ovk_solver_create(A, NULL, NULL, &solver), OVK_OK);
  assert_string_equal(ovk_solver_method(solver), "algorithm2");
  assert_string_equal(ovk_solver_backend(solver), "iallreduce");
  ovk_solver_destroy(&solver);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
}

static int register_plugins(void **state)
{
  (void)state;
  return (int)ovk_precond_register(test_ctx(), &faulty_ops, &the_faulty_precond);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_zero_right_hand_side_gives_zero_at_once),
      cmocka_unit_test(a_good_guess_takes_no_iteration),
      cmocka_unit_test(tiny_and_empty_systems_work),
      cmocka_unit_test(the_absolute_tolerance_counts_where_it_is_larger),
      cmocka_unit_test(maxit_stops_and_says_so),
      cmocka_unit_test(an_indefinite_matrix_is_recognised),
      cmocka_unit_test(a_singular_matrix_is_named_where_it_breaks_the_solve),
      cmocka_unit_test(a_singular_matrix_is_named_where_x_has_grown),
      cmocka_unit_test(an_indefinite_preconditioner_is_recognised),
      cmocka_unit_test(not_a_number_is_traced_to_its_origin),
      cmocka_unit_test(not_a_number_in_the_matrix_is_traced),
      cmocka_unit_test(not_a_number_from_the_preconditioner_is_traced),
      cmocka_unit_test(a_failing_preconditioner_ends_the_solve_with_its_error_on_all_ranks),
      cmocka_unit_test(a_failing_operator_ends_the_solve_with_its_error_on_all_ranks),
      cmocka_unit_test(not_a_number_from_the_operator_is_traced),
      cmocka_unit_test(underflow_is_not_called_indefinite),
      cmocka_unit_test(a_monitor_on_one_rank_stops_all_when_the_next_sum_ends),
      cmocka_unit_test(a_residual_that_runs_away_is_divergence),
      cmocka_unit_test(extreme_right_hand_sides_are_refused_with_a_reason),
      cmocka_unit_test(a_solver_serves_many_right_hand_sides),
      cmocka_unit_test(the_print_monitor_writes_a_line_an_iteration),
      cmocka_unit_test(bad_options_are_told_on_all_ranks),
      cmocka_unit_test(b_and_x_that_share_memory_on_one_rank_are_refused_on_all),
      cmocka_unit_test(vectors_that_do_not_fit_are_told_on_all_ranks),
      cmocka_unit_test(split_methods_refuse_a_preconditioner_without_factors),
      cmocka_unit_test(the_environment_gives_defaults),
  };
  return cmocka_run_group_tests(tests, register_plugins, NULL);
}
