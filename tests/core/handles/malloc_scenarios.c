/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenarios in which memory runs out: as much of the library as a few rows reach. */
#include "malloc_scenarios.h"
#include "matrix/float/float_copy.h"
#include "support/malloc_fail.h"
#include "support/problem.h"

ovk_err nothing(ovk_ctx *ctx, const void *arg)
{
  return OVK_OK;
}

/* A = tridiag(-1, 4, -1) of 3 rows a rank, every entry added by the rank after its owner. */
ovk_err assemble(ovk_ctx *ctx, const void *arg)
{
  enum { N = 3 };
  scoped_mat *A = NULL;
  scoped_vec *d = NULL;
  ovk_err err = ovk_mat_create(ctx, N, &A);
  if (!err) {
    const ovk_gidx n = ovk_mat_size(A), first = (ovk_mat_row_begin(A) + n - N) % n;
    for (ovk_gidx i = first; i < first + N; i++) { /* assembly reports a failure of these calls */
      if (i > 0) ovk_mat_add(A, i, i - 1, -1);
      ovk_mat_add(A, i, i, 4);
      if (i < n - 1) ovk_mat_add(A, i, i + 1, -1);
    }
  }
  OVK_CALL(err, ovk_mat_assemble(A));
  OVK_CALL(err, ovk_mat_create_vec(A, &d));
  OVK_CALL(err, ovk_mat_diagonal(A, d));
  return err;
}

/* Rows of 3 entries that go from the last one to the first, with columns of all ranks, twice; the
 * second time as compressed rows. */
ovk_err assemble_backwards(ovk_ctx *ctx, const void *arg)
{
  enum { N = 70 };
  int64_t ptr[N + 1];
  ovk_gidx col[3 * N];
  double val[3 * N];
  scoped_mat *A = NULL;
  ovk_err err = ovk_mat_create(ctx, N, &A);
  if (!err) {
    const ovk_gidx n = ovk_mat_size(A), first = ovk_mat_row_begin(A);
    for (int i = N; i >= 0; i--) ptr[i] = 3 * i;
    for (int k = 3 * N - 1; k >= 0; k--) {
      col[k] = (first + (ovk_gidx)k * 37) % n;
      val[k] = k;
      ovk_mat_add(A, first + k / 3, col[k], val[k]);
    }
    ovk_mat_add_csr(A, ptr, col, val);
  }
  OVK_CALL(err, ovk_mat_assemble(A));
  return err;
}

/* A matrix in a format, of n[0] n[1] n[2] points a rank, or for "sym3" as many rows, in threes. */
static ovk_err make_matrix(ovk_ctx *ctx, const int n[3], const char *format, ovk_mat **A)
{
  static const double values[9] = {4, 1, 1, 1, 4, 1, 1, 1, 4};
  const int grid[3] = {1, 1, ovk_ctx_size(ctx)};
  if (strcmp(format, "sym3") != 0) return ovk_gallery_laplace7(ctx, n, grid, format, A);
  ovk_err err = ovk_mat_create(ctx, n[0] * n[1] * n[2], A);
  OVK_CALL(err, ovk_mat_set_format(*A, format));
  for (ovk_gidx i = 0; !err && i < ovk_mat_local_size(*A); i += 3) {
    const ovk_gidx first = ovk_mat_row_begin(*A) + i, rows[3] = {first, first + 1, first + 2};
    (void)ovk_mat_add_block(*A, 3, rows, 3, rows, values); /* assembly reports a failure */
  }
  OVK_CALL(err, ovk_mat_assemble(*A));
  return err;
}

/* The same for scenarios of other objects: its allocations fail in refill() alone. */
static ovk_err make_given_matrix(ovk_ctx *ctx, const int n[3], const char *format, ovk_mat **A)
{
  malloc_pause();
  const ovk_err err = make_matrix(ctx, n, format, A);
  malloc_resume();
  return err;
}

/* New values in a format, every entry added by the rank after its owner; at the end there is one of
 * an earlier piece of rows. */
ovk_err refill(ovk_ctx *ctx, const void *format)
{
  const int n[3] = {21, 20, 2};
  scoped_mat *A = NULL;
  ovk_err err = make_matrix(ctx, n, format, &A);
  OVK_CALL(err, ovk_mat_reset_values(A));
  if (!err) {
    const ovk_gidx rows = ovk_mat_size(A), local = ovk_mat_local_size(A);
    for (ovk_gidx i = 0; i < local; i++) {
      const ovk_gidx row = (ovk_mat_row_begin(A) + local + i) % rows;
      ovk_mat_add(A, row, row, 2);
    }
    ovk_mat_add(A, 0, 0, 2);
  }
  OVK_CALL(err, ovk_mat_assemble(A));
  return err;
}

/* A block size, a vector near the null space, coordinates with their rigid body modes; inner
 * products.
 */
ovk_err describe_problem(ovk_ctx *ctx, const void *arg)
{
  const double xy[4] = {0, ovk_ctx_rank(ctx), 1, ovk_ctx_rank(ctx)};
  double dot = 0;
  scoped_mat *A = NULL;
  scoped_vec *v = NULL;
  ovk_err err = ovk_mat_create(ctx, 4, &A);
  OVK_CALL(err, ovk_mat_create_vec(A, &v));
  if (!err) (void)ovk_vec_fill(v, 1);
  OVK_CALL(err, ovk_mat_set_block_size(A, 2));
  OVK_CALL(err, ovk_mat_set_near_nullspace(A, 1, &v));
  OVK_CALL(err, ovk_mat_set_coordinates(A, 2, xy));
  OVK_CALL(err, ovk_vec_mdot(v, 1, &v, &dot));
  return err;
}

