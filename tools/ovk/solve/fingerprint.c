/* SPDX-License-Identifier: BSD-2-Clause */
/* Fingerprints of a system and of its solution. */
#include "solve/fingerprint.h"
#include "splitmix64.h"

#include <string.h>

static uint64_t fingerprint_of_entry(ovk_gidx i, ovk_gidx j, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return splitmix64(bits ^ splitmix64((uint64_t)i ^ splitmix64((uint64_t)j)));
}

static ovk_err fingerprint_add_row(void *hash, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                                   const double *val)
{
  uint64_t *sum = hash;
  for (ovk_lidx k = 0; k < n; k++) *sum += fingerprint_of_entry(i, col[k], val[k]);
  return OVK_OK;
}

/* Of this rank's rows. */
static uint64_t fingerprint_of_vector(const ovk_mat *A, const ovk_vec *v)
{
  const ovk_gidx first = ovk_mat_row_begin(A);
  const double *values = ovk_vec_array_const(v);
  uint64_t sum = 0;
  for (ovk_lidx i = 0; i < ovk_mat_local_size(A); i++) {
    sum += fingerprint_of_entry(first + i, 0, values[i]);
  }
  return sum;
}

ovk_err fingerprint_system(const ovk_mat *A, const ovk_vec *b, const ovk_vec *x, fingerprint *out)
{
  enum { OF_A, OF_B, OF_X, PARTS };
  uint64_t sums[PARTS] = {0, fingerprint_of_vector(A, b), fingerprint_of_vector(A, x)};
  ovk_ctx *ctx = ovk_mat_ctx(A);
  const ovk_err mine = ovk_mat_for_each_row(A, fingerprint_add_row, &sums[OF_A]);
  TRY(tool_got_memory(ctx, !mine));
  TRY(tool_mpi(ctx, MPI_Allreduce(MPI_IN_PLACE, sums, PARTS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  out->A = sums[OF_A];
  out->b = sums[OF_B];
  out->x = sums[OF_X];
  return OVK_OK;
}
