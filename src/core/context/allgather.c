/* SPDX-License-Identifier: BSD-2-Clause */
/* Over MPI_Iallgather. */
#include "core/context/allgather.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

ovk_err ovk__allgather_allocate(ovk_ctx *ctx, size_t bytes, ovk__allgather *gather)
{
  *gather = (ovk__allgather){
      .comm = MPI_COMM_NULL, .request = MPI_REQUEST_NULL, .ranks = ctx->size, .bytes = bytes};
  OVK_NEW_ZEROS(ctx, gather->mine, bytes);
  OVK_NEW_ZEROS(ctx, gather->all, bytes * (size_t)gather->ranks);
  return OVK_OK;
}

ovk_err ovk__allgather_connect(ovk_ctx *ctx, ovk__allgather *gather)
{
  OVK_TRY_MPI(ctx, MPI_Comm_dup(ctx->comm, &gather->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(gather->comm, MPI_ERRORS_RETURN));
  return OVK_OK;
}

void ovk__allgather_close(ovk__allgather *gather)
{
  if (gather->active && !ovk__mpi_is_over()) return;
  ovk__comm_free(&gather->comm);
  free(gather->mine);
  free(gather->all);
  gather->mine = gather->all = NULL;
}

int ovk__allgather_start(ovk__allgather *gather)
{
  const int bytes = (int)gather->bytes;
  gather->active = true;
  return MPI_Iallgather(gather->mine, bytes, MPI_BYTE, gather->all, bytes, MPI_BYTE, gather->comm,
                        &gather->request);
}

int ovk__allgather_test(ovk__allgather *gather, bool *complete)
{
  int over = 0;
  const int err = MPI_Test(&gather->request, &over, MPI_STATUS_IGNORE);
  *complete = !err && over;
  if (*complete) gather->active = false;
  return err;
}

const void *ovk__allgather_record(const ovk__allgather *gather, int rank)
{
  return gather->all + (size_t)rank * gather->bytes;
}

int ovk__allgather_first_difference(const ovk__allgather *gather)
{
  for (int rank = 1; rank < gather->ranks; rank++) {
    if (memcmp(gather->all, ovk__allgather_record(gather, rank), gather->bytes) != 0) return rank;
  }
  return 0;
}
