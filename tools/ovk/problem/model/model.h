/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices of the model problems on a box. */
#ifndef OVK_TOOL_MODEL_MODEL_H
#define OVK_TOOL_MODEL_MODEL_H

#include "box.h"

/* Makes this rank's rows of the problem of a kind with n[0] x n[1] x n[2] points a rank. Not
 * collective. */
ovk_err model_rows(ovk_ctx *ctx, const box_kind *kind, const int n[3], block *out);

/* The coordinates of this rank's points of the elasticity problem, to be freed; NULL: no memory. */
double *model_coordinates(const int n[3], const block *rows);

/* *out <- the matrix with these rows, in a storage format (NULL: "auto"). With coordinates it is
 * described to multigrid: unknowns of a point, and the points, for rigid body modes. Collective. It
 * is to be destroyed also after a failure. */
ovk_err model_assemble(ovk_ctx *ctx, const block *rows, const char *format,
                       const double *coordinates, ovk_mat **out);

#endif