/* A matrix with a description, in another order, and its new values. */
ovk_err reorder(ovk_ctx *ctx, const void *arg)
{
  const int n[3] = {3, 2, 2};
  const double xy[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  scoped_mat *A = NULL, *B = NULL;
  scoped_vec *v = NULL;
  ovk_err err = make_given_matrix(ctx, n, "csr", &A);
  OVK_CALL(err, ovk_mat_create_vec(A, &v));
  if (!err) (void)ovk_vec_fill(v, 1);
  OVK_CALL(err, ovk_mat_set_near_nullspace(A, 1, &v));
  OVK_CALL(err, ovk_mat_set_coordinates(A, 1, xy));
  OVK_CALL(err, ovk_mat_reorder(A, &B));
  OVK_CALL(err, ovk_mat_reorder_values(A, B));
  return err;
}

/* A copy, with values in float, of a matrix in a format. */
ovk_err copy_in_float(ovk_ctx *ctx, const void *format)
{
  const int n[3] = {3, 3, 2};
  scoped_mat *A = NULL, *copy = NULL;
  scoped_vec *scale = NULL;
  ovk_err err = make_given_matrix(ctx, n, format, &A);
  OVK_CALL(err, ovk__mat_copy_float(A, &copy, &scale));
  return err;
}

/* A null space of two vectors of the matrix 0. */
ovk_err solve_singular(ovk_ctx *ctx, const void *arg)
{
  scoped_mat *A = NULL;
  scoped_vec *b = NULL, *x = NULL;
  ovk_err err = ovk_mat_create(ctx, 2, &A);
  OVK_CALL(err, ovk_mat_assemble(A));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  if (!err) ovk_vec_array(b)[0] = 1;
  const ovk_vec *own = b;
  ovk_solver_opts opts = solver_opts(.null_constant = true, .null_count = 1, .null_vectors = &own,
                                     .norm = OVK_NORM_NATURAL);
  OVK_CALL(err, ovk_solve(A, NULL, b, x, &opts, NULL));
  return err;
}

ovk_err write_and_read(ovk_ctx *ctx, const void *path)
{
  const int n[3] = {2, 2, 2}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  scoped_mat *A = NULL, *B = NULL;
  scoped_vec *v = NULL;
  scoped_multivec *X = NULL;
  ovk_err err = ovk_gallery_laplace27(ctx, n, grid, NULL, &A);
  OVK_CALL(err, ovk_mat_write_mm(A, path));
  OVK_CALL(err, ovk_mat_read_mm(ctx, path, NULL, &B));
  OVK_CALL(err, ovk_mat_create_vec(B, &v));
  OVK_CALL(err, ovk_vec_write_mm(v, path));
  OVK_CALL(err, ovk_vec_read_mm(v, path));
  OVK_CALL(err, ovk_multivec_read_mm(B, path, &X));
  OVK_CALL(err, ovk_multivec_write_mm(X, path));
  return err;
}

ovk_err make_shell(ovk_ctx *ctx, const void *arg)
{
  const ovk_shell_ops ops = {.mult = no_product};
  scoped_mat *A = NULL;
  return ovk_mat_create_shell(ctx, 2, &ops, NULL, &A);
}

ovk_err solve(ovk_ctx *ctx, const void *opts)
{
  const int n[3] = {2, 2, 2};
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  scoped_vec *b = NULL, *x = NULL;
  ovk_err err = make_given_matrix(ctx, n, "auto", &A);
  OVK_CALL(err, ovk_precond_create(A, "jacobi", &M));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_vec_duplicate(b, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1));
  OVK_CALL(err, ovk_solve(A, M, b, x, opts, NULL));
  return err;
}

/* "auto" takes A for definite, which it is not, and continues with minres. Without memory for that
 * the solver cannot be used again. */
ovk_err solve_indefinite(ovk_ctx *ctx, const void *arg)
{
  scoped_mat *A = NULL;
  scoped_vec *b = NULL, *x = NULL;
  scoped_solver *solver = NULL;
  ovk_solver_opts opts = solver_opts(.method = "auto", .backend = "blocking");
  ovk_err err = ovk_mat_create(ctx, 2, &A);
  for (ovk_gidx i = 0; i < 4 && !err; i++) {
    const ovk_gidx first = ovk_mat_row_begin(A);
    (void)ovk_mat_add(A, first + i / 2, first + i % 2, i == 0 || i == 3 ? 1 : 3); /* kept */
  }
  OVK_CALL(err, ovk_mat_assemble(A));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  if (!err) ovk_vec_array(b)[0] = 1;
  if (!err) ovk_vec_array(b)[1] = -1;
  OVK_CALL(err, ovk_solver_create(A, NULL, &opts, &solver));
  if (!err) {
    err = ovk_solver_solve(solver, b, x, NULL);
    if (err) assert_int_equal(ovk_solver_solve(solver, b, x, NULL), OVK_ERR_STATE);
    if (!err) assert_string_equal(ovk_solver_method(solver), "minres");
  }
  return err;
}
