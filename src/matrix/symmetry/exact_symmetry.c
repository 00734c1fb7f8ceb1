/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the entries of a matrix are symmetric, by a sum of hashes: entries above the diagonal
 * count positive, those below negative, each pair by the same hash of place and value. The total is
 * 0 if A is symmetric; otherwise with a probability of 2^-64 only. No rank needs the transpose of
 * another one's rows. */
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/symmetry/symmetry.h"

#include <stdlib.h>
#include <string.h>

static uint64_t symmetry_hash_of(ovk_gidx row, ovk_gidx col, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return ovk__mix(ovk__mix(ovk__mix((uint64_t)row + 1) + (uint64_t)col + 1) ^ bits);
}

/* Adds to a sum modulo 2^64. */
static ovk_err add_hash(void *sum, ovk_gidx i, ovk_gidx j, double value)
{
  uint64_t *hash = sum;
  if (i == j || value == 0) return OVK_OK; /* a stored 0, of either sign, counts as not stored */
  *hash += i < j ? symmetry_hash_of(i, j, value) : -symmetry_hash_of(j, i, value);
  return OVK_OK;
}

/* *number <- the positive entries of the diagonal. */
static ovk_err count_positive(const ovk_mat *A, uint64_t *number)
{
  double *d;
  OVK_NEW_ARRAY(A->ctx, d, A->layout.local);
  A->format->diagonal(A->local, d);
  for (ovk_lidx i = 0; i < A->layout.local; i++) *number += d[i] > 0;
  free(d);
  return OVK_OK;
}

ovk_err ovk__mat_symmetry(const ovk_mat *A, ovk__symmetry *out)
{
  uint64_t sums[2] = {0, 0}; /* of hashes, and of positive entries of the diagonal */
  ovk_err err = ovk__mat_for_each_unpaired(A, add_hash, &sums[0]);
  if (!err) err = count_positive(A, &sums[1]);
  OVK_TRY(ovk__agree_total(A->ctx, err, sums, 2, MPI_UINT64_T, MPI_SUM));
  out->symmetric = sums[0] == 0;
  out->positive_diagonal = sums[1] == (uint64_t)A->layout.global;
  return OVK_OK;
}
