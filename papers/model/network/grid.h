/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages of a 27-point stencil on a grid of ranks without wrap-around, and of its coarse
 * levels. */
#ifndef OVK_MODEL_GRID_H
#define OVK_MODEL_GRID_H

#include "model/network/exchange.h"

/* The ranks that have rows of a level: 0, stride, 2 stride, ..., those of the ranks up to the next
 * one. */
typedef struct ovk__rank_grid {
  int grid[3];
  int stride;
  double n[3]; /* the rows of one of all ranks in each direction */
} ovk__rank_grid;

/* The grid of the model itself. */
ovk_err ovk__rank_grid_make(ovk_ctx *ctx, const ovk_model *model, ovk__rank_grid *out);

/* *out <- the messages of values of the grid `coarse` that ranks with rows of `fine` need from, or
 * have for, ranks with rows of `coarse`: the stencil's neighbors, and where these are fewer ranks
 * their own rows. Its stride is a multiple of that of `fine`. `up`: from coarse ranks, instead of
 * to them; a halo is the same in both directions. To be freed also after a failure. */
ovk_err ovk__rank_grid_exchange(ovk_ctx *ctx, const ovk_model *model, const ovk__rank_grid *fine,
                                const ovk__rank_grid *coarse, bool up, ovk__model_exchange *out);

#endif
