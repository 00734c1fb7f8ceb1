/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with exact=all: on any partition the bits of a rank alone, for methods, preconditioners
 * and formats. Methods and preconditioners that depend on the partition are refused. */
#include "support/problem.h"

/* A grid of WIDTH x HEIGHT points, each with its neighbors. */
enum { WIDTH = 9, HEIGHT = 8, N = WIDTH * HEIGHT };

/* An entry of the matrix, also where it has none: 0. */
static double entry_of(bool symmetric, int i, int j)
{
  const int dx = abs(i % WIDTH - j % WIDTH), dy = abs(i / WIDTH - j / WIDTH);
  if (dx > 1 || dy > 1) return 0;
  const int a = symmetric && j < i ? j : i, b = symmetric && j < i ? i : j;
  const double random = random_number(1, (uint64_t)(a * N + b));
  return i == j ? 9.5 + random : -0.5 - random;
}

/* Which rank has which rows, the same on all ranks: the rows of a rank are numbered in their order,
 * after those of lower ranks. */
typedef struct partition {
  int owner[N], number[N], count;
} partition;

static void number_rows(partition *p, int rank, int size)
{
  int next = 0;
  p->count = 0;
  for (int r = 0; r < size; r++) {
    for (int i = 0; i < N; i++) {
      if (p->owner[i] != r) continue;
      p->number[i] = next++;
      p->count += r == rank;
    }
  }
}

/* Consecutive rows, cut at random: ranks may have none. */
static partition cut_at_random(dice *d)
{
  partition p;
  int cut[64] = {0};
  for (int r = 1; r < test_size; r++) cut[r] = dice_once_in(d, 4) ? N : dice_below(d, N + 1);
  for (int i = 0; i < N; i++) {
    p.owner[i] = 0;
    for (int r = 1; r < test_size; r++) p.owner[i] += cut[r] <= i;
  }
  number_rows(&p, test_rank, test_size);
  return p;
}

static partition deal_at_random(dice *d)
{
  partition p;
  for (int i = 0; i < N; i++) p.owner[i] = dice_below(d, test_size);
  number_rows(&p, test_rank, test_size);
  return p;
}

/* Adds the rows of this rank. */
static void add_rows(ovk_mat *A, const partition *p, int rank, bool symmetric, double factor)
{
  for (int i = 0; i < N; i++) {
    for (int j = 0; p->owner[i] == rank && j < N; j++) {
      const double value = factor * entry_of(symmetric, i, j);
      if (value != 0) assert_ok(ovk_mat_add(A, p->number[i], p->number[j], value));
    }
  }
}

/* A x = b on a partition, of a rank: of all ranks, or of this one alone. */
typedef struct problem {
  partition p;
  int rank;
  ovk_mat *A;
  ovk_vec *b, *x;
} problem;

static problem make_problem(ovk_ctx *ctx, int rank, const partition *p, bool symmetric,
                            const char *format, bool keys)
{
  problem P = {.p = *p, .rank = rank};
  int64_t key[N];
  int n = 0;
  assert_ok(ovk_mat_create(ctx, p->count, &P.A));
  for (int i = 0; i < N; i++) {
    if (p->owner[i] == rank) key[n++] = i;
  }
  if (keys) assert_ok(ovk_mat_set_keys(P.A, key));
  if (format) assert_ok(ovk_mat_set_format(P.A, format));
  add_rows(P.A, p, rank, symmetric, 1);
  assert_ok(ovk_mat_assemble(P.A));
  assert_ok(ovk_mat_create_vec(P.A, &P.b));
  assert_ok(ovk_mat_create_vec(P.A, &P.x));
  for (int k = 0; k < n; k++) {
    ovk_vec_array(P.b)[k] = random_number(2, (uint64_t)key[k]) - 0.5;
  }
  return P;
}

/* The same on this rank alone. */
static problem make_alone(ovk_ctx *self, bool symmetric, const char *format)
{
  partition all = {.owner = {0}};
  number_rows(&all, 0, 1);
  return make_problem(self, 0, &all, symmetric, format, false);
}

static void clear_problem(problem *P)
{
  ovk_vec_destroy(&P->b);
  ovk_vec_destroy(&P->x);
  ovk_mat_destroy(&P->A);
}

static ovk_solver_opts all_opts(const char *method)
{
  return solver_opts(.method = method, .exact = "all", .rtol = 1e-9, .maxit = 500);
}

static ovk_result solve(problem *P, const char *method, const char *precond)
{
  const ovk_solver_opts opts = all_opts(method);
  ovk_result res = OVK_RESULT;
  scoped_precond *M = new_precond(P->A, precond);
  if (strncmp(precond, "amg", 3) == 0) assert_non_null(strstr(ovk_precond_info(M), "levels"));
  scoped_solver *solver = new_solver(P->A, M, &opts);
  assert_ok(ovk_vec_fill(P->x, 0));
  assert_ok(ovk_solver_solve(solver, P->b, P->x, &res));
  return res;
}

