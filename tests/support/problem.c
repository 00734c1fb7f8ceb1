/* SPDX-License-Identifier: BSD-2-Clause */
/* Systems, solves and assertions about them. */
#include "support/problem.h"

static void assert_alike(const ovk_result *res)
{
  const int mine[4] = {res->reason, res->iterations, res->replacements, res->method_changes};
  int first[4];
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, 4, MPI_INT, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, mine, sizeof mine);
}

ovk_result solve_from(ovk_solver *solver, const ovk_vec *b, ovk_vec *x)
{
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_solver_solve(solver, b, x, &res));
  assert_string_equal(res.method, ovk_solver_method(solver));
  assert_alike(&res);
  return res;
}

ovk_result solve_from_zero(ovk_solver *solver, const ovk_vec *b, ovk_vec *x)
{
  assert_ok(ovk_vec_fill(x, 0));
  return solve_from(solver, b, x);
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

void assert_near(const ovk_vec *v, const double *all, double most)
{
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    assert_true(fabs(ovk_vec_array_const(v)[i] - all[ovk_vec_first(v) + i]) <= most);
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
