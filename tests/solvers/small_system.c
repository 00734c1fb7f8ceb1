/* SPDX-License-Identifier: BSD-2-Clause */
/* The small systems of tests of how solves end. */
#include "small_system.h"

ovk_result solve_alike(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                       const ovk_solver_opts *opts)
{
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_solve(A, M, b, x, opts, &res));
  int mine[2] = {res.reason, res.iterations}, first[2] = {res.reason, res.iterations};
  MPI_Bcast(first, 2, MPI_INT, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, mine, sizeof mine);
  return res;
}

linear_system make_tridiagonal(ovk_lidx nlocal, double diagonal)
{
  return new_system(new_tridiagonal(nlocal, diagonal), "jacobi");
}

void spoil(ovk_vec *v, double value)
{
  if (is_last()) ovk_vec_array(v)[ovk_vec_local_size(v) - 1] = value;
}
