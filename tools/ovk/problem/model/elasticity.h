/* SPDX-License-Identifier: BSD-2-Clause */
/* Linear elasticity of a box, three unknowns a point, that is clamped at its bottom. */
#ifndef OVK_TOOL_MODEL_ELASTICITY_H
#define OVK_TOOL_MODEL_ELASTICITY_H

#include "block.h"

enum { ELASTICITY_UNKNOWNS = 3 }; /* of a point, rows that follow each other */

/* Makes this rank's rows, of n[0] x n[1] x n[2] points a rank, ranks one above the other. Not
 * collective. */
ovk_err elasticity_rows(ovk_ctx *ctx, const int n[3], block *out);

/* The place of this rank's point number k, where a cell has the edge 1. */
void elasticity_place(const int n[3], const block *rows, ovk_lidx k, double place[3]);

#endif
