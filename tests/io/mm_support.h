/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of Matrix Market files: scratch files, matrices as dense arrays,
 * and errors of reading. */
#ifndef OVK_TEST_MM_SUPPORT_H
#define OVK_TEST_MM_SUPPORT_H

#include "support/problem.h"
#include "support/system/comma_locale.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The same new file name on all ranks, in TMPDIR or /tmp; valid until the next call. Collective. */
const char *scratch_path(void);

/* Rank 0 makes a file of these bytes under a new name, which is returned. Collective. */
const char *scratch_file(const char *bytes, size_t n);

/* Removes it when all ranks have finished with it. Collective. */
void remove_scratch(const char *path);

/* A matrix as a row-major array, the same on all ranks, to be freed with free(). Collective. */
double *dense_of(const ovk_mat *A);

/* A vector as an array, the same on all ranks, to be freed with free(). Collective. */
double *array_of(const ovk_vec *v);

/* Reads a text as a matrix of n rows and asserts its entries, row by row. Collective. */
void assert_reads_as(const char *text, int n, const double *expected);

/* A vector of n rows distributed evenly. */
ovk_vec *even_vec(ovk_ctx *ctx, int n);

/* Set-up and tear-down of a group that asserts errors. */
int open_self(void **state);
int close_self(void **state);

/* Reads on all ranks and asserts the error, then on one rank and asserts the same message. A vector
 * is not changed. Collective. */
void assert_matrix_error(const char *path, ovk_err code, const char *part);
void assert_vector_error(const char *path, int n, ovk_err code, const char *part);

#endif
