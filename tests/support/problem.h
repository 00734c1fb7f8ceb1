/* SPDX-License-Identifier: BSD-2-Clause */
/* The systems of linear equations that tests solve, and the objects over all ranks that they are
 * made of, by functions that return them. Includes test_main.h. A failure ends the test. All
 * collective, unless stated.
 */
#ifndef OVK_TEST_PROBLEM_H
#define OVK_TEST_PROBLEM_H

#include "support/dense/dense_system.h"
#include "support/random.h"
#include "support/test_main.h"

/* To be destroyed by the caller, as all else here; the other functions use test_ctx() or that of A.
 */
ovk_ctx *new_ctx(void);

/* Of this rank alone. */
ovk_ctx *new_self_ctx(void);

/* Not assembled. */
ovk_mat *new_mat(ovk_lidx nlocal);

/* The matrix of a file; format: NULL for the default one. */
ovk_mat *new_mat_of_file(const char *path, const char *format);

/* A, which it assembles. */
ovk_mat *assembled(ovk_mat *A);

/* Row i of A, which is not assembled: the entries that there are of (lower, diagonal, upper). */
void add_tridiagonal_row(ovk_mat *A, ovk_gidx i, double lower, double diagonal, double upper);

/* (-1, diagonal, -1), with `nlocal` rows on this rank. */
ovk_mat *new_tridiagonal(ovk_lidx nlocal, double diagonal);

/* Three diagonals of 3 x 3 blocks, in a format, with 3 `points` rows on this rank. */
ovk_mat *new_threes(ovk_lidx points, const char *format);

/* A matrix-free operator with these functions: new_shell(4, &user, .mult = f). */
#define new_shell(nlocal, user, ...) new_shell_((nlocal), (user), (ovk_shell_ops){__VA_ARGS__})
ovk_mat *new_shell_(ovk_lidx nlocal, void *user, ovk_shell_ops ops);

/* Laplacians of nx x ny x nz points on each rank, the ranks' boxes one above the other. */
ovk_mat *new_laplace27(int nx, int ny, int nz);
ovk_mat *new_laplace7(int nx, int ny, int nz);

/* That of n x n points in natural order, distributed evenly. */
ovk_mat *new_laplace5(int n);

/* A vector of zeros with the rows of A. */
ovk_vec *new_vec(const ovk_mat *A);

/* The same of numbers that are all `value`. */
ovk_vec *new_filled(const ovk_mat *A, double value);

/* A vector of zeros with the layout of v. */
ovk_vec *new_vec_like(const ovk_vec *v);

ovk_multivec *new_multivec_of(const ovk_mat *A, int columns);

ovk_precond *new_precond(ovk_mat *A, const char *spec);

/* opts: NULL for the default ones. */
ovk_solver *new_solver(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts);

ovk_reduction *new_sum(const char *spec, int count);

/* Assert that a constructor returns this error and no object, with a message that contains `part`
 * and is the same on every rank. */
#define assert_no_precond(A, spec, code, part)                                                     \
  assert_no_object(ovk_precond, ovk_precond_create((A), (spec), &none_), code, part)
#define assert_no_solver(A, M, opts, code, part)                                                   \
  assert_no_object(ovk_solver, ovk_solver_create((A), (M), (opts), &none_), code, part)
#define assert_no_sum(spec, count, code, part)                                                     \
  assert_no_object(ovk_reduction, ovk_reduction_create(test_ctx(), (spec), (count), &none_), code, \
                   part)
#define assert_no_collective(kind, code, part, ...)                                                \
  assert_no_object(ovk_collective, ovk_collective_create_##kind(test_ctx(), __VA_ARGS__, &none_),  \
                   code, part)
#define assert_no_object(type, call, code, part)                                                   \
  do {                                                                                             \
    type *none_ = NULL;                                                                            \
    assert_error((call), (code), (part));                                                          \
    assert_null(none_);                                                                            \
  } while (0)

