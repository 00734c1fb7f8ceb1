/* SPDX-License-Identifier: BSD-2-Clause */
/* A small matrix, with one rank that has no rows, and a preconditioner of it. */
#ifndef OVK_TEST_PRECOND_CASE_H
#define OVK_TEST_PRECOND_CASE_H

#include "support/problem.h"

typedef struct precond_case {
  int n, first, local; /* all rows, and this rank's */
  double *dense;       /* n x n, by rows */
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *r, *z, *t; /* r is random */
} precond_case;

/* Takes ownership of A; without a dense matrix. */
precond_case case_of(ovk_mat *A, const char *spec);

/* Takes ownership of a dense matrix. With several ranks, the first has no rows. */
precond_case case_make(double *dense, int n, const char *spec);
void case_clear(precond_case *P);
#define scoped_precond_case SCOPED(case_clear) precond_case

/* The same matrix as this rank's block alone: 0 unless row and column are this rank's. */
double case_entry(const precond_case *P, int i, int j);

/* Fails unless C^-1 r is L^-T L^-1 r, and (r, C^-1 r) is (t, t) for t = L^-1 r. Collective. */
void case_check_factors(precond_case *P);

/* Fails unless A C^-1 r is r, to this tolerance. Collective. */
void case_check_inverse(precond_case *P, double tolerance);

/* Fails unless polls in every row, at least `least` of them, change no bit of C^-1 r, and, with
 * factors, of L^-1 r and L^-T r. Collective. */
void case_check_polls(precond_case *P, int least, bool factors);

/* The iterations of a method from x = 0 with b = (1, 1, ...), which must converge. Takes ownership
 * of A. Collective. */
int count_iterations(ovk_mat *A, const char *precond, const char *method);

/* Updates M, and fails unless its text is that of a new one. Collective. */
void assert_updated_as_new(ovk_precond *M, ovk_mat *A, const char *spec);

/* Fails unless a method with "amg" solves a system whose null space is constant, which "amg" sees,
 * in 3 to 30 iterations. Takes ownership of A. Collective. */
void check_amg_solves_singular(ovk_mat *A, const char *method);

#endif
