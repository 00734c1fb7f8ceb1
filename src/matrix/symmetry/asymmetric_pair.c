/* SPDX-License-Identifier: BSD-2-Clause */
/* Two entries that show that a matrix is not symmetric, for messages. Only pairs whose rows are on
 * one rank are compared, without memory for a transpose: for d = (A - A^T) w with a random w, the
 * largest |d_i| is in a row that has such an entry. */
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/check.h"
#include "matrix/symmetry/symmetry.h"
#include "matrix/vector/vec_impl.h"

#include <math.h>

/* This rank's rows first to end - 1, a vector for them, and the pair. */
typedef struct search {
  ovk_gidx first, end;
  double *d;
  ovk__asymmetric_pair pair;
} search;

typedef ovk_err visitor(void *arg, ovk_gidx i, ovk_gidx j, double value);

static bool is_local(const search *s, ovk_gidx i, ovk_gidx j)
{
  return i != j && j >= s->first && j < s->end;
}

/* d <- d + (A - A^T) w, for one entry */
static ovk_err add_difference(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  search *s = arg;
  if (!is_local(s, i, j)) return OVK_OK;
  s->d[i - s->first] += value * ovk__mix_number((uint64_t)j);
  s->d[j - s->first] -= value * ovk__mix_number((uint64_t)i);
  return OVK_OK;
}

/* d <- d + row pair.row of A - A^T, for one entry */
static ovk_err asymmetric_pair_add_row(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  search *s = arg;
  if (!is_local(s, i, j)) return OVK_OK;
  if (i == s->pair.row) s->d[j - s->first] += value;
  if (j == s->pair.row) s->d[i - s->first] -= value;
  return OVK_OK;
}

static ovk_err read_pair(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  ovk__asymmetric_pair *pair = &((search *)arg)->pair;
  if (i == pair->row && j == pair->col) pair->entry = value;
  if (i == pair->col && j == pair->row) pair->mirrored = value;
  return OVK_OK;
}

/* d <- the sum by `add` over all entries; *at <- the row in which |d| is largest */
static ovk_err find_largest(const ovk_mat *A, search *s, visitor *add, ovk_gidx *at)
{
  const ovk_lidx n = A->layout.local;
  ovk_lidx largest = 0;
  for (ovk_lidx i = 0; i < n; i++) s->d[i] = 0;
  OVK_TRY(ovk__mat_for_each_entry(A, add, s));
  for (ovk_lidx i = 1; i < n; i++) {
    if (fabs(s->d[i]) > fabs(s->d[largest])) largest = i;
  }
  *at = s->first + largest;
  return OVK_OK;
}

/* This rank's pair; its entries are equal if there is none. */
static ovk_err find_own(const ovk_mat *A, search *s)
{
  if (A->layout.local == 0) return OVK_OK;
  OVK_TRY(find_largest(A, s, add_difference, &s->pair.row));
  OVK_TRY(find_largest(A, s, asymmetric_pair_add_row, &s->pair.col));
  if (s->pair.row < s->pair.col) {
    const ovk_gidx row = s->pair.row;
    s->pair.row = s->pair.col;
    s->pair.col = row;
  }
  return ovk__mat_for_each_entry(A, read_pair, s);
}

/* *pair <- the pair with the largest difference, of the lowest rank that has one */
static ovk_err asymmetric_pair_choose(ovk_ctx *ctx, ovk__asymmetric_pair *pair)
{
  const double mine = fabs(pair->entry - pair->mirrored);
  double largest = mine;
  OVK_TRY(ovk__total(ctx, &largest, 1, MPI_MAX));
  double owner = mine == largest ? ctx->rank : ctx->size - 1;
  OVK_TRY(ovk__total(ctx, &owner, 1, MPI_MIN));
  OVK_TRY_MPI(ctx, MPI_Bcast(pair, sizeof *pair, MPI_BYTE, (int)owner, ctx->comm));
  return OVK_OK;
}

ovk_err ovk__mat_asymmetric_pair(const ovk_mat *A, ovk_vec *work, ovk__asymmetric_pair *out)
{
  search s = {.first = A->layout.first, .end = A->layout.first + A->layout.local, .d = work->array};
  *out = (ovk__asymmetric_pair){0};
  if (A->state == OVK__MAT_SHELL) return OVK_OK;
  OVK_TRY(ovk__agree(A->ctx, find_own(A, &s)));
  *out = s.pair;
  return ovk__agree(A->ctx, asymmetric_pair_choose(A->ctx, out));
}
