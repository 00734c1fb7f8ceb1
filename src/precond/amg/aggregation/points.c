/* SPDX-License-Identifier: BSD-2-Clause */
/* Condenses the rows of a matrix to rows of points. */
#include "core/context/mem.h"
#include "precond/amg/aggregation/rows.h"

#include <math.h>
#include <stdlib.h>

/* The state of condensing. */
typedef struct condenser {
  ovk__amg_rows *rows, *points;
  int64_t *place; /* of each point: its entry in the row that is being made, if >= its start */
} condenser;

/* Numbers the points of the ghosts, which are in increasing order. */
static ovk_err points_find_ghosts(ovk__amg_rows *points)
{
  const ovk__ghosts *ghosts = &points->A->ghosts;
  ovk_lidx n = 0;
  OVK_NEW_ARRAY(points->A->ctx, points->ghosts, ghosts->count);
  OVK_NEW_ARRAY(points->A->ctx, points->ghost_point, ghosts->count);
  for (ovk_lidx k = 0; k < ghosts->count; k++) {
    const ovk_gidx point = ghosts->col[k] / points->block;
    if (n == 0 || points->ghosts[n - 1] != point) points->ghosts[n++] = point;
    points->ghost_point[k] = n - 1;
  }
  points->all = points->n + n;
  return OVK_OK;
}

/* Enters a new column into the row that starts at `from`, in the order of the whole problem. */
static void condenser_insert(condenser *c, int64_t from, int64_t end, ovk_lidx point)
{
  ovk__amg_rows *points = c->points;
  const ovk_gidx global = ovk__amg_rows_global(points, point);
  int64_t at = end;
  for (; at > from && ovk__amg_rows_global(points, points->col[at - 1]) > global; at--) {
    points->col[at] = points->col[at - 1];
    points->val[at] = points->val[at - 1];
    c->place[points->col[at]] = at;
  }
  points->col[at] = point;
  points->val[at] = 0;
  c->place[point] = at;
}

/* Joins a row with those before it in its point, whose entries are from `from` to *end - 1.
 * Consecutive columns of a point are looked up once. */
static void condenser_add_row(condenser *c, int64_t from, int64_t *end, ovk__amg_row row)
{
  ovk__amg_rows *points = c->points;
  const ovk_lidx own = points->n * points->block;
  ovk_lidx first = 0, next = 0; /* columns of the last point: first <= j < next */
  double *largest = NULL;
  for (ovk_lidx k = 0; k < row.n; k++) {
    const ovk_lidx j = row.col[k];
    const double size = fabs(row.val[k]);
    if (j < first || j >= next) {
      const ovk_lidx point = ovk__amg_points_of(points, j);
      if (c->place[point] < from) condenser_insert(c, from, (*end)++, point);
      largest = &points->val[c->place[point]];
      first = j;
      next = j < own ? (point + 1) * points->block : j + 1;
    }
    *largest = size > *largest ? size : *largest;
  }
}

/* Joins the rows of point I. */
static ovk_err condenser_join(condenser *c, ovk_lidx I)
{
  ovk__amg_rows *points = c->points;
  const int64_t from = points->ptr[I];
  int64_t end = from;
  const ovk_lidx first = I * points->block;
  OVK_TRY(ovk__amg_rows_read(c->rows, first, first + points->block));
  for (ovk_lidx i = first; i < first + points->block; i++) {
    condenser_add_row(c, from, &end, ovk__amg_rows_row(c->rows, i));
  }
  for (int64_t k = from; k < end; k++) {
    if (points->col[k] == I) points->diagonal[I] = points->val[k];
    if (points->col[k] != I) points->val[k] = -points->val[k];
  }
  points->ptr[I + 1] = end;
  return OVK_OK;
}

/* An upper bound: one entry for each of A's; most matrices need far fewer. */
static ovk_err condenser_allocate(condenser *c)
{
  ovk__amg_rows *points = c->points;
  ovk_ctx *ctx = points->A->ctx;
  OVK_TRY(points_find_ghosts(points));
  OVK_NEW_ZEROS(ctx, points->ptr, points->n + 1);
  OVK_NEW_ARRAY(ctx, points->col, ovk__amg_rows_entries(c->rows));
  OVK_NEW_ARRAY(ctx, points->val, ovk__amg_rows_entries(c->rows));
  OVK_NEW_ZEROS(ctx, points->diagonal, points->n);
  OVK_NEW_ARRAY(ctx, points->buffer, c->rows->n);
  OVK_NEW_ARRAY(ctx, c->place, points->all);
  for (ovk_lidx j = 0; j < points->all; j++) c->place[j] = -1;
  return OVK_OK;
}

ovk_err ovk__amg_points_create(ovk__amg_rows *rows, int block, ovk__amg_rows *out)
{
  *out = (ovk__amg_rows){.A = rows->A,
                         .first = rows->first / block,
                         .global = rows->global / block,
                         .n = rows->n / block,
                         .end = rows->n / block,
                         .block = block};
  condenser c = {rows, out, NULL};
  ovk_err err = condenser_allocate(&c);
  for (ovk_lidx I = 0; !err && I < out->n; I++) err = condenser_join(&c, I);
  free(c.place);
  return err;
}
