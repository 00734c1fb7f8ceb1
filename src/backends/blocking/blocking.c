/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "blocking": MPI_Allreduce inside begin. What all others are measured against. */
#include "core/check.h"

#include <ovkrylov/backend.h>

static ovk_err begin(ovk_sum *sum)
{
  OVK_TRY_MPI(sum->backend->ctx, MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE,
                                               MPI_SUM, sum->backend->comm));
  return OVK_OK;
}

static ovk_err test(ovk_sum *sum, bool *complete)
{
  (void)sum;
  *complete = true;
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_blocking = {
    .name = "blocking",
    .summary = "MPI_Allreduce: all of the sum happens in begin",
    .begin = begin,
    .test = test,
};
