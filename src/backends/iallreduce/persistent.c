/* SPDX-License-Identifier: BSD-2-Clause */
/* Persistent all-reduces, for MPI libraries that have them. */
#include "backends/iallreduce/persistent.h"
#include "core/context/check.h"

ovk_err ovk__persistent_check(ovk_ctx *ctx)
{
  (void)ctx;
  return OVK_OK;
}

ovk_err ovk__persistent_init(ovk_sum *sum, MPI_Request *request)
{
  OVK_TRY_MPI(sum->backend->ctx,
              MPI_Allreduce_init(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM,
                                 sum->backend->comm, MPI_INFO_NULL, request));
  return OVK_OK;
}
