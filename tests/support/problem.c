/* SPDX-License-Identifier: BSD-2-Clause */
/* Systems, and the objects they are made of. */
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

ovk_mat *assembled(ovk_mat *A)
{
  assert_ok(ovk_mat_assemble(A));
  return A;
}

ovk_mat *new_tridiagonal(ovk_lidx nlocal, double diagonal)
{
  ovk_mat *A = new_mat(nlocal);
  const ovk_gidx first = ovk_mat_row_begin(A), n = ovk_mat_size(A);
  for (ovk_gidx i = first; i < first + nlocal; i++) {
    assert_ok(ovk_mat_add(A, i, i, diagonal));
    if (i > 0) assert_ok(ovk_mat_add(A, i, i - 1, -1));
    if (i < n - 1) assert_ok(ovk_mat_add(A, i, i + 1, -1));
  }
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

static void assert_alike(const ovk_result *res)
{
  const int mine[4] = {res->reason, res->iterations, res->replacements, res->method_changes};
  int first[4];
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, 4, MPI_INT, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, mine, sizeof mine);
}

ovk_result solve_from_zero(ovk_solver *solver, const ovk_vec *b, ovk_vec *x)
{
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_vec_fill(x, 0));
  assert_ok(ovk_solver_solve(solver, b, x, &res));
  assert_alike(&res);
  return res;
}

void assert_end_(ovk_result res, ovk_reason reason, const char *words, const char *file, int line)
{
  const char *message = ovk_ctx_error(test_ctx());
  if (res.reason == reason && (!words || strstr(message, words))) return;
  print_error("%s in iteration %d, not %s with '%s': '%s'\n", ovk_reason_text(res.reason),
              res.iterations, ovk_reason_text(reason), words ? words : "", message);
  _fail(file, line);
}

void fill_random(ovk_vec *v, uint64_t seed)
{
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    ovk_vec_array(v)[i] = random_number(seed, (uint64_t)(ovk_vec_first(v) + i)) - 0.5;
  }
}

void assert_same_vec(const ovk_vec *a, const ovk_vec *b)
{
  const size_t n = (size_t)ovk_vec_local_size(a);
  assert_int_equal(ovk_vec_local_size(b), n);
  if (n) assert_memory_equal(ovk_vec_array_const(a), ovk_vec_array_const(b), n * sizeof(double));
}

void assert_same_product(const ovk_mat *A, const ovk_mat *B)
{
  scoped_vec *x = new_vec(A), *y = new_vec(A), *z = new_vec(A);
  fill_random(x, 5);
  assert_ok(ovk_mat_mult(A, x, y));
  assert_ok(ovk_mat_mult(B, x, z));
  assert_same_vec(y, z);
}

ovk_solver_opts solver_opts_(ovk_solver_opts given)
{
  const ovk_solver_opts defaults = OVK_SOLVER_OPTS;
  given.size = defaults.size;
  if (given.rtol == 0) given.rtol = defaults.rtol;
  if (given.dtol == 0) given.dtol = defaults.dtol;
  if (given.maxit == 0) given.maxit = defaults.maxit;
  return given;
}

linear_system new_system(ovk_mat *A, const char *precond)
{
  linear_system s = {.A = A, .b = new_vec(A), .x = new_vec(A)};
  if (precond) s.M = new_precond(A, precond);
  assert_ok(ovk_vec_fill(s.b, 1));
  return s;
}

linear_system new_system_of_ones(ovk_mat *A, const char *precond)
{
  linear_system s = new_system(A, precond);
  assert_ok(ovk_vec_fill(s.x, 1));
  assert_ok(ovk_mat_mult(A, s.x, s.b));
  assert_ok(ovk_vec_fill(s.x, 0));
  return s;
}

void clear_system(linear_system *s)
{
  ovk_vec **const vectors[] = {&s->b, &s->x, &s->wanted, &s->r, &s->z};
  for (int k = 0; k < 5; k++) ovk_vec_destroy(vectors[k]);
  ovk_solver_destroy(&s->solver);
  ovk_precond_destroy(&s->M);
  ovk_mat_destroy(&s->A);
  ovk_ctx_destroy(&s->ctx);
}

linear_system new_tridiagonal_system(ovk_lidx nlocal, double diagonal)
{
  return new_system(new_tridiagonal(nlocal, diagonal), "jacobi");
}

void spoil_last(ovk_vec *v, double value)
{
  if (is_last()) ovk_vec_array(v)[ovk_vec_local_size(v) - 1] = value;
}

ovk_result solve_alike(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                       const ovk_solver_opts *opts)
{
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_solve(A, M, b, x, opts, &res));
  assert_alike(&res);
  return res;
}

ovk_result solve_system(const linear_system *s, const ovk_solver_opts *opts)
{
  assert_ok(ovk_vec_fill(s->x, 0));
  return solve_alike(s->A, s->M, s->b, s->x, opts);
}

const char *matrix_path(const char *name)
{
  static char path[4096];
  const char *dir = getenv("OVK_MATRIX_DIR");
  if (!dir || !*dir) return NULL;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}