/* Asserts that both have the same vector: `alone` has all rows. */
static void check_rows(const problem *P, const ovk_vec *v, const ovk_vec *alone)
{
  const double *mine = ovk_vec_array_const(v), *should = ovk_vec_array_const(alone);
  for (int i = 0; i < N; i++) {
    if (P->p.owner[i] == P->rank) assert_memory_equal(mine++, &should[i], sizeof *mine);
  }
}

/* Asserts that a solve has the bits of one on this rank alone. */
static void check_solve(problem *P, problem *alone, const char *method, const char *precond)
{
  const ovk_result is = solve(P, method, precond), should = solve(alone, method, precond);
  if (is.reason <= 0) fail_msg("%s with %s: reason %d", method, precond, (int)is.reason);
  if (is.fingerprint != should.fingerprint) print_error("%s with %s differs\n", method, precond);
  assert_int_equal(is.iterations, should.iterations);
  assert_true(is.fingerprint == should.fingerprint);
  check_rows(P, P->x, alone->x);
}

static const char *const preconds[] = {"none", "jacobi", "chebyshev:degree=2",
                                       "amg:coarse=4,theta=0.05"};
enum { PRECONDS = sizeof preconds / sizeof *preconds };

static void check_methods(bool symmetric, const char *const *methods, uint64_t seed)
{
  dice d = {seed, 0};
  scoped_ctx *self = new_self_ctx();
  SCOPED(clear_problem) problem alone = make_alone(self, symmetric, "csr");
  for (; *methods; methods++) {
    const partition p = cut_at_random(&d);
    SCOPED(clear_problem)
    problem P = make_problem(test_ctx(), test_rank, &p, symmetric, NULL, false);
    for (int k = 0; k < PRECONDS; k++) check_solve(&P, &alone, *methods, preconds[k]);
  }
}

TEST(methods_for_symmetric_matrices_have_the_same_bits_on_any_partition)
{
  static const char *const methods[] = {
      "cg",  "two-reductions", "single-reduction", "groppcg",          "pipecg", "pipeprcg",
      "fcg", "chebyshev",      "minres",           "pipelined-minres", NULL};
  check_methods(true, methods, 1);
}

TEST(methods_for_any_matrix_have_the_same_bits_on_any_partition)
{
  static const char *const methods[] = {
      "bcgs",   "pipebcgs",         "gmres:restart=10", "fgmres",
      "pgmres", "gmres:ortho=cgs2", "gmres:ortho=cgs",  "gmres:ortho=mgs",
      NULL};
  check_methods(false, methods, 2);
}

TEST(methods_with_factors_have_the_same_bits_on_any_partition)
{
  static const char *const methods[] = {"split-cg", "overlap"};
  dice d = {3, 0};
  scoped_ctx *self = new_self_ctx();
  SCOPED(clear_problem) problem alone = make_alone(self, true, "csr");
  for (int m = 0; m < 2; m++) {
    const partition p = cut_at_random(&d);
    SCOPED(clear_problem) problem P = make_problem(test_ctx(), test_rank, &p, true, NULL, false);
    for (int k = 0; k < 2; k++) check_solve(&P, &alone, methods[m], preconds[k]);
  }
}

static const char *const formats[] = {"csr",    "dia", "dia:few", "sell",      "pattern",
                                      "symdia", "sym", "auto",    "auto:trial"};
enum { FORMATS = sizeof formats / sizeof *formats };

TEST(every_format_has_the_same_bits_on_any_partition)
{
  dice d = {4, 0};
  scoped_ctx *self = new_self_ctx();
  SCOPED(clear_problem) problem alone = make_alone(self, true, "csr");
  for (int k = 0; k < 2 * FORMATS; k++) {
    const partition p = cut_at_random(&d);
    SCOPED(clear_problem)
    problem P = make_problem(test_ctx(), test_rank, &p, true, formats[k % FORMATS], false);
    check_solve(&P, &alone, "cg", "jacobi");
  }
}

TEST(keys_give_rows_their_order_where_ranks_number_them)
{
  dice d = {5, 0};
  scoped_ctx *self = new_self_ctx();
  SCOPED(clear_problem) problem alone = make_alone(self, true, "csr");
  for (int k = 0; k < 3; k++) {
    const partition p = deal_at_random(&d);
    SCOPED(clear_problem) problem P = make_problem(test_ctx(), test_rank, &p, true, NULL, true);
    for (int m = 0; m < PRECONDS - 1; m++) check_solve(&P, &alone, "cg", preconds[m]);
  }
}

TEST(preconditioners_made_before_the_solver_are_set_up_again)
{
  dice d = {10, 0};
  scoped_ctx *self = new_self_ctx();
  for (int k = 0; k < PRECONDS; k++) {
    const partition p = cut_at_random(&d);
    SCOPED(clear_problem) problem P = make_problem(test_ctx(), test_rank, &p, true, NULL, false);
    SCOPED(clear_problem) problem alone = make_alone(self, true, NULL);
    check_solve(&P, &alone, "cg", preconds[k]);
  }
}

