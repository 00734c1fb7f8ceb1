/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange of a 27-point stencil on a grid of ranks without wrap-around. */
#ifndef OVK_MODEL_GRID_H
#define OVK_MODEL_GRID_H

#include "core/check.h"
#include "model/links.h"

enum { OVK__DIRECTIONS = 26 };

/* What a rank receives in an exchange. Two of these a rank are enough: who sends the next but one
 * has received from this rank that it has ended this one. */
typedef struct ovk__inbox {
  double arrival[OVK__DIRECTIONS]; /* of the message from there */
  int count;
} ovk__inbox;

typedef struct ovk__rank_grid {
  const ovk_model *model;
  int grid[3];
  double rows[OVK__DIRECTIONS]; /* of a message to there */
  ovk__inbox *inboxes;          /* [2 rank + exchange % 2] */
} ovk__rank_grid;

/* Whatever happens, ovk__rank_grid_free() is due. */
ovk_err ovk__rank_grid_make(ovk_ctx *ctx, const ovk_model *model, ovk__rank_grid *out);
void ovk__rank_grid_free(ovk__rank_grid *halo);

/* The ranks around one: [direction], -1 where the grid ends; returns how many there are. */
int ovk__rank_grid_around(const ovk__rank_grid *halo, int rank, int neighbours[OVK__DIRECTIONS]);

/* The direction back. */
static inline int ovk__direction_back(int direction)
{
  return OVK__DIRECTIONS - 1 - direction;
}

/* Processor time of sending, or receiving, `vectors` at a time over a link. */
static inline double ovk__rank_grid_cost(const ovk__rank_grid *halo, int link, int direction,
                                         int vectors)
{
  const ovk_model_link *l = ovk__link_at(&halo->model->machine, link);
  return l->o + halo->rows[direction] * vectors * (double)sizeof(double) * l->O;
}

/* Processor time of all that a rank receives. */
double ovk__rank_grid_load(const ovk__rank_grid *halo, int rank, int vectors);

/* When a rank that has time from `time` on has received everything, one after the other. */
double ovk__rank_grid_receive(const ovk__rank_grid *halo, int rank, uint32_t exchange, int vectors,
                              double time);

#endif
