/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense random systems, solved by a method and checked without the library. */
#ifndef OVK_TEST_SYSTEMS_H
#define OVK_TEST_SYSTEMS_H

#include <ovkrylov/ovkrylov.h>

/* A system A x = b of n rows, also stored completely on every rank. */
typedef struct dense_system {
  int n;
  double *A_all, *b_all;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} dense_system;

/* A times `scale_A` with the jacobi preconditioner, random b times `scale_b`; takes ownership of
 * A. */
dense_system system_of(double *A, int n, uint64_t seed, double scale_A, double scale_b);

/* A random positive definite one. */
dense_system random_system(int n, double condition, uint64_t seed);

void system_clear(dense_system *S);

/* Solves from x = 0; all ranks get the same reason and iterations. */
ovk_result system_solve(const dense_system *S, ovk_precond *M, const ovk_solver_opts *opts);

/* ||b - A x|| / ||b||, from the arrays; *rounding is the part that rounding errors may account for.
 * Collective. */
double system_residual(const dense_system *S, double *rounding);

/* Textbook preconditioned CG (Hestenes and Stiefel 1952; Saad 2003, algorithm 9.1) from x = 0 with
 * C = diag(A): ||r|| after each of `steps` iterations, and the complete x at the end. */
void textbook_cg(const dense_system *S, int steps, double *norms, double *x);

/* Solves from x = 0 in exactly `steps` iterations; the recurred and the true ||r|| are those of
 * `norms`, which begins behind the first one, but for `most`. */
void check_steps(const dense_system *S, ovk_precond *M, ovk_solver_opts opts, int steps,
                 const double *norms, double most);

/* The argument of the monitor ask(), which computes ||b - A x|| for the solution so far and
 * compares it with what it is told, to `tolerance` times ||b||. */
typedef struct asking {
  ovk_solver *solver;
  const dense_system *P;
  ovk_vec *x, *r;
  double tolerance;
  int calls;
} asking;

int ask(void *arg, const ovk_progress *progress);

/* The methods that hide or avoid sums, NULL-terminated. */
extern const char *const overlapped_methods[];
enum { SINGLE_REDUCTION, GROPP, PIPELINED, PREDICT_RECOMPUTE };

#endif
