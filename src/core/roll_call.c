/* SPDX-License-Identifier: BSD-2-Clause */
/* Roll calls over MPI_Iallgather. */
#include "core/roll_call.h"
#include "base/mem.h"
#include "core/mpi_finalized.h"

#include <stdlib.h>
#include <string.h>

static ovk_err allocate(ovk_ctx *ctx, ovk__roll_call *roll)
{
  OVK_NEW_ZEROS(ctx, roll->mine, roll->bytes);
  OVK_NEW_ZEROS(ctx, roll->all, roll->bytes * (size_t)roll->ranks);
  return OVK_OK;
}

static ovk_err connect(ovk_ctx *ctx, ovk__roll_call *roll)
{
  OVK_TRY_MPI(ctx, MPI_Comm_dup(ovk_ctx_comm(ctx), &roll->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(roll->comm, MPI_ERRORS_RETURN));
  return OVK_OK;
}

ovk_err ovk__roll_call_open(ovk_ctx *ctx, size_t bytes, ovk__roll_call *roll)
{
  *roll = (ovk__roll_call){.comm = MPI_COMM_NULL,
                           .request = MPI_REQUEST_NULL,
                           .ranks = ovk_ctx_size(ctx),
                           .bytes = bytes};
  ovk_err err = ovk__agree(ctx, allocate(ctx, roll));
  if (!err) err = ovk__agree(ctx, connect(ctx, roll));
  if (err) ovk__roll_call_close(roll);
  return err;
}

void ovk__roll_call_close(ovk__roll_call *roll)
{
  if (roll->called && !ovk__mpi_is_over()) return;
  ovk__comm_free(&roll->comm);
  free(roll->mine);
  free(roll->all);
  roll->mine = roll->all = NULL;
}

int ovk__roll_call_start(ovk__roll_call *roll)
{
  const int bytes = (int)roll->bytes;
  roll->called = true;
  return MPI_Iallgather(roll->mine, bytes, MPI_BYTE, roll->all, bytes, MPI_BYTE, roll->comm,
                        &roll->request);
}

int ovk__roll_call_test(ovk__roll_call *roll, bool *complete)
{
  int over = 0;
  const int err = MPI_Test(&roll->request, &over, MPI_STATUS_IGNORE);
  *complete = !err && over;
  if (*complete) roll->called = false;
  return err;
}

const void *ovk__roll_call_of(const ovk__roll_call *roll, int rank)
{
  return roll->all + (size_t)rank * roll->bytes;
}

int ovk__roll_call_odd_one(const ovk__roll_call *roll)
{
  for (int rank = 1; rank < roll->ranks; rank++) {
    if (memcmp(roll->all, ovk__roll_call_of(roll, rank), roll->bytes) != 0) return rank;
  }
  return 0;
}
