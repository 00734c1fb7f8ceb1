/* SPDX-License-Identifier: BSD-2-Clause */
/* As symmetry.c, with sums of numbers in place of hashes: entries of D^-1/2 A D^-1/2 above the
 * diagonal count positive, those below negative, each pair with the same random weight between 1/2
 * and 1 and a random sign. What is left are the differences of pairs: one that is not rounding is
 * as large in the sums as it is itself, in a matrix of any size. */
#include "matrix/near_symmetry.h"
#include "base/mem.h"
#include "base/mix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Differences of this size are always rounding. With nnz entries the sums have rounding errors of
 * about eps sqrt(nnz). */
static const double ROUNDING = 1e-12, ERRORS = 8 * DBL_EPSILON;

enum { SUMS = 2 }; /* with other weights, should differences cancel in one */

typedef struct tally {
  const ovk_mat *A;
  const double *root, *ghosts; /* D^1/2 of this rank's rows and of its ghosts */
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

/* For a column of A. */
static double root_of(const tally *t, ovk_gidx j)
{
  const uint64_t own = (uint64_t)j - (uint64_t)t->A->layout.first; /* wraps if j < first */
  if (own < (uint64_t)t->A->layout.local) return t->root[own];
  return t->ghosts[ovk__ghosts_find(&t->A->ghosts, j)];
}

static double weight_of(ovk_gidx low, ovk_gidx high, int k)
{
  const double number =
      ovk__mix_number(ovk__mix(ovk__mix((uint64_t)low + 1) + (uint64_t)high + 1) + (uint64_t)k);
  return number < 0 ? number / 2 - 0.5 : number / 2 + 0.5;
}

static ovk_err add_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  tally *t = arg;
  if (i != t->row) end_row(t);
  t->row = i;
  if (i == j) return OVK_OK;
  const double entry = value / t->root[i - t->A->layout.first] / root_of(t, j);
  for (int k = 0; k < SUMS; k++) {
    t->of_row[k] += i < j ? weight_of(i, j, k) * entry : -weight_of(j, i, k) * entry;
  }
  return OVK_OK;
}

/* root <- |D|^1/2, with the largest entry of D in place of zeros. Collective; errors are agreed. */
static ovk_err find_root(const ovk_mat *A, double *root)
{
  const ovk_lidx n = A->layout.local;
  double largest = 0;
  A->format->diagonal(A->local, root);
  for (ovk_lidx i = 0; i < n; i++) {
    root[i] = sqrt(fabs(root[i]));
    largest = fmax(largest, root[i]);
  }
  OVK_TRY(ovk__agree(A->ctx, ovk__total(A->ctx, &largest, 1, MPI_MAX)));
  for (ovk_lidx i = 0; i < n; i++) {
    if (root[i] == 0) root[i] = largest > 0 ? largest : 1;
  }
  return OVK_OK;
}

/* The sums of this rank. */
static ovk_err add_entries(tally *t)
{
  const double *x = t->root;
  OVK_TRY(ovk__halo_begin(t->A->halo, &x));
  OVK_TRY(ovk__halo_end(t->A->halo, &t->ghosts));
  OVK_TRY(ovk__mat_for_each_entry(t->A, add_entry, t));
  end_row(t);
  return OVK_OK;
}

ovk_err ovk__mat_is_nearly_symmetric(const ovk_mat *A, bool *symmetric)
{
  ovk_ctx *ctx = A->ctx;
  double *root = ovk__array((size_t)A->layout.local, sizeof *root);
  tally t = {.A = A, .root = root, .row = -1};
  ovk_err err = OVK_OK;
  if (!root) err = OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d rows", A->layout.local);
  err = ovk__agree(ctx, err);
  if (!err) err = find_root(A, root);
  if (!err) err = ovk__agree(ctx, add_entries(&t));
  if (!err) err = ovk__agree(ctx, ovk__total(ctx, t.sums, SUMS, MPI_SUM));
  free(root);
  OVK_TRY(err);
  const double bound = fmax(ROUNDING, ERRORS * sqrt((double)A->nnz));
  *symmetric = fabs(t.sums[0]) <= bound && fabs(t.sums[1]) <= bound;
  return OVK_OK;
}
