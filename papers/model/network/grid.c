/* SPDX-License-Identifier: BSD-2-Clause */
/* Directions and neighbors. */
#include "model/network/grid.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>

enum { DIRECTIONS = 26 };

/* Directions are numbered as ranks are, z slowest, without the center. */
static void step_of(int direction, int step[3])
{
  const int number = direction < DIRECTIONS / 2 ? direction : direction + 1;
  step[0] = number % 3 - 1;
  step[1] = number / 3 % 3 - 1;
  step[2] = number / 9 - 1;
}

static ovk_err choose_grid(ovk_ctx *ctx, const ovk_model *model, int grid[3])
{
  for (int k = 0; k < 3; k++) grid[k] = model->grid[k];
  if (grid[0] || grid[1] || grid[2]) return OVK_OK;
  OVK_TRY_MPI(ctx, MPI_Dims_create(model->nranks, 3, grid));
  return OVK_OK;
}

ovk_err ovk__rank_grid_make(ovk_ctx *ctx, const ovk_model *model, ovk__rank_grid *out)
{
  *out = (ovk__rank_grid){.stride = 1};
  for (int k = 0; k < 3; k++) out->n[k] = model->n[k];
  return choose_grid(ctx, model, out->grid);
}

/* Rows on the side of a rank in some directions: one layer, or all rows if there are less. */
static double grid_rows(const ovk__rank_grid *halo, const int step[3])
{
  double rows = 1;
  for (int k = 0; k < 3; k++) rows *= step[k] ? fmin(halo->n[k], 1) : halo->n[k];
  return rows;
}

/* The rank in a direction, or -1. */
static int grid_neighbor(const ovk__rank_grid *halo, int rank, const int step[3])
{
  const int *g = halo->grid;
  const int at[3] = {rank % g[0], rank / g[0] % g[1], rank / g[0] / g[1]};
  for (int k = 0; k < 3; k++) {
    if (at[k] + step[k] < 0 || at[k] + step[k] >= g[k]) return -1;
  }
  return rank + step[0] + g[0] * (step[1] + g[1] * step[2]);
}

static int grid_owner(const ovk__rank_grid *halo, int rank)
{
  return rank - rank % halo->stride;
}

/* Messages while they are collected: for each peer the last one. */
typedef struct grid_messages {
  ovk__model_exchange *x;
  int32_t *last; /* [peer]: index of a message with it */
  bool up;
} grid_messages;

/* Adds rows to the message between a rank and a peer. */
static void grid_add(grid_messages *m, int rank, int peer, double rows)
{
  ovk__model_exchange *x = m->x;
  const int from = m->up ? peer : rank, to = m->up ? rank : peer;
  ovk__post *last = &x->posts[m->last[peer]];
  if (m->last[peer] < x->nposts && last->from == from && last->to == to) {
    last->rows += (float)rows;
  } else {
    m->last[peer] = x->nposts;
    ovk__exchange_add(x, from, to, rows);
  }
}

/* Rows of a rank that are due to a peer. */
typedef struct grid_part {
  int peer;
  double rows;
} grid_part;

/* Rows due to a peer in two directions, as an edge and the side that has it, count once. */
static int grid_add_part(grid_part *parts, int n, grid_part part)
{
  for (int k = 0; k < n; k++) {
    if (parts[k].peer != part.peer) continue;
    parts[k].rows = fmax(parts[k].rows, part.rows);
    return n;
  }
  parts[n] = part;
  return n + 1;
}

/* The messages of the owner of a rank's fine rows, as far as they are due to this rank. */
static void grid_add_rank(grid_messages *m, const ovk__rank_grid *fine,
                          const ovk__rank_grid *coarse, int rank)
{
  const int own = grid_owner(fine, rank), home = grid_owner(coarse, rank), none[3] = {0, 0, 0};
  grid_part parts[DIRECTIONS];
  int n = 0;
  if (home != own) grid_add(m, own, home, grid_rows(coarse, none));
  for (int d = 0; d < DIRECTIONS; d++) {
    int step[3];
    step_of(d, step);
    const int neighbor = grid_neighbor(fine, rank, step);
    const int peer = neighbor < 0 ? home : grid_owner(coarse, neighbor);
    if (peer == home) continue;
    n = grid_add_part(parts, n, (grid_part){peer, grid_rows(coarse, step)});
  }
  for (int k = 0; k < n; k++) grid_add(m, own, parts[k].peer, parts[k].rows);
}

ovk_err ovk__rank_grid_exchange(ovk_ctx *ctx, const ovk_model *model, const ovk__rank_grid *fine,
                                const ovk__rank_grid *coarse, bool up, ovk__model_exchange *out)
{
  grid_messages m = {.x = out, .up = up};
  OVK_TRY(ovk__exchange_make(ctx, model, (DIRECTIONS + 1) * (size_t)model->nranks, out));
  OVK_NEW_ZEROS(ctx, m.last, model->nranks);
  for (int rank = 0; rank < model->nranks; rank++) grid_add_rank(&m, fine, coarse, rank);
  free(m.last);
  return ovk__exchange_order(ctx, model, out);
}
