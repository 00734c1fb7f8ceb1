/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices and right-hand sides that several tests use. */
#ifndef OVK_TEST_MATRICES_H
#define OVK_TEST_MATRICES_H

#include "support/random.h"

#include <ovkrylov/ovkrylov.h>

/* A path below the folder of real matrices (OVK_MATRIX_DIR), in a static buffer; NULL if there is
 * no such folder: the test then skips. */
const char *matrix_path(const char *name);

/* A dense random symmetric positive definite matrix of n rows with condition number about
 * `condition`, as a row-major array on every rank; to be freed with free(). */
double *random_spd(int n, double condition, uint64_t seed);

/* The same array as a distributed matrix, with `nlocal` rows on this rank. */
ovk_mat *distribute(ovk_ctx *ctx, const double *dense, int n, ovk_lidx nlocal);

/* This rank's share of n rows if the first ranks get one more when n is not divisible. */
ovk_lidx even_share(int n, int rank, int size);

#endif
