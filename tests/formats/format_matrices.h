/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices of many kinds for the test of all storage formats, made row by row from a seed. */
#ifndef OVK_TEST_FORMAT_MATRICES_H
#define OVK_TEST_FORMAT_MATRICES_H

#include <ovkrylov/ovkrylov.h>
#include <stdbool.h>

/* This rank's rows of a matrix, as ovk_mat_add_csr() takes them; columns increase. */
typedef struct matrix_rows {
  const char *name;
  ovk_gidx n, first;
  ovk_lidx nlocal;
  int64_t *ptr;
  ovk_gidx *col;
  double *val;
} matrix_rows;

void free_rows(matrix_rows *rows);

/* Matrix number `which`, or false if there are no more. The distribution of rows depends on the
 * seed: even, or with ranks that have none. Collective. */
bool make_matrix(int which, uint64_t seed, matrix_rows *out);

/* A file below the folder of real matrices. Collective. */
void read_matrix(const char *file, matrix_rows *out);

#endif