TEST(new_values_keep_the_order)
{
  dice d = {6, 0};
  scoped_ctx *self = new_self_ctx();
  SCOPED(clear_problem) problem alone = make_alone(self, true, "csr");
  const partition p = cut_at_random(&d);
  problem P = make_problem(test_ctx(), test_rank, &p, true, "auto", false), *both[] = {&P, &alone};
  check_solve(&P, &alone, "cg", "jacobi");
  for (int k = 0; k < 2; k++) {
    assert_ok(ovk_mat_reset_values(both[k]->A));
    add_rows(both[k]->A, &both[k]->p, both[k]->rank, true, 1.7);
    assert_ok(ovk_mat_assemble(both[k]->A));
  }
  check_solve(&P, &alone, "cg", "jacobi");
  clear_problem(&P);
}

static void check_refused(const char *method, const char *precond, const char *format,
                          const char *words)
{
  dice d = {7, 0};
  const ovk_solver_opts opts = all_opts(method);
  const partition p = cut_at_random(&d);
  SCOPED(clear_problem) problem P = make_problem(test_ctx(), test_rank, &p, true, format, false);
  scoped_precond *M = new_precond(P.A, precond);
  assert_no_solver(P.A, M, &opts, OVK_ERR_UNSUPPORTED, words);
}

TEST(what_depends_on_the_partition_is_refused_with_a_remedy)
{
  static const char *const local[] = {"ic", "ilu", "ssor", "bjacobi"};
  for (int k = 0; k < 4; k++) check_refused("cg", local[k], "csr", "'amg' do not");
  check_refused("pipelcg", "jacobi", "csr", "'pipecg' does not");
  check_refused("pipefcg", "jacobi", "csr", "'fcg' does not");
  check_refused("gmres:basis=float", "jacobi", "csr", "without it does not");
}

static ovk_err halve(void *state, const double *r, double *z, ovk_poll poll)
{
  const problem *P = state;
  for (int i = 0; i < P->p.count; i++) z[i] = 0.5 * r[i];
  return OVK_OK;
}

static const double *halves(void *state)
{
  static double half[N];
  for (int i = 0; i < N; i++) half[i] = 0.5;
  return half;
}

TEST(a_diagonal_preconditioner_of_the_user_is_accepted)
{
  dice d = {9, 0};
  const ovk_solver_opts opts = all_opts("cg");
  const partition p = cut_at_random(&d);
  SCOPED(clear_problem) problem P = make_problem(test_ctx(), test_rank, &p, true, NULL, false);
  ovk_precond_ops ops = {.size = sizeof ops, .name = "half", .apply = halve};
  scoped_precond *M = NULL;
  scoped_solver *solver = NULL;
  assert_ok(ovk_precond_create_from_ops(P.A, &ops, &P, &M));
  assert_no_solver(P.A, M, &opts, OVK_ERR_UNSUPPORTED, "'half'");
  ovk_precond_destroy(&M);
  ops.inverse_diagonal = halves;
  assert_ok(ovk_precond_create_from_ops(P.A, &ops, &P, &M));
  assert_ok(ovk_solver_create(P.A, M, &opts, &solver));
}

TEST(keys_are_checked)
{
  static const int64_t good[] = {3, 8}, equal[] = {3, 3}, negative[] = {-1, 8};
  scoped_mat *A = new_mat(2);
  assert_error(ovk_mat_set_keys(A, equal), OVK_ERR_ARG, "must increase");
  assert_error(ovk_mat_set_keys(A, negative), OVK_ERR_RANGE, "key -1 of row 0");
  if (test_size > 1) {
    assert_error(ovk_mat_set_keys(A, test_rank ? good : NULL), OVK_ERR_ARG, "others do not");
  }
  assert_ok(ovk_mat_set_keys(A, NULL));
  assert_ok(ovk_mat_set_keys(A, good)); /* the same on all ranks: not unique */
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 4));
    if (i > 1) assert_ok(ovk_mat_add(A, i, i - 2, -1));
  }
  if (test_size > 1) {
    assert_error(ovk_mat_assemble(A), OVK_ERR_ARG, "two rows have the key");
  } else {
    assert_ok(ovk_mat_assemble(A));
    assert_error(ovk_mat_set_keys(A, good), OVK_ERR_STATE, "only before assembly");
  }
}

TEST(the_environment_puts_matrices_in_order)
{
  dice d = {8, 0};
  ovk_result res = OVK_RESULT;
  assert_int_equal(setenv("OVK_EXACT", "all", 1), 0);
  scoped_ctx *ctx = new_ctx();
  assert_int_equal(unsetenv("OVK_EXACT"), 0);
  const partition p = cut_at_random(&d);
  SCOPED(clear_problem) problem P = make_problem(ctx, test_rank, &p, true, NULL, false);
  ovk_solver_opts opts = all_opts("cg");
  opts.exact = NULL;
  assert_ok(ovk_solve(P.A, NULL, P.b, P.x, &opts, &res));
  assert_true(res.reason > 0 && res.fingerprint != 0);
}
