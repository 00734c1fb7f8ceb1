/* SPDX-License-Identifier: BSD-2-Clause */
/* Sampled rows are spread over the rows of the rank. Only the local block is read, as by
 * incomplete factorizations. */
#include "precond/auto/features.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "precond/auto/local_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the sample, the stride of those whose neighbors are read, and the most neighbors of
 * each. */
enum { MOST_ROWS = 64, WITH_NEIGHBORS = 4, MOST_NEIGHBORS = 10 };

/* Incomplete factors are stored by diagonals if these are no more than this, and at least so
 * full. */
enum { MOST_DIAGONALS = 64 };
static const double FILLED = 0.75;

/* Couplings, and differences of couplings, below this fraction of the diagonal are rounding. */
static const double ROUNDING = 1e-10;

/* Below this one those with the sign of the diagonal are a mass in an implicit time step, which
 * does not depend on coefficients that jump. */
static const double MASS = 0.01;

/* Rows of a vector that fits the first cache; the mean distance of scattered columns, relative to
 * the rows: in random order it is 1/3. */
static const double ROWS_IN_CACHE = 4096, FAR = 1. / 8;

/* Sums over sampled rows. */
typedef struct sample {
  const ovk_mat *A;
  local_row row, neighbor;
  ovk_lidx offset[MOST_DIAGONALS]; /* the diagonals found below the main one */
  int diagonals;                   /* their number, or one more than there is room for */
  double rows, lower, couplings, distance, coupled, contrast;
  int filled; /* rows with neighbors */
  double fill, omitted;
  double skew, paired; /* sums of |a_ij - a_ji| and |a_ij + a_ji| */
  bool symmetric;
} sample;

static void sample_add_diagonal(sample *s, ovk_lidx offset)
{
  if (s->diagonals > MOST_DIAGONALS) return;
  for (int k = 0; k < s->diagonals; k++) {
    if (s->offset[k] == offset) return;
  }
  if (s->diagonals < MOST_DIAGONALS) s->offset[s->diagonals] = offset;
  s->diagonals++;
}

/* Places of the entries, and contrast of the row. */
static void sample_add_row(sample *s)
{
  const local_row *row = &s->row;
  double largest = 0, smallest = INFINITY;
  s->rows++;
  for (ovk_lidx k = 0; k < row->n; k++) {
    const double a = fabs(row->val[k]);
    if (row->col[k] == row->i) continue;
    if (row->col[k] < row->i) sample_add_diagonal(s, row->i - row->col[k]);
    s->lower += row->col[k] < row->i;
    s->distance += fabs((double)row->i - (double)row->col[k]);
    s->couplings++;
    const bool opposite = (row->val[k] < 0) != (row->diagonal < 0);
    if (a <= (opposite ? ROUNDING : MASS) * fabs(row->diagonal)) continue;
    largest = fmax(largest, a);
    smallest = fmin(smallest, a);
  }
  if (!(largest > 0)) return;
  s->coupled++;
  s->contrast += log10(largest / smallest);
}

/* Adds the fill a_ij a_ik / a_ii of entry number e, a_ij, with the later columns k of the row: all
 * of it, and that for which the neighbor j has no entry. Each factor is relative to a_ii, whose
 * square may overflow. */
static void sample_add_fill(sample *s, ovk_lidx e, double weight)
{
  const local_row *row = &s->row;
  const double diagonal = fabs(row->diagonal);
  double all = 0, omitted = 0, value;
  for (ovk_lidx k = e + 1; k < row->n; k++) {
    const double a = fabs(row->val[k]) / diagonal;
    all += a;
    omitted += local_row_has(&s->neighbor, row->col[k], &value) ? 0 : a;
  }
  const double scale = 2 * weight * (fabs(row->val[e]) / diagonal);
  s->fill += scale * all;
  s->omitted += scale * omitted;
}

/* Compares entry number k of the row with the mirrored one, which the neighbor has. */
static void sample_add_pair(sample *s, ovk_lidx k)
{
  const local_row *row = &s->row;
  const double value = row->val[k], diagonal = fabs(row->diagonal);
  double mirrored;
  local_row_has(&s->neighbor, row->i, &mirrored);
  const double difference = fabs(value - mirrored);
  const double scale = fmax(sqrt(diagonal) * sqrt(fabs(s->neighbor.diagonal)), fabs(value));
  if (!(difference <= ROUNDING * scale)) s->symmetric = false;
  if (diagonal == 0) return;
  s->skew += difference / diagonal;
  s->paired += fabs(value + mirrored) / diagonal;
}

/* The fill that the elimination of the row causes, relative to the diagonal, and its symmetry, from
 * evenly spaced entries: symmetric formats have to search for rows. */
static ovk_err sample_add_neighbors(sample *s)
{
  const local_row *row = &s->row;
  const ovk_lidx stride = 1 + row->n / MOST_NEIGHBORS;
  for (ovk_lidx k = (ovk_lidx)s->filled % stride; k < row->n; k += stride) {
    if (row->col[k] == row->i) continue;
    OVK_TRY(local_row_read(s->A, row->col[k], &s->neighbor));
    sample_add_pair(s, k);
    if (row->col[k] > row->i && row->diagonal != 0) sample_add_fill(s, k, stride);
  }
  s->filled += row->diagonal != 0;
  return OVK_OK;
}

/* Row number k of the sample: at random within its part of the rows, as even distances may agree
 * with the lines of a grid. */
