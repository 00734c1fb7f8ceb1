/* SPDX-License-Identifier: BSD-2-Clause */
/* A lattice of springs, with three displacements of each point. */
#ifndef OVK_TESTS_PRECOND_AMG_TRUSS_H
#define OVK_TESTS_PRECOND_AMG_TRUSS_H

#include <ovkrylov/ovkrylov.h>

enum { DIM = 3 };

/* The rows of a rank that has whole points. */
int truss_share(const ovk_ctx *ctx, int n);

/* n^3 points, whole ones on each rank, without a block size; with `wall` it stands on one. With
 * `split` the first rank has so many rows of the last one. */
ovk_mat *new_loose_truss(ovk_ctx *ctx, int n, bool wall, int split);

/* The same of whole points, with the block size, and with their coordinates. */
ovk_mat *new_truss(ovk_ctx *ctx, int n, bool wall, bool coordinates);

/* Adds the entries of springs of this stiffness, and assembles. */
void fill_truss(ovk_mat *A, int n, bool wall, double stiffness);

#endif
