/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects over all ranks, by functions that return them; a failure ends the test. All collective.
 */
#ifndef OVK_TEST_CREATE_H
#define OVK_TEST_CREATE_H

#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/ovkrylov.h>

/* To be destroyed by the caller, as all else here; the other functions use test_ctx() or that of A.
 */
ovk_ctx *new_ctx(void);

/* Not assembled. */
ovk_mat *new_mat(ovk_lidx nlocal);

/* (-1, diagonal, -1), with `nlocal` rows on this rank. */
ovk_mat *new_tridiagonal(ovk_lidx nlocal, double diagonal);

/* Laplacians of nx x ny x nz points on each rank, the ranks' boxes one above the other. */
ovk_mat *new_laplace27(int nx, int ny, int nz);
ovk_mat *new_laplace7(int nx, int ny, int nz);

/* That of n x n points in natural order, dealt out evenly. */
ovk_mat *new_laplace5(int n);

/* A vector of zeros with the rows of A. */
ovk_vec *new_vec(const ovk_mat *A);

ovk_precond *new_precond(ovk_mat *A, const char *spec);

/* opts: NULL for the default ones. */
ovk_solver *new_solver(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts);

ovk_reduction *new_sum(const char *spec, int count);

/* Solves from x = 0. */
ovk_result solve_from_zero(ovk_solver *solver, const ovk_vec *b, ovk_vec *x);

/* A random number in [-1/2,1/2) for each row, the same on any number of ranks. */
void fill_random(ovk_vec *v, uint64_t seed);

/* The default options with this method. */
ovk_solver_opts with_method(const char *method);

/* A x = b with a preconditioner, which may be NULL. */
typedef struct linear_system {
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} linear_system;

/* Takes ownership of A; `precond` may be NULL; b = (1, 1, ...), x = 0. */
linear_system new_system(ovk_mat *A, const char *precond);
void clear_system(linear_system *s);

/* The same with a solver of its own. */
ovk_result solve_system(const linear_system *s, const ovk_solver_opts *opts);

#endif
