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

/* The state of the search for roots. */
typedef struct finder {
  const ovk__amg_rows *rows;
  const ovk__amg_strength *strength;
  bool new;      /* there are no roots yet */
  double *state; /* of own rows and ghosts: OUT, ROOT, or the priority of an undecided row */
  double *near;  /* the highest state of a row and its neighbors */
  ovk_lidx *undecided, nundecided; /* own rows */
  ovk_lidx *open, nopen;           /* own rows whose near[] is neither OUT nor ROOT */
} finder;

static void finder_free(finder *f)
{
  free(f->near);
  free(f->undecided);
  free(f->open);
}

static ovk_err finder_create(const ovk__amg_rows *rows, const ovk__amg_strength *s, double *state,
                             finder *f)
{
  ovk_ctx *ctx = rows->A->ctx;
  *f = (finder){.rows = rows, .strength = s, .new = true, .state = state};
  OVK_NEW_ZEROS(ctx, f->near, rows->all);
  OVK_NEW_ARRAY(ctx, f->undecided, rows->n);
  OVK_NEW_ARRAY(ctx, f->open, rows->n);
  return OVK_OK;
}

/* The distances of the strong neighbors of row i; dense rows have none. */
static inline const ovk_lidx *finder_neighbors(const finder *f, ovk_lidx i, ovk_lidx *n)
{
  const ovk_lidx *step = ovk__amg_neighbors_of(&f->strength->strong, i, n);
  if (f->strength->dense[i]) *n = 0;
  return step;
}

/* Gives rows with strong neighbors their priorities. */
static void finder_begin(finder *f, const ovk__amg_lattice *lattice)
{
  for (ovk_lidx i = 0; i < f->rows->n; i++) {
    const ovk_gidx row = f->rows->first + i;
    ovk_lidx n;
    (void)finder_neighbors(f, i, &n);
    const bool isolated = n == 0;
    f->state[i] = isolated ? OUT : roots_priority(ovk__amg_lattice_phase(lattice, row), row);
    if (!isolated) f->undecided[f->nundecided++] = i;
    f->open[f->nopen++] = i;
  }
}

/* The highest of the values of row i and its strong neighbors, in pairs: no maximum waits for the
 * one before. */
static inline double finder_highest(const finder *f, ovk_lidx i, const double *values)
{
  ovk_lidx n, k = 0;
  const ovk_lidx *step = finder_neighbors(f, i, &n);
  double highest = values[i], other = OUT;
  for (; k + 1 < n && highest < ROOT; k += 2) {
    const double first = values[i + step[k]], second = values[i + step[k + 1]];
    highest = first > highest ? first : highest;
    other = second > other ? second : other;
  }
  if (k + 1 == n && values[i + step[k]] > highest) highest = values[i + step[k]];
  return other > highest ? other : highest;
}

/* near[] is final once it is OUT or ROOT. */
static void finder_look_near(finder *f)
{
  ovk_lidx left = 0;
  for (ovk_lidx k = 0; k < f->nopen; k++) {
    const ovk_lidx i = f->open[k];
    f->near[i] = finder_highest(f, i, f->state);
    if (f->near[i] != OUT && f->near[i] != ROOT) f->open[left++] = i;
  }
  f->nopen = left;
}

static void finder_decide(finder *f)
{
  ovk_lidx left = 0;
  for (ovk_lidx k = 0; k < f->nundecided; k++) {
    const ovk_lidx i = f->undecided[k];
    const bool root_near = f->near[i] == ROOT, first = f->near[i] == f->state[i];
    const double highest = root_near          ? ROOT
                           : first || !f->new ? finder_highest(f, i, f->near)
                                              : f->near[i]; /* there are no roots yet */
    if (highest == ROOT) {
      f->state[i] = OUT;
    } else if (highest == f->state[i]) {
      f->state[i] = ROOT;
    } else {
      f->undecided[left++] = i;
    }
  }
  f->nundecided = left;
  f->new = false;
}

static ovk_err finder_run(finder *f)
{
  ovk__amg_lattice lattice;
  double left = 1;
  OVK_TRY(
      ovk__amg_lattice_find(f->rows->A->ctx, f->rows->global, &f->strength->distances, &lattice));
  finder_begin(f, &lattice);
  while (left > 0) {
    OVK_TRY(ovk__amg_rows_exchange(f->rows, f->state));
    finder_look_near(f);
    OVK_TRY(ovk__amg_rows_exchange(f->rows, f->near));
    finder_decide(f);
    left = f->nundecided;
    OVK_TRY(ovk__agree(f->rows->A->ctx, ovk__total(f->rows->A->ctx, &left, 1, MPI_SUM)));
  }
  OVK_TRY(ovk__amg_rows_exchange(f->rows, f->state));
  for (ovk_lidx i = 0; i < f->rows->all; i++) f->state[i] = f->state[i] == ROOT;
  return OVK_OK;
}

ovk_err ovk__amg_roots(const ovk__amg_rows *rows, const ovk__amg_strength *strength, double *root)
{
  ovk_ctx *ctx = rows->A->ctx;
  finder f;
  OVK_CHECK(rows->global < INT64_C(1) << PRIORITY_BITS, ctx, OVK_ERR_RANGE,
            "amg: the matrix has %lld rows, 2^%d are the most", (long long)rows->global,
            PRIORITY_BITS);
  ovk_err err = ovk__agree(ctx, finder_create(rows, strength, root, &f));
  if (!err) err = finder_run(&f);
  finder_free(&f);
  return err;
}
