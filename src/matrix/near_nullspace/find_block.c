/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants of each unknown of a point are vectors near the null space, as translations in
 * elasticity are. So the couplings of a row with another unknown sum up to 0, except at boundaries,
 * although they are not small. Couplings of a scalar problem do not: those with every second or
 * third column mostly have one sign. */
#include "matrix/near_nullspace/find_block.h"
#include "core/base/cpu_dispatch.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/some_rows.h"

#include <math.h>
#include <stdlib.h>

/* The block sizes that are tried, and rows that are whole points of each. */
enum { LEAST = 2, MOST = 3, SIZES = MOST - LEAST + 1, WINDOW = LEAST * MOST };

/* The least number of windows of a sample of large matrices, on average. */
enum { WINDOWS = 64 };

/* Relative to the sum of the absolute couplings of a row: the least part with other unknowns; the
 * largest sum that is rounding; and the largest one that may be, which another block size must not
 * have. */
static const double LEAST_OTHERS = 0.1, ROUNDING = 1e-4, SMALL = 1e-3;

/* Counts of the sample, per block size: rows whose sums with other unknowns are rounding, those
 * whose sums are small, entries and blocks of points that have only rows of the first kind, and
 * ranks whose rows are not whole points. */
enum { CANCELING, NEARLY, ENTRIES, BLOCKS, CUT, COUNTS };

typedef struct counts {
  int64_t coupled; /* rows */
  int64_t of[SIZES][COUNTS];
} counts;

/* A point whose rows are being read. */
typedef struct group {
  ovk_gidx *point; /* that its rows couple with, once for each row */
  int64_t n, room, entries;
  int rows; /* that are canceling */
} group;

typedef struct survey {
  ovk_ctx *ctx;
  uint64_t mask; /* windows with these bits of their hash are not in the sample */
  counts counts;
  group group[SIZES];
} survey;

static bool survey_wants(const void *arg, ovk_gidx i)
{
  return (ovk__mix((uint64_t)(i / WINDOW)) & ((const survey *)arg)->mask) == 0;
}

/* The largest sum of the couplings of row i with one other unknown; infinite if those with other
 * unknowns are less than the least part of `all`. */
OVK_ALWAYS_INLINE double survey_sum(int block, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                                    const double *val, double all)
{
  const int own = (int)(i % block);
  double sum[MOST] = {0}, others = 0, largest = 0;
  for (ovk_lidx k = 0; k < n; k++) {
    const int unknown = (int)(col[k] % block);
    sum[unknown] += val[k];
    others += unknown == own ? 0 : fabs(val[k]);
  }
  if (!(others >= LEAST_OTHERS * all)) return INFINITY;
  for (int c = 0; c < block; c++) {
    if (c != own && !(fabs(sum[c]) <= largest)) largest = fabs(sum[c]);
  }
  return largest;
}

static int group_compare(const void *a, const void *b)
{
  const ovk_gidx x = *(const ovk_gidx *)a, y = *(const ovk_gidx *)b;
  return (x > y) - (x < y);
}

/* Adds a row, whose columns increase. */
static ovk_err group_add(ovk_ctx *ctx, int block, ovk_lidx n, const ovk_gidx *col, group *g)
{
  if (g->n + n > g->room) {
    const int64_t room = 2 * (g->n + n);
    OVK_RESIZE(ctx, g->point, room);
    g->room = room;
  }
  const int64_t first = g->n;
  for (ovk_lidx k = 0; k < n; k++) {
    const ovk_gidx point = col[k] / block;
    if (g->n == first || g->point[g->n - 1] != point) g->point[g->n++] = point;
  }
  g->entries += n;
  g->rows++;
  return OVK_OK;
}

/* Counts the blocks of a point with all of its rows. */
static void group_count(group *g, int64_t of[COUNTS])
{
  qsort(g->point, (size_t)g->n, sizeof *g->point, group_compare);
  for (int64_t k = 0; k < g->n; k++) of[BLOCKS] += k == 0 || g->point[k] != g->point[k - 1];
  of[ENTRIES] += g->entries;
}

/* Row i, which may be uncoupled, is the next one. */
static void survey_advance(survey *s, ovk_gidx i)
{
  for (int block = LEAST; block <= MOST; block++) {
    group *g = &s->group[block - LEAST];
    if (i % block == 0) g->n = g->entries = g->rows = 0;
  }
}

static ovk_err survey_add(survey *s, int block, double sum, ovk_lidx n, const ovk_gidx *col,
                          double all)
{
  group *g = &s->group[block - LEAST];
  int64_t *of = s->counts.of[block - LEAST];
  of[NEARLY] += sum <= SMALL * all;
  if (!(sum <= ROUNDING * all)) return OVK_OK;
  of[CANCELING]++;
  OVK_TRY(group_add(s->ctx, block, n, col, g));
  if (g->rows == block) group_count(g, of);
  return OVK_OK;
}

static ovk_err survey_read(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                           const double *val)
{
  survey *s = arg;
  double all = 0;
  survey_advance(s, i);
  for (ovk_lidx k = 0; k < n; k++) all += col[k] == i ? 0 : fabs(val[k]);
  if (!(all > 0)) return OVK_OK;
  s->counts.coupled++;
  OVK_TRY(survey_add(s, 2, survey_sum(2, i, n, col, val, all), n, col, all));
  return survey_add(s, 3, survey_sum(3, i, n, col, val, all), n, col, all);
}

/* Whether the sample has points of `block` unknowns: a third of its rows cancel, and points couple
 * as blocks. Stencils have one entry for each row of a block, along lines of a grid. */
static bool survey_has(const counts *c, int block)
{
  const int64_t *of = c->of[block - LEAST];
  return of[CUT] == 0 && of[BLOCKS] > 0 && 3 * of[CANCELING] >= c->coupled &&
         10 * of[ENTRIES] >= 13 * of[BLOCKS] * block;
}

static bool survey_may_have(const counts *c, int block)
{
  return 3 * c->of[block - LEAST][NEARLY] >= c->coupled;
}

static ovk_err survey_make(const ovk_mat *A, counts *out)
{
  survey s = {.ctx = A->ctx};
  const int64_t windows = A->layout.global / WINDOW;
  while (windows / (int64_t)(2 * (s.mask + 1)) >= WINDOWS) s.mask = 2 * s.mask + 1;
  const ovk_err err = ovk__mat_for_some_rows(A, survey_wants, survey_read, &s);
  for (int block = LEAST; block <= MOST; block++) {
    s.counts.of[block - LEAST][CUT] = A->layout.local % block != 0;
    free(s.group[block - LEAST].point);
  }
  *out = s.counts;
  return ovk__agree_total(A->ctx, err, out, (int)(sizeof *out / sizeof(int64_t)), MPI_INT64_T,
                          MPI_SUM);
}

ovk_err ovk__mat_find_block(const ovk_mat *A, int *block)
{
  counts c;
  *block = A->block;
  if (A->block > 1 || A->dim > 0) return OVK_OK;
  OVK_TRY(survey_make(A, &c));
  for (int b = LEAST; b <= MOST; b++) {
    if (survey_has(&c, b) && !survey_may_have(&c, LEAST + MOST - b)) *block = b;
  }
  return OVK_OK;
}
