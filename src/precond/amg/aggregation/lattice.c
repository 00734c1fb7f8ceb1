/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a lattice by the distances j - i of the entries (i,j): the least above 1 and the largest
 * leave two candidates, for couplings along the axes and for those to all neighbors of a point. */
#include "precond/amg/aggregation/lattice.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"

#include <math.h>

enum { CANDIDATES = 2, MOST_DISTANCES = OVK__AMG_MOST_DISTANCES };

/* Whether row i has the distances of the row before, and both have columns of this rank only. */
OVK_ALWAYS_INLINE bool lattice_repeats(const ovk__amg_rows *rows, ovk_lidx i)
{
  if (i == rows->begin) return false;
  const ovk__amg_row row = ovk__amg_rows_row(rows, i), before = ovk__amg_rows_row(rows, i - 1);
  bool repeats = true;
  if (before.n != row.n) return false;
  for (ovk_lidx k = 0; k < row.n; k++) {
    repeats &= (row.col[k] == before.col[k] + 1) & (row.col[k] < rows->n);
  }
  return repeats;
}

static void distances_add(ovk__amg_distances *d, ovk_gidx distance)
{
  for (int k = 0; k < d->n; k++) {
    if (d->list[k] == distance) return;
  }
  if (d->n < MOST_DISTANCES) d->list[d->n] = distance;
  d->n++;
}

/* The entries right of the diagonal, the last of a row, show all distances. */
OVK_FOR_EACH_CPU
void ovk__amg_distances_add(const ovk__amg_rows *rows, ovk__amg_distances *d)
{
  for (ovk_lidx i = rows->begin; i < rows->end && d->n <= MOST_DISTANCES; i++) {
    if (lattice_repeats(rows, i)) continue;
    const ovk__amg_row row = ovk__amg_rows_row(rows, i);
    for (ovk_lidx k = row.n - 1; k >= 0 && d->n <= MOST_DISTANCES; k--) {
      const ovk_gidx distance = ovk__amg_rows_global(rows, row.col[k]) - (rows->first + i);
      if (distance <= 0) break;
      distances_add(d, distance);
    }
  }
}

/* *least, *most <- the least distance above 1 and the largest, of all ranks; *least is INFINITY if
 * there is none, or if there are too many distances. */
static ovk_err lattice_range(ovk_ctx *ctx, const ovk__amg_distances *d, double *least, double *most)
{
  double ends[3] = {-INFINITY, 0, d->n > MOST_DISTANCES}; /* -least, most, too many */
  for (int k = 0; k < d->n && k < MOST_DISTANCES; k++) {
    const double distance = (double)d->list[k];
    if (distance > 1) ends[0] = fmax(ends[0], -distance);
    ends[1] = fmax(ends[1], distance);
  }
  OVK_TRY(ovk__agree(ctx, ovk__total(ctx, ends, 3, MPI_MAX)));
  *least = ends[2] > 0 ? INFINITY : -ends[0];
  *most = ends[1];
  return OVK_OK;
}

/* Whether two points at this distance can be neighbors. */
static bool lattice_has(const ovk__amg_lattice *lattice, ovk_gidx distance)
{
  const ovk_gidx line = lattice->line, plane = lattice->plane;
  const ovk_gidx in_plane = distance > line + 1 ? distance - plane : distance;
  const ovk_gidx rest = in_plane < 0 ? -in_plane : in_plane;
  return rest <= 1 || (rest >= line - 1 && rest <= line + 1);
}

static bool lattice_fits(const ovk__amg_lattice *lattice, const ovk__amg_distances *d)
{
  if (lattice->line < 3 || lattice->plane < lattice->line) return false;
  if (lattice->plane % lattice->line != 0) return false;
  for (int k = 0; k < d->n; k++) {
    if (!lattice_has(lattice, d->list[k])) return false;
  }
  return true;
}

/* With one point more than whole cubes, those at both ends are cut to two points: a cube of four
 * would take iterations. */
static void lattice_center(ovk_gidx rows, ovk__amg_lattice *lattice)
{
  const ovk_gidx points[3] = {lattice->line, lattice->plane / lattice->line, rows / lattice->plane};
  for (int k = 0; k < 3; k++) lattice->center[k] = points[k] % 3 != 1;
}

ovk_err ovk__amg_lattice_find(ovk_ctx *ctx, ovk_gidx rows, const ovk__amg_distances *d,
                              ovk__amg_lattice *out)
{
  double least, most, misfits[CANDIDATES];
  *out = (ovk__amg_lattice){0};
  OVK_TRY(lattice_range(ctx, d, &least, &most));
  if (isinf(least)) return OVK_OK;
  const ovk_gidx along = (ovk_gidx)least, all = along + 1, far = (ovk_gidx)most;
  const ovk__amg_lattice candidates[CANDIDATES] = {
      {.line = along, .plane = far}, {.line = all, .plane = far == all + 1 ? all : far - all - 1}};
  for (int c = 0; c < CANDIDATES; c++) misfits[c] = !lattice_fits(&candidates[c], d);
  OVK_TRY(ovk__agree(ctx, ovk__total(ctx, misfits, CANDIDATES, MPI_MAX)));
  for (int c = 0; c < CANDIDATES && out->line == 0; c++) {
    if (misfits[c] == 0) *out = candidates[c];
  }
  if (out->line) lattice_center(rows, out);
  return OVK_OK;
}

int ovk__amg_lattice_phase(const ovk__amg_lattice *lattice, ovk_gidx row)
{
  if (lattice->line == 0) return 0;
  const ovk_gidx x = row % lattice->line, y = row % lattice->plane / lattice->line,
                 z = row / lattice->plane;
  return (x % 3 == lattice->center[0]) + (y % 3 == lattice->center[1]) +
         (z % 3 == lattice->center[2]);
}
