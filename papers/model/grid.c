/* SPDX-License-Identifier: BSD-2-Clause */
/* Directions and neighbours. */
#include "model/grid.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>

/* Directions are numbered as ranks are, z slowest, without the centre. */
static void step_of(int direction, int step[3])
{
  const int number = direction < OVK__DIRECTIONS / 2 ? direction : direction + 1;
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
  *out = (ovk__rank_grid){.model = model};
  OVK_TRY(choose_grid(ctx, model, out->grid));
  OVK_NEW_ZEROS(ctx, out->inboxes, 2 * (size_t)model->nranks);
  for (int d = 0; d < OVK__DIRECTIONS; d++) {
    int step[3];
    step_of(d, step);
    out->rows[d] = 1;
    for (int k = 0; k < 3; k++) out->rows[d] *= step[k] ? 1 : model->n[k];
  }
  return OVK_OK;
}

void ovk__rank_grid_free(ovk__rank_grid *halo)
{
  free(halo->inboxes);
  *halo = (ovk__rank_grid){0};
}

int ovk__rank_grid_neighbours(const ovk__rank_grid *halo, int rank, int neighbours[OVK__DIRECTIONS])
{
  const int *g = halo->grid;
  const int at[3] = {rank % g[0], rank / g[0] % g[1], rank / g[0] / g[1]};
  int n = 0;
  for (int d = 0; d < OVK__DIRECTIONS; d++) {
    int step[3];
    bool inside = true;
    step_of(d, step);
    for (int k = 0; k < 3; k++) {
      inside = inside && at[k] + step[k] >= 0 && at[k] + step[k] < g[k];
    }
    neighbours[d] = inside ? rank + step[0] + g[0] * (step[1] + g[1] * step[2]) : -1;
    n += inside;
  }
  return n;
}

/* A message that has arrived. */
typedef struct message {
  double arrival, cost;
} message;

static void insert(message *messages, int n, message new)
{
  while (n > 0 && messages[n - 1].arrival > new.arrival) {
    messages[n] = messages[n - 1];
    n--;
  }
  messages[n] = new;
}

double ovk__rank_grid_receive(const ovk__rank_grid *halo, int rank, uint32_t exchange, int vectors,
                              double time)
{
  const ovk__inbox *inbox = &halo->inboxes[2 * (size_t)rank + (exchange & 1)];
  int neighbours[OVK__DIRECTIONS], n = 0;
  message messages[OVK__DIRECTIONS];
  (void)ovk__rank_grid_neighbours(halo, rank, neighbours);
  for (int d = 0; d < OVK__DIRECTIONS; d++) {
    if (neighbours[d] < 0) continue;
    const int link = ovk__link_between(&halo->model->machine, rank, neighbours[d]);
    insert(messages, n++,
           (message){inbox->arrival[d], ovk__rank_grid_cost(halo, link, d, vectors)});
  }
  for (int k = 0; k < n; k++) time = fmax(time, messages[k].arrival) + messages[k].cost;
  return time;
}

double ovk__rank_grid_load(const ovk__rank_grid *halo, int rank, int vectors)
{
  int neighbours[OVK__DIRECTIONS];
  double seconds = 0;
  (void)ovk__rank_grid_neighbours(halo, rank, neighbours);
  for (int d = 0; d < OVK__DIRECTIONS; d++) {
    if (neighbours[d] < 0) continue;
    const int link = ovk__link_between(&halo->model->machine, rank, neighbours[d]);
    seconds += ovk__rank_grid_cost(halo, link, d, vectors);
  }
  return seconds;
}
