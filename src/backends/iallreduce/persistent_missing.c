/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands in for persistent.c where the MPI library has no persistent all-reduces. */
#include "backends/iallreduce/persistent.h"
#include "core/context/check.h"

ovk_err ovk__persistent_check(ovk_ctx *ctx)
{
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "iallreduce:persistent needs MPI_Allreduce_init (MPI 4.0), which the MPI of this "
                  "build lacks");
}

ovk_err ovk__persistent_init(ovk_sum *sum, MPI_Request *request)
{
  *request = MPI_REQUEST_NULL;
  return ovk__persistent_check(sum->backend->ctx);
}
