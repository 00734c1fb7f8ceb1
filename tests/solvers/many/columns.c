/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves of columns. */
#include "columns.h"

const char *const many_forms[] = {"cg",     "single-reduction", "groppcg",
                                  "pipecg", "minres",           "chebyshev",
                                  "bcgs",   "gmres:restart=7",  NULL};

columns new_columns(ovk_mat *A, int n)
{
  const size_t rows = (size_t)ovk_mat_local_size(A);
  columns C = {.A = A, .columns = n, .rows = rows};
  C.b = calloc(rows * (size_t)n + 1, sizeof *C.b);
  C.x = calloc(rows * (size_t)n + 1, sizeof *C.x);
  assert_true(C.b && C.x);
  scoped_vec *v = new_vec(A);
  for (int c = 0; c < n; c++) {
    fill_random(v, (uint64_t)(c + 1));
    if (rows) memcpy(entry_of(&C, C.b, c, 0), ovk_vec_array(v), rows * sizeof(double));
  }
  return C;
}

void clear_columns(columns *C)
{
  free(C->b);
  free(C->x);
}

/* All ranks have the same results. */
static void check_ranks(const columns *C)
{
  for (int c = 0; c < C->columns; c++) {
    const ovk_result *res = &C->results[c];
    double mine[3] = {res->reason, res->iterations, res->true_relative_residual}, root[3];
    memcpy(root, mine, sizeof root);
    MPI_Bcast(root, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    assert_memory_equal(mine, root, sizeof root);
  }
}

void solve_columns(columns *C, ovk_solver *solver)
{
  const ovk_lidx n = (ovk_lidx)C->rows;
  scoped_multivec *B = NULL, *X = NULL;
  assert_ok(ovk_mat_create_multivec(C->A, C->columns, &B));
  assert_ok(ovk_mat_create_multivec(C->A, C->columns, &X));
  assert_ok(ovk_multivec_set(B, 0, C->columns, C->b, n));
  assert_ok(ovk_multivec_set(X, 0, C->columns, C->x, n));
  for (int c = 0; c < C->columns; c++) C->results[c] = (ovk_result)OVK_RESULT;
  assert_ok(ovk_solver_solve_many(solver, B, X, C->results));
  snprintf(C->summary, sizeof C->summary, "%s", ovk_ctx_error(test_ctx()));
  assert_ok(ovk_multivec_get(X, 0, C->columns, C->x, n));
  for (int c = 0; c < C->columns; c++) {
    snprintf(C->messages[c], sizeof C->messages[c], "%s", ovk_solver_column_message(solver, c));
    assert_int_equal(C->results[c].reason < 0, C->messages[c][0] != '\0');
    if (ovk_solver_method_why(solver)[0] == '\0') { /* "auto" may change it between two blocks */
      assert_string_equal(C->results[c].method, ovk_solver_method(solver));
    } else {
      assert_true(C->results[c].method[0] != '\0');
    }
  }
  check_ranks(C);
}

void solve_columns_once(columns *C, ovk_precond *M, const ovk_solver_opts *opts)
{
  scoped_solver *solver = new_solver(C->A, M, opts);
  solve_columns(C, solver);
}

/* Column c of the solutions is x, up to `tolerance` times its largest entry. */
static void check_solution(const columns *C, int c, const ovk_vec *x, double tolerance)
{
  double largest;
  assert_ok(ovk_vec_norm_inf(x, &largest));
  for (ovk_lidx i = 0; i < (ovk_lidx)C->rows; i++) {
    const double difference = *entry_of(C, C->x, c, i) - ovk_vec_array_const(x)[i];
    assert_true(fabs(difference) <= tolerance * largest);
  }
}

static void check_alike(const columns *C, const columns *start, ovk_precond *M,
                        const ovk_solver_opts *opts, double tolerance, bool may_be_fewer)
{
  scoped_vec *b = new_vec(C->A), *x = new_vec(C->A);
  const size_t bytes = C->rows * sizeof(double);
  scoped_solver *solver = new_solver(C->A, M, opts);
  for (int c = 0; c < C->columns; c++) {
    ovk_result single = OVK_RESULT;
    if (bytes) memcpy(ovk_vec_array(b), entry_of(C, C->b, c, 0), bytes);
    if (bytes) memcpy(ovk_vec_array(x), entry_of(start, start->x, c, 0), bytes);
    assert_ok(ovk_solver_solve(solver, b, x, &single));
    assert_int_equal(C->results[c].reason, single.reason);
    assert_in_range(C->results[c].iterations + 1, may_be_fewer ? 0 : single.iterations,
                    single.iterations + 2);
    if (single.reason > 0) {
      assert_true(C->results[c].true_relative_residual <= 1.01 * opts->rtol);
      check_solution(C, c, x, tolerance);
    }
  }
}

void check_single_solves(const columns *C, const columns *start, ovk_precond *M,
                         const ovk_solver_opts *opts, double tolerance)
{
  check_alike(C, start, M, opts, tolerance, false);
}

void check_no_slower_solves(const columns *C, const columns *start, ovk_precond *M,
                            const ovk_solver_opts *opts)
{
  check_alike(C, start, M, opts, 1e-5, true);
}

void check_same_columns(const columns *C, const columns *should)
{
  for (int c = 0; c < C->columns; c++) {
    assert_int_not_equal(C->results[c].fingerprint, 0);
    assert_true(C->results[c].fingerprint == should->results[c].fingerprint);
    assert_int_equal(C->results[c].iterations, should->results[c].iterations);
  }
  assert_memory_equal(C->x, should->x, (size_t)C->columns * C->rows * sizeof(double));
}

void check_exact_sums(ovk_solver_opts opts)
{
  static const char *const backends[] = {"blocking", "iallreduce", "nbc:alg=ring", "shm",
                                         "emulate-latency:us=20|nbc:alg=tree"};
  scoped_mat *A = new_laplace27(4, 3, 3);
  scoped_precond *M = new_precond(A, "ic");
  scoped_columns should = new_columns(A, 5);
  opts.exact = "sums";
  opts.backend = backends[0];
  solve_columns_once(&should, M, &opts);
  for (int k = 1; k < 5; k++) {
    scoped_columns C = new_columns(A, 5);
    opts.backend = backends[k];
    solve_columns_once(&C, M, &opts);
    check_same_columns(&C, &should);
  }
}

void check_columns(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, int n)
{
  scoped_columns C = new_columns(A, n), start = new_columns(A, n);
  solve_columns_once(&C, M, opts);
  check_single_solves(&C, &start, M, opts, 1e-5);
}

ovk_mat *new_negative_row(void)
{
  ovk_mat *A = new_mat(5);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + 5; i < end; i++) {
    assert_ok(ovk_mat_add(A, i, i, i == ovk_mat_size(A) - 1 ? -1 : 1 + (double)(i % 4)));
  }
  return assembled(A);
}

void set_trouble(columns *C)
{
  const size_t bytes = C->rows * sizeof(double);
  for (int c = 0; c < C->columns && is_last(); c++) *entry_of(C, C->b, c, 4) = c == 4 ? 10 : 0;
  if (is_last()) *entry_of(C, C->b, 1, 2) = NAN;
  memset(entry_of(C, C->b, 2, 0), 0, bytes);
  memcpy(entry_of(C, C->b, 6, 0), entry_of(C, C->b, 5, 0), bytes);
}

void set_few_eigenvectors(columns *C)
{
  const double pi = acos(-1), n = (double)ovk_mat_size(C->A);
  for (int c = 0; c < C->columns; c++) {
    for (ovk_lidx i = 0; i < (ovk_lidx)C->rows; i++) {
      const double row = (double)(ovk_mat_row_begin(C->A) + i + 1);
      double b = 0;
      for (int k = 1; k <= (3 * c) % C->columns + 1; k++) b += sin(k * pi * row / (n + 1));
      *entry_of(C, C->b, c, i) = b;
    }
  }
}
