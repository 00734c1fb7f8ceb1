/* SPDX-License-Identifier: BSD-2-Clause */
/* The small systems of tests of how solves end. */
#include "small_system.h"

ovk_result solve_alike(const ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                       const ovk_pcg_opts *opts)
{
  ovk_result res;
  assert_ok(ovk_solve(A, M, b, x, opts, &res));
  int mine[2] = {res.reason, res.iterations}, first[2] = {res.reason, res.iterations};
  MPI_Bcast(first, 2, MPI_INT, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, mine, sizeof mine);
  return res;
}

linear_system make_tridiagonal(ovk_lidx nlocal, double diagonal)
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

void clear_system(linear_system *s)
{
  ovk_precond_destroy(&s->M);
  ovk_mat_destroy(&s->A);
  ovk_vec_destroy(&s->b);
  ovk_vec_destroy(&s->x);
}

bool is_last(void)
{
  return test_rank == test_size - 1;
}

void spoil(ovk_vec *v, double value)
{
  if (is_last()) ovk_vec_array(v)[ovk_vec_local_size(v) - 1] = value;
}
