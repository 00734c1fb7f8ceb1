/* SPDX-License-Identifier: BSD-2-Clause */
/* The inverse of a dense matrix. */
#ifndef OVK_PRECOND_AMG_INVERSE_H
#define OVK_PRECOND_AMG_INVERSE_H

#include "core/context/check.h"

/* a <- its inverse, n x n numbers row by row; if it is singular the pseudo-inverse, and *singular
 * <- the directions that this omits. OVK_ERR_INDEFINITE if a symmetric one has a negative
 * eigenvalue. Not collective. */
ovk_err ovk__amg_invert(ovk_ctx *ctx, double *a, int n, bool symmetric, int *singular);

#endif
