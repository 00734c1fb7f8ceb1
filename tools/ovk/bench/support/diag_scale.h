/* SPDX-License-Identifier: BSD-2-Clause */
/* DiagScale, the Jacobi preconditioner of hypre as Kandalla et al. (2012) print it in figure 4:
 * divides by diagonal entries that it finds through the row pointers of a CSR matrix with the
 * diagonal first in each row. */
#ifndef OVK_TOOL_DIAG_SCALE_H
#define OVK_TOOL_DIAG_SCALE_H

#include "tool.h"

/* Copies the local columns of A. Collective. */
ovk_err diag_scale_create(ovk_mat *A, ovk_precond **out);

#endif
