/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns that have the bits of their single solves: a block adds each column in the order of a
 * single vector. */
#include "columns.h"

/* The methods whose form for several columns has their own operations. Without exact sums "pipecg"
 * and "gmres" add several columns in another order. */
static const char *const same_bits[] = {"two-reductions", "single-reduction", "groppcg",
                                        "pipecg",         "minres",           "chebyshev",
                                        "bcgs",           "gmres:restart=7",  NULL};

/* Each column has the iterations, the residual and the x of its single solve, bit for bit. */
static void check_bits(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, int n)
{
  scoped_columns C = new_columns(A, n);
  const size_t bytes = C.rows * sizeof(double);
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  scoped_solver *solver = new_solver(A, M, opts);
  solve_columns(&C, solver);
  for (int c = 0; c < n; c++) {
    if (bytes) memcpy(ovk_vec_array(b), entry_of(&C, C.b, c, 0), bytes);
    const ovk_result single = solve_from_zero(solver, b, x);
    assert_int_equal(C.results[c].reason, single.reason);
    assert_int_equal(C.results[c].iterations, single.iterations);
    assert_memory_equal(&C.results[c].relative_residual, &single.relative_residual, sizeof(double));
    if (bytes) assert_memory_equal(entry_of(&C, C.x, c, 0), ovk_vec_array(x), bytes);
  }
}

/* A grid with more rows than a window, a group or a chunk of any format. */
static void check_bits_of(const char *format, const char *precond, const ovk_solver_opts *opts,
                          int n)
{
  const int size[3] = {9, 8, 5}, grid[3] = {1, 1, test_size};
  scoped_mat *A = NULL;
  assert_ok(ovk_gallery_laplace27(test_ctx(), size, grid, format, &A));
  scoped_precond *M = new_precond(A, precond);
  check_bits(A, M, opts, n);
}

TEST(columns_have_the_bits_of_single_solves_with_every_method)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.exact = "sums";
  for (int k = 0; (opts.method = same_bits[k]) != NULL; k++) {
    check_bits_of("csr", "jacobi", &opts, 8);
    check_bits_of("csr", "ic", &opts, 5);
    check_bits_of("csr", "none", &opts, 2);
  }
}

TEST(columns_have_the_bits_of_single_solves_in_every_format)
{
  static const char *const formats[] = {"csr",     "sell", "dia",   "dia:few",
                                        "pattern", "sym",  "symdia"};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.exact = "sums";
  opts.method = "two-reductions";
  for (int k = 0; k < 7; k++) {
    for (int n = 2; n <= 8; n *= 2) check_bits_of(formats[k], "jacobi", &opts, n);
  }
}

TEST(columns_have_the_bits_of_single_solves_with_every_preconditioner)
{
  static const char *const preconds[] = {"ic", "ilu", "ssor", "chebyshev", "amg", "ic:order=rcm"};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.exact = "sums";
  opts.method = "two-reductions";
  for (int k = 0; k < 6; k++) check_bits_of("csr", preconds[k], &opts, 8);
}

TEST(columns_have_the_bits_of_single_solves_without_exact_sums)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = "two-reductions";
  opts.backend = "nbc:alg=doubling";
  check_bits_of("csr", "jacobi", &opts, 8);
  opts.backend = "shm";
  check_bits_of("csr", "jacobi", &opts, 8);
}
