/* SPDX-License-Identifier: BSD-2-Clause */
/* Systems that every rank also has as dense arrays, and textbook results to compare with. A failure
 * ends the test. */
#ifndef OVK_TEST_DENSE_SYSTEM_H
#define OVK_TEST_DENSE_SYSTEM_H

#include "support/scoped.h"

/* A dense random symmetric positive definite matrix of n rows with condition number about
 * `condition`, as a row-major array on every rank; to be freed with free(). */
double *random_spd(int n, double condition, uint64_t seed);

/* The same array as a distributed matrix, with `nlocal` rows on this rank. */
ovk_mat *distribute(ovk_ctx *ctx, const double *dense, int n, ovk_lidx nlocal);

/* This rank's share of n rows if the first ranks get one more when n is not divisible. */
ovk_lidx even_share(int n, int rank, int size);

/* A system A x = b of n rows, also stored completely on every rank. */
typedef struct dense_system {
  int n;
  double *A_all, *b_all;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} dense_system;

/* A with this b, or (1, 1, ...) if NULL, and no preconditioner; takes ownership of A. */
dense_system new_bare_system(double *A, int n, const double *b);

/* A times `scale_A` with the jacobi preconditioner, random b times `scale_b`; takes ownership of
 * A. */
dense_system new_dense_system(double *A, int n, uint64_t seed, double scale_A, double scale_b);

/* A random positive definite one. */
dense_system new_random_system(int n, double condition, uint64_t seed);

void clear_dense_system(dense_system *S);
#define scoped_dense_system SCOPED(clear_dense_system) dense_system

/* solve_alike() of support/problem.h from x = 0. */
ovk_result solve_dense_system(const dense_system *S, ovk_precond *M, const ovk_solver_opts *opts);

/* ||b - A x|| / ||b||, from the arrays; *rounding is the part that rounding errors may account for.
 * Collective. */
double dense_residual(const dense_system *S, double *rounding);

/* Textbook preconditioned CG (Hestenes and Stiefel 1952; Saad 2003, algorithm 9.1) from x = 0 with
 * C = diag(A): ||r|| after each of `steps` iterations, and the complete x at the end. */
void textbook_cg(const dense_system *S, int steps, double *norms, double *x);

/* Solves from x = 0 in exactly `steps` iterations; the recurred and the true ||r|| are those of
 * `norms`, which begins after the first one, up to `most`. */
void check_steps(const dense_system *S, ovk_precond *M, ovk_solver_opts opts, int steps,
                 const double *norms, double most);

/* The argument of the monitor ask(), which computes ||b - A x|| for the solution so far and
 * compares it with the reported norm, to `tolerance` times ||b||. */
typedef struct asking {
  ovk_solver *solver;
  const dense_system *P;
  ovk_vec *x, *r;
  double tolerance;
  int calls;
} asking;

int ask(void *arg, const ovk_progress *progress);

#endif
