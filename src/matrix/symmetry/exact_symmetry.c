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

ovk_err ovk__mat_is_symmetric(const ovk_mat *A, bool *symmetric)
{
  uint64_t sum = 0; /* of hashes */
  const ovk_err err = ovk__mat_for_each_unpaired(A, add_hash, &sum);
  OVK_TRY(ovk__agree_total(A->ctx, err, &sum, 1, MPI_UINT64_T, MPI_SUM));
  *symmetric = sum == 0;
  return OVK_OK;
}

ovk_err ovk__mat_has_positive_diagonal(const ovk_mat *A, bool *positive)
{
  double *d = ovk__array((size_t)A->layout.local, sizeof *d);
  const ovk_err err =
      d ? OVK_OK : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for %d rows", A->layout.local);
  bool all = true;
  if (d) A->format->diagonal(A->local, d);
  for (ovk_lidx i = 0; d && i < A->layout.local; i++) all = all && d[i] > 0;
  free(d);
  OVK_TRY(ovk__agree_flag(A->ctx, err, &all));
  *positive = all;
  return OVK_OK;
}
