/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the entries of a matrix are symmetric, by a sum of hashes: entries above the diagonal
 * count positive, those below negative, each pair by the same hash of place and value. The total is
 * 0 if A is symmetric; otherwise with a probability of 2^-64 only. No rank needs the transpose of
 * another one's rows. */
#include "matrix/symmetry.h"
#include "base/mix.h"

#include <string.h>

/* Of this rank's rows. */
typedef struct tally {
  uint64_t hash;     /* modulo 2^64 */
  uint64_t positive; /* positive entries on the diagonal */
} tally;

static uint64_t hash_of(ovk_gidx row, ovk_gidx col, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return ovk__mix(ovk__mix(ovk__mix((uint64_t)row + 1) + (uint64_t)col + 1) ^ bits);
}

static ovk_err count(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  tally *t = arg;
  if (i == j) t->positive += value > 0;
  if (i == j || value == 0) return OVK_OK; /* a stored 0, of either sign, is as one not stored */
  t->hash += i < j ? hash_of(i, j, value) : -hash_of(j, i, value);
  return OVK_OK;
}

ovk_err ovk__mat_symmetry(const ovk_mat *A, ovk__symmetry *out)
{
  tally t = {0, 0};
  OVK_TRY(ovk__agree(A->ctx, ovk__mat_for_each_entry(A, count, &t)));
  uint64_t sums[2] = {t.hash, t.positive};
  OVK_TRY_MPI(A->ctx,
              MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, ovk_ctx_comm(A->ctx)));
  out->symmetric = sums[0] == 0;
  out->positive_diagonal = sums[1] == (uint64_t)A->layout.global;
  return OVK_OK;
}
