/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices and right-hand sides that several tests use. */
#ifndef OVK_TEST_MATRICES_H
#define OVK_TEST_MATRICES_H

#include <ovkrylov/ovkrylov.h>

/* A path below the folder of real matrices (OVK_MATRIX_DIR), in a static buffer; NULL where there
 * is no such folder: the test then skips. */
const char *matrix_path(const char *name);

/* A uniform number in [0,1) from a seed and an index, the same on every rank. */
double random_number(uint64_t seed, uint64_t index);

/* A dense random symmetric positive definite matrix of n rows with condition about `condition`, as
 * a row-major array on every rank; to be freed with free(). */
double *random_spd(int n, double condition, uint64_t seed);

/* The same array as a distributed matrix, rows dealt out by `nlocal`. */
ovk_mat *distribute(ovk_ctx *ctx, const double *dense, int n, ovk_lidx nlocal);

/* How many of n rows this rank has if the first ranks get one more where there is a rest. */
ovk_lidx even_share(int n, int rank, int size);

#endif
