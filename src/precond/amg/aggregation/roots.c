/* SPDX-License-Identifier: BSD-2-Clause */
/* The roots of aggregates: a distance-2 maximal independent set by fixed priorities. In each round
 * an undecided row with the highest priority within distance 2 becomes a root, and the rows within
 * distance 2 of a root drop out. As priorities are fixed and unique, the set does not depend on
 * rounds or ranks. On a lattice the centers of cubes come first, which makes the next level a
 * lattice too if all neighbors of a point are strong. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/aggregation/aggregates.h"
#include "precond/amg/aggregation/lattice.h"

#include <math.h>
#include <stdlib.h>

/* States besides the priority of an undecided row. */
static const double OUT = -1, ROOT = INFINITY;

enum { PRIORITY_BITS = 51 }; /* and 2 for the phase: exact in a double */

/* The phase, then a bijection of the numbers below 2^51: no two rows have the same priority. */
static double roots_priority(int phase, ovk_gidx row)
{
  const uint64_t mask = (UINT64_C(1) << PRIORITY_BITS) - 1;
  uint64_t z = ((uint64_t)row * UINT64_C(0x1c69b3f74ac4ae35) + UINT64_C(0x3c6ef372fe94f)) & mask;
  z ^= z >> 26;
  z = (z * UINT64_C(0x5851f42d4c957f2d)) & mask;
  z ^= z >> 25;
  z = (z * UINT64_C(0x2127599bf4325c37)) & mask;
  return (double)phase * (double)(mask + 1) + (double)(z ^ (z >> 26));
}

static bool roots_has_strong(const ovk__amg_rows *rows, const ovk__amg_strength *s, ovk_lidx i)
{
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    if (s->strong[k]) return true;
  }
  return false;
}

/* The highest of the states of row i and its strong neighbors. */
static double roots_highest(const ovk__amg_rows *rows, const ovk__amg_strength *s, ovk_lidx i,
                            const double *state)
{
  double highest = state[i];
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    if (s->strong[k] && state[rows->col[k]] > highest) highest = state[rows->col[k]];
  }
  return highest;
}

/* Decides what can be decided; *left <- undecided rows of all ranks. near[i] is final once it is
 * ROOT or OUT; before the first round it is 0. */
static ovk_err roots_round(const ovk__amg_rows *rows, const ovk__amg_strength *s, double *state,
                           double *near, double *left)
{
  OVK_TRY(ovk__amg_rows_exchange(rows, state));
  for (ovk_lidx i = 0; i < rows->n; i++) {
    if (near[i] != OUT && near[i] != ROOT) near[i] = roots_highest(rows, s, i, state);
  }
  OVK_TRY(ovk__amg_rows_exchange(rows, near));
  *left = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    if (state[i] == OUT || state[i] == ROOT) continue;
    const double highest = roots_highest(rows, s, i, near);
    if (highest == ROOT) {
      state[i] = OUT;
    } else if (highest == state[i]) {
      state[i] = ROOT;
    } else {
      ++*left;
    }
  }
  return ovk__agree(rows->A->ctx, ovk__total(rows->A->ctx, left, 1, MPI_SUM));
}

static ovk_err roots_find(const ovk__amg_rows *rows, const ovk__amg_strength *s, double *state,
                          double *near)
{
  ovk__amg_lattice lattice;
  double left = 1;
  OVK_TRY(ovk__amg_lattice_find(rows, &lattice));
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const ovk_gidx row = rows->first + i;
    const int phase = ovk__amg_lattice_phase(&lattice, row);
    state[i] = roots_has_strong(rows, s, i) ? roots_priority(phase, row) : OUT;
  }
  while (left > 0) OVK_TRY(roots_round(rows, s, state, near, &left));
  OVK_TRY(ovk__amg_rows_exchange(rows, state));
  for (ovk_lidx i = 0; i < rows->all; i++) state[i] = state[i] == ROOT;
  return OVK_OK;
}

ovk_err ovk__amg_roots(const ovk__amg_rows *rows, const ovk__amg_strength *strength, double *root)
{
  ovk_ctx *ctx = rows->A->ctx;
  OVK_CHECK(rows->global < INT64_C(1) << PRIORITY_BITS, ctx, OVK_ERR_RANGE,
            "amg: the matrix has %lld rows, 2^%d are the most", (long long)rows->global,
            PRIORITY_BITS);
  double *near = ovk__zeros((size_t)rows->all, sizeof *near);
  ovk_err err = ovk__agree(
      ctx, near ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for the roots of aggregates"));
  if (!err) err = roots_find(rows, strength, root, near);
  free(near);
  return err;
}
