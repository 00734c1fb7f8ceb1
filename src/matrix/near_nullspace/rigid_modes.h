/* SPDX-License-Identifier: BSD-2-Clause */
/* The rigid body modes of points: displacements that do not deform. */
#ifndef OVK_MATRIX_NEAR_NULLSPACE_RIGID_MODES_H
#define OVK_MATRIX_NEAR_NULLSPACE_RIGID_MODES_H

#include "matrix/vector/vec_list.h"

/* *modes <- the translations and rotations of points with `dim` coordinates, 2 or 3, and as many
 * displacements, in rows of `layout`; without rotations that depend on the others. Entries do not
 * depend on how the points are distributed. Collective; errors are agreed. */
ovk_err ovk__rigid_modes(ovk_ctx *ctx, const ovk__layout *layout, int dim, const double *xyz,
                         ovk__vec_list *modes);

#endif
