/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices, vectors and the other parts of a system. */
#include "support/problem.h"

ovk_ctx *new_ctx(void)
{
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  return ctx;
}

ovk_ctx *new_self_ctx(void)
{
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create_self(&ctx), OVK_OK);
  return ctx;
}

ovk_mat *new_mat(ovk_lidx nlocal)
{
  ovk_mat *A = NULL;
  assert_ok(ovk_mat_create(test_ctx(), nlocal, &A));
  return A;
}

ovk_mat *new_mat_of_file(const char *path, const char *format)
{
  ovk_mat *A = NULL;
  assert_ok(ovk_mat_read_mm(test_ctx(), path, format, &A));
  return A;
}

ovk_mat *assembled(ovk_mat *A)
{
  assert_ok(ovk_mat_assemble(A));
  return A;
}

void add_tridiagonal_row(ovk_mat *A, ovk_gidx i, double lower, double diagonal, double upper)
{
  if (i > 0) assert_ok(ovk_mat_add(A, i, i - 1, lower));
  assert_ok(ovk_mat_add(A, i, i, diagonal));
  if (i < ovk_mat_size(A) - 1) assert_ok(ovk_mat_add(A, i, i + 1, upper));
}

ovk_mat *new_tridiagonal(ovk_lidx nlocal, double diagonal)
{
  ovk_mat *A = new_mat(nlocal);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + nlocal; i++) add_tridiagonal_row(A, i, -1, diagonal, -1);
  return assembled(A);
}

ovk_mat *new_threes(ovk_lidx points, const char *format)
{
  ovk_mat *A = new_mat(3 * points);
  assert_ok(ovk_mat_set_format(A, format));
  const ovk_gidx first = ovk_mat_row_begin(A), n = ovk_mat_size(A);
  for (ovk_gidx i = first; i < first + 3 * (ovk_gidx)points; i++) {
    const ovk_gidx block = i - i % 3;
    for (ovk_gidx j = block - 3; j < block + 6; j++) {
      if (j >= 0 && j < n) assert_ok(ovk_mat_add(A, i, j, i == j ? 9.5 : -1));
    }
  }
  return assembled(A);
}

ovk_mat *new_shell_(ovk_lidx nlocal, void *user, ovk_shell_ops ops)
{
  ovk_mat *A = NULL;
  ops.size = sizeof ops;
  assert_ok(ovk_mat_create_shell(test_ctx(), nlocal, &ops, user, &A));
  return A;
}

ovk_mat *new_laplace27(int nx, int ny, int nz)
{
  const int n[3] = {nx, ny, nz}, grid[3] = {1, 1, test_size};
  ovk_mat *A = NULL;
  assert_ok(ovk_gallery_laplace27(test_ctx(), n, grid, NULL, &A));
  return A;
}

ovk_mat *new_laplace7(int nx, int ny, int nz)
{
  const int n[3] = {nx, ny, nz}, grid[3] = {1, 1, test_size};
  ovk_mat *A = NULL;
  assert_ok(ovk_gallery_laplace7(test_ctx(), n, grid, NULL, &A));
  return A;
}

ovk_mat *new_laplace5(int n)
{
  ovk_mat *A = new_mat(even_share(n * n, test_rank, test_size));
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    const ovk_gidx x = i % n, y = i / n;
    assert_ok(ovk_mat_add(A, i, i, 4));
    if (x > 0) assert_ok(ovk_mat_add(A, i, i - 1, -1));
    if (x < n - 1) assert_ok(ovk_mat_add(A, i, i + 1, -1));
    if (y > 0) assert_ok(ovk_mat_add(A, i, i - n, -1));
    if (y < n - 1) assert_ok(ovk_mat_add(A, i, i + n, -1));
  }
  return assembled(A);
}

ovk_vec *new_vec(const ovk_mat *A)
{
  ovk_vec *v = NULL;
  assert_ok(ovk_mat_create_vec(A, &v));
  return v;
}

ovk_vec *new_vec_like(const ovk_vec *v)
{
  ovk_vec *other = NULL;
  assert_ok(ovk_vec_duplicate(v, &other));
  return other;
}

ovk_multivec *new_multivec_of(const ovk_mat *A, int columns)
{
  ovk_multivec *V = NULL;
  assert_ok(ovk_mat_create_multivec(A, columns, &V));
  return V;
}

ovk_vec *new_filled(const ovk_mat *A, double value)
{
  ovk_vec *v = new_vec(A);
  assert_ok(ovk_vec_fill(v, value));
  return v;
}

ovk_precond *new_precond(ovk_mat *A, const char *spec)
{
  ovk_precond *M = NULL;
  assert_ok(ovk_precond_create(A, spec, &M));
  return M;
}

ovk_solver *new_solver(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts)
{
  ovk_solver *solver = NULL;
  assert_ok(ovk_solver_create(A, M, opts, &solver));
  return solver;
}

ovk_reduction *new_sum(const char *spec, int count)
{
  ovk_reduction *red = NULL;
  assert_ok(ovk_reduction_create(test_ctx(), spec, count, &red));
  return red;
}