/* Creates a collective operation, carries it out once and destroys it. */
#define run_collective(kind, ...)                                                                  \
  do {                                                                                             \
    scoped_collective *once_ = NULL;                                                               \
    assert_ok(ovk_collective_create_##kind(test_ctx(), __VA_ARGS__, &once_));                      \
    assert_ok(ovk_collective_run(once_));                                                          \
  } while (0)

/* Solves from the x given, and checks that all ranks get the same reason and counts. */
ovk_result solve_from(ovk_solver *solver, const ovk_vec *b, ovk_vec *x);

/* The same from x = 0. */
ovk_result solve_from_zero(ovk_solver *solver, const ovk_vec *b, ovk_vec *x);

/* A random number in [-1/2,1/2) for each row, the same on any number of ranks. */
void fill_random(ovk_vec *v, uint64_t seed);

/* Asserts that the rows of v differ from those of an array of all rows by `most` at
 * most. Local. */
void assert_near(const ovk_vec *v, const double *all, double most);

/* Asserts that two vectors have the same bits. Local. */
void assert_same_vec(const ovk_vec *a, const ovk_vec *b);

/* Asserts that the products of two matrices with one vector have the same bits. */
void assert_same_product(const ovk_mat *A, const ovk_mat *B);

/* Asserts how a solve ended: its reason, and that the message has these words, which may be NULL.
 */
#define assert_end(res, reason, words) assert_end_((res), (reason), (words), __FILE__, __LINE__)
void assert_end_(ovk_result res, ovk_reason reason, const char *words, const char *file, int line);

/* Solver options; members that are not given, or 0, have their defaults:
 * solver_opts(.method = "cg", .rtol = 1e-3). */
#define solver_opts(...) solver_opts_((ovk_solver_opts){__VA_ARGS__})
ovk_solver_opts solver_opts_(ovk_solver_opts given);

static inline ovk_solver_opts with_method(const char *method)
{
  return solver_opts(.method = method);
}

/* A x = b with a preconditioner, which may be NULL. Some tests also have its own context, the known
 * solution, work vectors and a solver here. */
typedef struct linear_system {
  ovk_ctx *ctx;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x, *wanted, *r, *z;
  ovk_solver *solver;
} linear_system;

/* Takes ownership of A; `precond` may be NULL; b = (1, 1, ...), x = 0. */
linear_system new_system(ovk_mat *A, const char *precond);

/* The same with b = A (1, 1, ...). */
linear_system new_system_of_ones(ovk_mat *A, const char *precond);

void clear_system(linear_system *s);
#define scoped_system SCOPED(clear_system) linear_system

/* That of new_tridiagonal(), with the jacobi preconditioner. */
linear_system new_tridiagonal_system(ovk_lidx nlocal, double diagonal);

/* Sets the last entry of the last rank, which must have one. Local. */
void spoil_last(ovk_vec *v, double value);

/* Solves from the x given, and checks that all ranks get the same reason and counts. */
ovk_result solve_alike(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                       const ovk_solver_opts *opts);

/* The same from x = 0. */
ovk_result solve_system(const linear_system *s, const ovk_solver_opts *opts);

/* A progress hook that counts its calls; `calls`: an int. */
static inline void count_call(void *calls)
{
  ++*(int *)calls;
}

/* For ovk_ctx_on_notice(); `text`: room for NOTICE characters, which has the last message. */
enum { NOTICE = 512 };
static inline void keep_notice(void *text, const char *message)
{
  snprintf(text, NOTICE, "%s", message);
}

/* The product of a shell whose products are never made. */
static inline ovk_err no_product(void *user, const double *x, double *y, ovk_poll poll)
{
  return OVK_OK;
}

/* `factor` of a user-defined preconditioner that always has its factors. */
static inline ovk_err has_factors(void *state)
{
  return OVK_OK;
}

/* Matrices that are also stored completely on every rank. */

/* A path below the folder of real matrices (OVK_MATRIX_DIR), in a static buffer; NULL if there is
 * no such folder: the test then skips. */
const char *matrix_path(const char *name);

#endif
