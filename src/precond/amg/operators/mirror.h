/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix of sums, or of sums and their mirror images. */
#ifndef OVK_PRECOND_AMG_OPERATORS_MIRROR_H
#define OVK_PRECOND_AMG_OPERATORS_MIRROR_H

#include "matrix/layout/layout.h"
#include "precond/amg/operators/accumulator.h"

#include <ovkrylov/matrix.h>

/* *out <- the matrix for these sums, which are its `part`, assembled; `layout` is that of its rows.
 * Where a row has no sum its diagonal is the largest one of all rows. *hash <- a hash of the sums,
 * the same on all ranks and on any number of them. *out is NULL after a failure. Collective; errors
 * are agreed. */
ovk_err ovk__amg_mirror(ovk__amg_sums *sums, const ovk__layout *layout, ovk__amg_part part,
                        ovk_mat **out, uint64_t *hash);

#endif
