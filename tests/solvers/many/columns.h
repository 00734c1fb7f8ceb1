/* SPDX-License-Identifier: BSD-2-Clause */
/* Right-hand sides, initial guesses and solutions as arrays, and solves of all of them at once and
 * one by one. */
#ifndef OVK_TEST_COLUMNS_H
#define OVK_TEST_COLUMNS_H

#include "support/problem.h"

enum { MOST_COLUMNS = 17 };

/* The methods that iterate columns together, each form once. */
extern const char *const many_forms[];
#define FOR_EACH_FORM(opts)                                                                        \
  for (int f_ = 0; many_forms[f_] && ((opts).method = many_forms[f_], true); f_++)

/* `columns` arrays of this rank's rows, one after the other. */
typedef struct columns {
  ovk_mat *A;
  int columns;
  size_t rows; /* of this rank */
  double *b, *x;
  ovk_result results[MOST_COLUMNS];
  char messages[MOST_COLUMNS][512];
  char summary[1024]; /* ovk_ctx_error() after the solve */
} columns;

/* Random b, which do not depend on the number of ranks, and x = 0. A stays the caller's. */
columns new_columns(ovk_mat *A, int n);
void clear_columns(columns *C);
#define scoped_columns SCOPED(clear_columns) columns

/* Row i of this rank in column c of b or x. */
static inline double *entry_of(const columns *C, double *array, int c, ovk_lidx i)
{
  return array + (size_t)c * C->rows + i;
}

/* 5 rows a rank: diagonal, with a negative entry in the last row. */
ovk_mat *new_negative_row(void);

/* For 9 columns of that matrix: number 1 has a NaN, 2 is 0, 4 has the direction of the negative
 * eigenvalue, and 5 is column 6. */
void set_trouble(columns *C);

/* For a tridiagonal matrix: each b is a sum of few eigenvectors, of (3 c) mod `columns` + 1 for
 * column c. */
void set_few_eigenvectors(columns *C);

/* Solves for all of them at once, from x, and checks that all ranks have the same results. */
void solve_columns(columns *C, ovk_solver *solver);

/* The same with a new solver. */
void solve_columns_once(columns *C, ovk_precond *M, const ovk_solver_opts *opts);

/* The single solves from the x of `start` end alike: with the same reason, iterations that differ
 * by 1 at most, the same message, and, where they converge, solutions that differ by no more than
 * `tolerance`. */
void check_single_solves(const columns *C, const columns *start, ovk_precond *M,
                         const ovk_solver_opts *opts, double tolerance);

/* The same for a method that may need fewer iterations, with a tolerance of 1e-5. */
void check_no_slower_solves(const columns *C, const columns *start, ovk_precond *M,
                            const ovk_solver_opts *opts);

/* With exact sums, solutions have the same bits over every backend. */
void check_exact_sums(ovk_solver_opts opts);

/* The same bits, also of the fingerprints, which are not 0. */
void check_same_columns(const columns *C, const columns *should);

/* All of that from x = 0 for n random b. */
void check_columns(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, int n);

#endif