static ovk_lidx sample_place(ovk_lidx n, ovk_lidx count, ovk_lidx k)
{
  const ovk_lidx first = (ovk_lidx)((int64_t)n * k / count);
  const ovk_lidx end = (ovk_lidx)((int64_t)n * (k + 1) / count);
  return first + (ovk_lidx)(ovk__mix((uint64_t)k) % (uint64_t)(end - first));
}

static ovk_err sample_read(sample *s)
{
  const ovk_lidx n = s->A->layout.local, count = n < MOST_ROWS ? n : MOST_ROWS;
  for (ovk_lidx k = 0; k < count; k++) {
    OVK_TRY(local_row_read(s->A, sample_place(n, count, k), &s->row));
    sample_add_row(s);
    if (k % WITH_NEIGHBORS == 0) OVK_TRY(sample_add_neighbors(s));
  }
  return OVK_OK;
}

static void sample_free(sample *s)
{
  free(s->row.col);
  free(s->row.val);
  free(s->neighbor.col);
  free(s->neighbor.val);
}

static bool sample_is_stencil(const sample *s)
{
  return s->diagonals <= MOST_DIAGONALS && s->lower >= FILLED * s->diagonals * s->rows;
}

/* The directions of a stencil, as far as the rows of this rank couple in them: diagonals near the
 * main one are of the first, those next to the outermost one of the last. 0: it is no stencil. */
static int sample_dimension(const sample *s)
{
  enum { NEAR = 8 };
  ovk_lidx width = 0;
  if (!sample_is_stencil(s)) return 0;
  for (int k = 0; k < s->diagonals; k++) width = width < s->offset[k] ? s->offset[k] : width;
  for (int k = 0; k < s->diagonals; k++) {
    if (s->offset[k] > NEAR && s->offset[k] < width / 2) return 3;
  }
  return width > NEAR ? 2 : width > 0;
}

static bool sample_is_scattered(const sample *s)
{
  const double rows = s->A->layout.local;
  return rows > ROWS_IN_CACHE && s->distance > FAR * rows * s->couplings;
}

/* Whether the storage format has a column for each entry. */
static bool features_indexed(const ovk_mat *A)
{
  static const char *const names[] = {"csr", "sell", "sym", "sym3"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    if (strcmp(A->format->name, names[k]) == 0) return true;
  }
  return false;
}

/* Totals over the ranks: sums of samples, then the ranks with a property; and maxima. */
enum { COUPLED, CONTRAST, FILLED_ROWS, FILL, OMITTED, SKEW, PAIRED, SUMS };
enum { IRREGULAR = SUMS, INDEXED, SCATTERED, ASYMMETRIC, TOTALS };
enum { ROWS, DIAGONALS, DIMENSION, MAXIMA };

/* Where each rank has one plane or line of a grid, the couplings in the last direction are all of
 * other ranks: rows then have more entries than the diagonals of the rank. */
static bool features_are_planar(const ovk__auto_features *out, const double most[MAXIMA])
{
  const bool hidden = out->entries > 2 * most[DIAGONALS] + 1;
  return out->diagonals && most[DIMENSION] + hidden == 2;
}

static ovk_err features_total(const sample *s, ovk__auto_features *out)
{
  const ovk_mat *A = s->A;
  const double global = fmax((double)A->layout.global, 1);
  double most[MAXIMA] = {
      [ROWS] = A->layout.local, [DIAGONALS] = s->diagonals, [DIMENSION] = sample_dimension(s)};
  double total[TOTALS] = {[COUPLED] = s->coupled,
                          [CONTRAST] = s->contrast,
                          [FILLED_ROWS] = s->filled,
                          [FILL] = s->fill,
                          [OMITTED] = s->omitted,
                          [IRREGULAR] = !sample_is_stencil(s),
                          [INDEXED] = A->layout.local > 0 && features_indexed(A),
                          [SCATTERED] = sample_is_scattered(s),
                          [ASYMMETRIC] = !s->symmetric,
                          [SKEW] = s->skew,
                          [PAIRED] = s->paired};
  OVK_TRY(ovk__total(A->ctx, total, TOTALS, MPI_SUM));
  OVK_TRY(ovk__total(A->ctx, most, MAXIMA, MPI_MAX));
  *out =
      (ovk__auto_features){.rows = most[ROWS],
                           .global = global,
                           .entries = (double)A->nnz / global,
                           .bytes = (double)A->bytes / global,
                           .contrast = total[CONTRAST] / fmax(total[COUPLED], 1),
                           .fill = sqrt(total[FILL] * total[OMITTED]) / fmax(total[FILLED_ROWS], 1),
                           .diagonals = total[IRREGULAR] == 0,
                           .indexed = total[INDEXED] > 0,
                           .scattered = total[SCATTERED] > 0,
                           .points = A->block > 1,
                           .distributed = A->ctx->size > 1,
                           .skewness = total[SKEW] > 0 ? total[SKEW] / total[PAIRED] : 0,
                           .symmetric = total[ASYMMETRIC] == 0};
  out->planar = features_are_planar(out, most);
  return OVK_OK;
}

ovk_err ovk__auto_features_read(const ovk_mat *A, ovk__auto_features *out)
{
  sample s = {.A = A, .symmetric = true};
  ovk_err err = ovk__agree(A->ctx, sample_read(&s));
  if (!err) err = ovk__agree(A->ctx, features_total(&s, out));
  sample_free(&s);
  return err;
}
