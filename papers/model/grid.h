/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange of a 27-point stencil on a grid of ranks without wrap-around. */
#ifndef OVK_MODEL_GRID_H
#define OVK_MODEL_GRID_H

#include "core/context/check.h"
#include "model/links.h"

enum { OVK__DIRECTIONS = 26 };

/* The messages that a rank receives in an exchange. Two inboxes per rank suffice: a neighbor sends
 * exchange n + 2 only after it has received the message n + 1 of this rank, which is sent after
 * this rank has ended n. */
typedef struct ovk__inbox {
  double arrival[OVK__DIRECTIONS]; /* of the message from that direction */
  int count;
} ovk__inbox;

typedef struct ovk__rank_grid {
  const ovk_model *model;
  int grid[3];
  double rows[OVK__DIRECTIONS]; /* of a message in that direction */
  ovk__inbox *inboxes;          /* [2 rank + exchange % 2] */
} ovk__rank_grid;

/* ovk__rank_grid_free() must be called, also after a failure. */
ovk_err ovk__rank_grid_make(ovk_ctx *ctx, const ovk_model *model, ovk__rank_grid *out);
void ovk__rank_grid_free(ovk__rank_grid *halo);

/* The neighbours of a rank by direction, -1 outside of the grid; returns their number. */
int ovk__rank_grid_neighbours(const ovk__rank_grid *halo, int rank,
                              int neighbours[OVK__DIRECTIONS]);

/* The opposite direction. */
static inline int ovk__direction_back(int direction)
{
  return OVK__DIRECTIONS - 1 - direction;
}

/* Processor time of sending or receiving one message with rows of `vectors` vectors over a link. */
static inline double ovk__rank_grid_cost(const ovk__rank_grid *halo, int link, int direction,
                                         int vectors)
{
  const ovk_model_link *l = ovk__link_at(&halo->model->machine, link);
  return l->o + halo->rows[direction] * vectors * (double)sizeof(double) * l->O;
}

/* Processor time of receiving all messages of a rank. */
double ovk__rank_grid_load(const ovk__rank_grid *halo, int rank, int vectors);

/* The time at which a rank that is free from `time` on has received all messages, one after the
 * other. */
double ovk__rank_grid_receive(const ovk__rank_grid *halo, int rank, uint32_t exchange, int vectors,
                              double time);

#endif
