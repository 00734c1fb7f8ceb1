/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of single methods for several columns: corrections, replacements, other matrices. */
#include "columns.h"

/* Twelve Lanczos steps do not find the smallest eigenvalue. */
TEST(the_chebyshev_form_corrects_the_interval_of_each_column)
{
  scoped_mat *A = new_tridiagonal(40, 2.001);
  const ovk_solver_opts opts = with_method("chebyshev");
  check_columns(A, NULL, &opts, 5);
}

/* Tridiagonal, with these numbers. */
static ovk_mat *new_toeplitz(double below, double diagonal, double above)
{
  ovk_mat *A = new_mat(9);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + 9; i < end; i++) {
    add_tridiagonal_row(A, i, below, diagonal, above);
  }
  return assembled(A);
}

TEST(forms_for_other_matrices_end_as_single_solves)
{
  static const char *const nonsymmetric[] = {"bcgs", "gmres:restart=5", "bcgs:side=left",
                                             "gmres:restart=5,side=left"};
  scoped_mat *A = new_toeplitz(-1, 0.6, -1), *B = new_toeplitz(-1.5, 2.5, -0.5);
  ovk_solver_opts opts = with_method("minres");
  check_columns(A, NULL, &opts, 6);
  for (int k = 0; k < 4; k++) {
    opts.method = nonsymmetric[k];
    opts.norm = k < 2 ? OVK_NORM_UNPRECONDITIONED : OVK_NORM_PRECONDITIONED;
    scoped_precond *M = new_precond(B, k % 2 ? "jacobi" : "ilu");
    check_columns(B, M, &opts, 6);
  }
}

/* The recurrences of pipecg drift on the way to the solution of so ill-conditioned a system. */
TEST(the_pipelined_form_replaces_its_vectors_column_by_column)
{
  enum { N = 40 };
  static const char *const preconds[] = {"jacobi", "ssor"};
  scoped_array double *dense = random_spd(N, 1e7, 4);
  scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  const ovk_solver_opts opts = with_method("pipecg");
  for (int k = 0; k < 2; k++) {
    scoped_precond *M = new_precond(A, preconds[k]);
    scoped_columns C = new_columns(A, 5);
    solve_columns_once(&C, M, &opts);
    for (int c = 0; c < 5; c++) {
      assert_true(C.results[c].replacements > 0);
      assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
    }
  }
}
