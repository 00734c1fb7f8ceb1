/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a lattice by the distances j - i of the entries (i,j): the least above 1 and the largest
 * leave two candidates, for couplings along the axes and for those to all neighbors of a point. */
#include "precond/amg/aggregation/lattice.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"

#include <math.h>

enum { CANDIDATES = 2, MOST_DISTANCES = 13 /* a half of the neighbors of a point */ };

/* The distances above 0 of the entries of this rank. */
typedef struct distances {
  int n; /* more than MOST_DISTANCES: there are others */
  ovk_gidx list[MOST_DISTANCES];
} distances;

/* Whether row i has the distances of the row before, and both have columns of this rank only. */
OVK_ALWAYS_INLINE bool lattice_repeats(const ovk__amg_rows *rows, ovk_lidx i)
{
  const int64_t n = rows->ptr[i + 1] - rows->ptr[i];
  if (i == 0 || rows->ptr[i] - rows->ptr[i - 1] != n) return false;
  const ovk_lidx *col = rows->col + rows->ptr[i], *before = col - n;
  bool repeats = true;
  for (int64_t k = 0; k < n; k++) repeats &= (col[k] == before[k] + 1) & (col[k] < rows->n);
  return repeats;
}

static void distances_add(distances *d, ovk_gidx distance)
{
  for (int k = 0; k < d->n; k++) {
    if (d->list[k] == distance) return;
  }
  if (d->n < MOST_DISTANCES) d->list[d->n] = distance;
  d->n++;
}

/* A is symmetric, so the entries right of the diagonal, the last of a row, show all distances. */
OVK_FOR_EACH_CPU
static void distances_find(const ovk__amg_rows *rows, distances *d)
{
  *d = (distances){0};
  for (ovk_lidx i = 0; i < rows->n && d->n <= MOST_DISTANCES; i++) {
    if (lattice_repeats(rows, i)) continue;
    for (int64_t k = rows->ptr[i + 1] - 1; k >= rows->ptr[i] && d->n <= MOST_DISTANCES; k--) {
      const ovk_gidx distance = ovk__amg_rows_global(rows, rows->col[k]) - (rows->first + i);
      if (distance <= 0) break;
      distances_add(d, distance);
    }
  }
}

/* *least, *most <- the least distance above 1 and the largest, of all ranks; *least is INFINITY if
 * there is none, or if there are too many distances. */
static ovk_err lattice_range(ovk_ctx *ctx, const distances *d, double *least, double *most)
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

static bool lattice_fits(const ovk__amg_lattice *lattice, const distances *d)
{
  if (lattice->line < 3 || lattice->plane < lattice->line) return false;
  if (lattice->plane % lattice->line != 0) return false;
  for (int k = 0; k < d->n; k++) {
    if (!lattice_has(lattice, d->list[k])) return false;
  }
  return true;
}

ovk_err ovk__amg_lattice_find(const ovk__amg_rows *rows, ovk__amg_lattice *out)
{
  ovk_ctx *ctx = rows->A->ctx;
  distances d;
  double least, most, misfits[CANDIDATES];
  *out = (ovk__amg_lattice){0};
  distances_find(rows, &d);
  OVK_TRY(lattice_range(ctx, &d, &least, &most));
  if (isinf(least)) return OVK_OK;
  const ovk_gidx along = (ovk_gidx)least, all = along + 1, far = (ovk_gidx)most;
  const ovk__amg_lattice candidates[CANDIDATES] = {{along, far},
                                                   {all, far == all + 1 ? all : far - all - 1}};
  for (int c = 0; c < CANDIDATES; c++) misfits[c] = !lattice_fits(&candidates[c], &d);
  OVK_TRY(ovk__agree(ctx, ovk__total(ctx, misfits, CANDIDATES, MPI_MAX)));
  for (int c = 0; c < CANDIDATES && out->line == 0; c++) {
    if (misfits[c] == 0) *out = candidates[c];
  }
  return OVK_OK;
}

int ovk__amg_lattice_phase(const ovk__amg_lattice *lattice, ovk_gidx row)
{
  if (lattice->line == 0) return 0;
  const ovk_gidx x = row % lattice->line, y = row % lattice->plane / lattice->line,
                 z = row / lattice->plane;
  return (x % 3 == 1) + (y % 3 == 1) + (z % 3 == 1);
}
