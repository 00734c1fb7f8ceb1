/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests symmetry as exact_symmetry.c does, with sums of numbers in place of hashes: entries of
 * D^-1/2 A D^-1/2 above the diagonal count positive, those below negative, each pair with the same
 * random weight between 1/2 and 1 and a random sign. Only differences of pairs remain: one that is
 * not rounding is as large in the sums as by itself, in a matrix of any size. */
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/symmetry/symmetry.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Differences of this size are always rounding. With nnz entries the sums have rounding errors of
 * about eps sqrt(nnz). */
static const double ROUNDING = 1e-12, ERRORS = 8 * DBL_EPSILON;

enum { SUMS = 2 }; /* with other weights, should differences cancel in one */

typedef struct tally {
  const ovk_mat *A;
  const double *scale, *ghosts; /* D^-1/2 of this rank's rows and of its ghosts */
  ovk_gidx row;
  double of_row[SUMS], sums[SUMS];
} tally;

static void end_row(tally *t)
{
  for (int k = 0; k < SUMS; k++) {
    t->sums[k] += t->of_row[k];
    t->of_row[k] = 0;
  }
}

static void begin_row(tally *t, ovk_gidx i)
{
  end_row(t);
  t->row = i;
}

/* The scale of a column of A. */
static double scale_of(const tally *t, ovk_gidx j)
{
  const uint64_t own = (uint64_t)j - (uint64_t)t->A->layout.first; /* wraps if j < first */
  if (own < (uint64_t)t->A->layout.local) return t->scale[own];
  return t->ghosts[ovk__ghosts_find(&t->A->ghosts, j)];
}

/* A weight from 32 of 64 random bits, without a branch, which would often be mispredicted. */
static double weight_of(uint64_t bits, int k)
{
  const double number = 0x1p-32 * (int32_t)(uint32_t)(bits >> 32 * k);
  return number + copysign(0.5, number);
}

/* Random bits of a pair of rows, which a product and a sum make one number. */
static uint64_t bits_of(ovk_gidx low, ovk_gidx high)
{
  return ovk__mix((uint64_t)low * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)high + 1);
}

static ovk_err near_symmetry_add_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  tally *t = arg;
  if (i != t->row) begin_row(t, i);
  if (i == j) return OVK_OK;
  const uint64_t bits = i < j ? bits_of(i, j) : bits_of(j, i);
  const double scaled = value * t->scale[i - t->A->layout.first] * scale_of(t, j);
  for (int k = 0; k < SUMS; k++) t->of_row[k] += weight_of(bits, k) * (i < j ? scaled : -scaled);
  return OVK_OK;
}

/* scale <- |D|^-1/2, with the largest entry of D in place of zeros; NULL: this rank has no memory
 * for it. Collective; errors are agreed. */
static ovk_err near_symmetry_find_scale(const ovk_mat *A, double *scale)
{
  const ovk_lidx n = A->layout.local;
  double largest = 0;
  ovk_err err = OVK_OK;
  if (!scale) err = OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for %d rows", n);
  if (scale) A->format->diagonal(A->local, scale);
  for (ovk_lidx i = 0; scale && i < n; i++) largest = fmax(largest, fabs(scale[i]));
  OVK_TRY(ovk__agree_total(A->ctx, err, &largest, 1, MPI_DOUBLE, MPI_MAX));
  if (largest == 0) largest = 1;
  for (ovk_lidx i = 0; i < n; i++) scale[i] = 1 / sqrt(scale[i] == 0 ? largest : fabs(scale[i]));
  return OVK_OK;
}

/* Adds the entries of this rank to the sums. */
static ovk_err add_entries(tally *t)
{
  const double *x = t->scale;
  OVK_TRY(ovk__halo_begin(t->A->halo, &x));
  OVK_TRY(ovk__halo_end(t->A->halo, &t->ghosts));
  OVK_TRY(ovk__mat_for_each_unpaired(t->A, near_symmetry_add_entry, t));
  end_row(t);
  return OVK_OK;
}

ovk_err ovk__mat_is_nearly_symmetric(const ovk_mat *A, bool *symmetric)
{
  ovk_ctx *ctx = A->ctx;
  double *scale = ovk__array((size_t)A->layout.local, sizeof *scale);
  tally t = {.A = A, .scale = scale, .row = -1};
  ovk_err err = near_symmetry_find_scale(A, scale);
  if (!err) err = ovk__agree_total(ctx, add_entries(&t), t.sums, SUMS, MPI_DOUBLE, MPI_SUM);
  free(scale);
  OVK_TRY(err);
  const double bound = fmax(ROUNDING, ERRORS * sqrt((double)A->nnz));
  *symmetric = fabs(t.sums[0]) <= bound && fabs(t.sums[1]) <= bound;
  return OVK_OK;
}
