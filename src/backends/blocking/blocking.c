/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "blocking": MPI_Allreduce inside begin; the reference for all others. MPI only
 * recommends that all ranks get the same bits; with the flag "bitwise" one rank's total is
 * broadcast.
 */
#include "core/context/check.h"

#include <ovkrylov/plugin/backend.h>
#include <stddef.h>

static const ovk_option options[] = {{.name = "bitwise",
                                      .alias = "equal",
                                      .summary = "return the same bits on all ranks",
                                      .type = OVK_OPTION_FLAG},
                                     OVK_OPTIONS_END};

static ovk_err blocking_begin_bitwise(ovk_sum *sum)
{
  ovk_ctx *ctx = sum->backend->ctx;
  const bool root = ovk_ctx_rank(ctx) == 0;
  OVK_TRY_MPI(ctx, MPI_Reduce(root ? MPI_IN_PLACE : sum->values, root ? sum->values : NULL,
                              sum->count, MPI_DOUBLE, MPI_SUM, 0, sum->backend->comm));
  OVK_TRY_MPI(ctx, MPI_Bcast(sum->values, sum->count, MPI_DOUBLE, 0, sum->backend->comm));
  return OVK_OK;
}

static ovk_err blocking_begin(ovk_sum *sum)
{
  if (ovk_spec_has(sum->backend->spec, "bitwise")) return blocking_begin_bitwise(sum);
  OVK_TRY_MPI(sum->backend->ctx, MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE,
                                               MPI_SUM, sum->backend->comm));
  return OVK_OK;
}

static ovk_err blocking_test(ovk_sum *sum, bool *complete)
{
  (void)sum;
  *complete = true;
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_blocking = {
    .name = "blocking",
    .summary = "MPI_Allreduce, called where the reduction starts",
    .keys = options,
    .begin = blocking_begin,
    .test = blocking_test,
};
