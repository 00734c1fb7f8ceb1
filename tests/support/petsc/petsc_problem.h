/* SPDX-License-Identifier: BSD-2-Clause */
/* Systems of PETSc for the tests of libovkpetsc.so, and KSPs by options. */
#ifndef OVK_TEST_PETSC_PROBLEM_H
#define OVK_TEST_PETSC_PROBLEM_H

#include "support/test_main.h"

#include <petscksp.h>

#define assert_petsc(call) assert_int_equal((int)(call), 0)

/* As those of support/scoped.h. */
void destroy_ksp(KSP *ksp);
void destroy_mat(Mat *A);
void destroy_vec(Vec *v);
void destroy_nullspace(MatNullSpace *nullspace);
#define scoped_KSP SCOPED(destroy_ksp) KSP
#define scoped_Mat SCOPED(destroy_mat) Mat
#define scoped_Vec SCOPED(destroy_vec) Vec
#define scoped_MatNullSpace SCOPED(destroy_nullspace) MatNullSpace

/* Asserts that a call fails with this code, and that its text contains `part`, which may be NULL.
 */
#define assert_refused(call, code, part)                                                           \
  do {                                                                                             \
    assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));                            \
    const PetscErrorCode refused_ = (call);                                                        \
    assert_petsc(PetscPopErrorHandler());                                                          \
    assert_code(refused_, (code), (part));                                                         \
  } while (0)
void assert_code(PetscErrorCode got, PetscErrorCode code, const char *part);

/* Set-up and tear-down of a group. */
int open_petsc(void **state);
int close_petsc(void **state);

/* Each row of this rank. */
#define FOR_EACH_ROW(A, i) for (PetscInt i = row_begin(A), end_ = row_end(A); i < end_; i++)
PetscInt row_begin(Mat A);
PetscInt row_end(Mat A);

/* A(i, j) <- value, or A(i, j) + value; then assemble() ends the changes. */
void set_value(Mat A, PetscInt i, PetscInt j, double value);
void add_value(Mat A, PetscInt i, PetscInt j, double value);
void assemble(Mat A);

/* v(i) <- value, an expression of i, for each row of this rank. A nest has no VecSetValues(). */
#define FILL_ROWS(v, i, value)                                                                     \
  do {                                                                                             \
    PetscInt first_, end_;                                                                         \
    PetscScalar *array_;                                                                           \
    assert_petsc(VecGetOwnershipRange(v, &first_, &end_));                                         \
    assert_petsc(VecGetArray(v, &array_));                                                         \
    for (PetscInt i = first_; i < end_; i++) array_[i - first_] = (value);                         \
    assert_petsc(VecRestoreArray(v, &array_));                                                     \
  } while (0)

/* The 5-point Laplacian on a grid of n x n points over `comm`, with zeros around it or, for a
 * singular one, natural boundaries; `type` is a type of PETSc. */
Mat make_laplace(MPI_Comm comm, PetscInt n, bool singular, MatType type);

/* A as a shell, which has no rows. */
Mat make_shell_of(Mat A);

/* Declares the constants the null space of A. */
void set_constant_nullspace(Mat A);

/* Of objects that are made between these calls, their inner ones too. */
void push_options(const char *defaults, const char *options);
void pop_options(void);

/* A KSP of A with these options. */
KSP make_ksp(Mat A, const char *options);

/* Solves A x = A (1, 2, ..., n) / n; *error is the largest entry of the error of x. */
PetscErrorCode try_solve(KSP ksp, Mat A, double *error);

/* The same where the solve must not fail. Returns the error of x. */
double solve_error(KSP ksp, Mat A);

/* The same for A^T, which must converge. */
double transpose_error(KSP ksp, Mat A);

/* The same with a KSP that is destroyed after it; *iterations, unless NULL, is how many it took. */
double solve_once(Mat A, const char *options, PetscInt *iterations);

/* Makes the vectors and solves A x = (1, ..., 1) from x = 0. */
void solve_ones(KSP ksp, Mat A, Vec *b, Vec *x);

/* || b - A x || */
double norm_of_residual(Mat A, Vec b, Vec x);

/* How the last solve ended, and its iterations. */
KSPConvergedReason reason_of(KSP ksp);
PetscInt iterations_of(KSP ksp);

/* How often an event of the log, such as "PCApply", has happened on this rank. */
int count_events(const char *name);

/* Products by MatMult() since PetscLogDefaultBegin(). */
int count_products(void);

/* Makes a solve with b = (1, ..., 1); returns how many products more than iterations it made. */
int count_more_products(KSP ksp, Mat A);

void assert_ended(KSP ksp, KSPConvergedReason wanted, PetscInt iterations);

/* A monitor that fails on the last rank in iteration 3. */
PetscErrorCode fail_on_last_rank(KSP ksp, PetscInt iteration, PetscReal norm, void *arg);

/* Asserts that the output of -ksp_view contains `part`, or does not, on all ranks. */
void assert_views(KSP ksp, const char *part);
void assert_views_without(KSP ksp, const char *part);

/* assert_refused() for a solve with b = A (1, 2, ..., n) / n. */
void assert_solve_fails(KSP ksp, Mat A, PetscErrorCode code, const char *part);

#endif
