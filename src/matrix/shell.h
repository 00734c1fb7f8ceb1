/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix-free operators. */
#ifndef OVK_MATRIX_SHELL_H
#define OVK_MATRIX_SHELL_H

#include <ovkrylov/matrix.h>

/* y <- A x by the user function; failures are local. */
ovk_err ovk__shell_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll);

/* d <- the diagonal by the user function; failures are local. */
ovk_err ovk__shell_diagonal(const ovk_mat *A, double *d);

#endif
