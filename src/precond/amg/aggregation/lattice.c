/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a lattice by the distances j - i of the entries (i,j): the least above 1 and the largest
 * leave two candidates, for couplings along the axes and for those to all neighbors of a point. */
#include "precond/amg/aggregation/lattice.h"
#include "core/context/agree.h"

#include <math.h>

enum { CANDIDATES = 2 };

/* j - i of entry k of row i. A is symmetric, so the entries right of the diagonal, the last of a
 * row, show all distances. */
static ovk_gidx lattice_distance(const ovk__amg_rows *rows, ovk_lidx i, int64_t k)
{
  return ovk__amg_rows_global(rows, rows->col[k]) - (rows->first + i);
}

/* *least, *most <- the least distance above 1, or INFINITY, and the largest, of all ranks. */
static ovk_err lattice_range(const ovk__amg_rows *rows, double *least, double *most)
{
  double ends[2] = {-INFINITY, 0}; /* -least, most */
  for (ovk_lidx i = 0; i < rows->n; i++) {
    for (int64_t k = rows->ptr[i + 1] - 1; k >= rows->ptr[i]; k--) {
      const double distance = (double)lattice_distance(rows, i, k);
      if (distance <= 0) break;
      if (distance > 1 && -distance > ends[0]) ends[0] = -distance;
      if (distance > ends[1]) ends[1] = distance;
    }
  }
  OVK_TRY(ovk__agree(rows->A->ctx, ovk__total(rows->A->ctx, ends, 2, MPI_MAX)));
  *least = -ends[0];
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

static bool lattice_fits(const ovk__amg_lattice *lattice, const ovk__amg_rows *rows)
{
  if (lattice->line < 3 || lattice->plane < lattice->line) return false;
  if (lattice->plane % lattice->line != 0) return false;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    for (int64_t k = rows->ptr[i + 1] - 1; k >= rows->ptr[i]; k--) {
      const ovk_gidx distance = lattice_distance(rows, i, k);
      if (distance <= 0) break;
      if (!lattice_has(lattice, distance)) return false;
    }
  }
  return true;
}

ovk_err ovk__amg_lattice_find(const ovk__amg_rows *rows, ovk__amg_lattice *out)
{
  double least, most, misfits[CANDIDATES];
  *out = (ovk__amg_lattice){0};
  OVK_TRY(lattice_range(rows, &least, &most));
  if (isinf(least)) return OVK_OK;
  const ovk_gidx along = (ovk_gidx)least, all = along + 1, far = (ovk_gidx)most;
  const ovk__amg_lattice candidates[CANDIDATES] = {{along, far},
                                                   {all, far == all + 1 ? all : far - all - 1}};
  for (int c = 0; c < CANDIDATES; c++) misfits[c] = !lattice_fits(&candidates[c], rows);
  OVK_TRY(ovk__agree(rows->A->ctx, ovk__total(rows->A->ctx, misfits, CANDIDATES, MPI_MAX)));
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
