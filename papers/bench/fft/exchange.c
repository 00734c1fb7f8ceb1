/* SPDX-License-Identifier: BSD-2-Clause */
/* All-to-alls in the columns: blocking by the MPI, puts between fences, nonblocking by the library.
 * */
#include "bench/fft/exchange.h"
#include "tool.h"

#include <ovkrylov/comm/collectives.h>
#include <stdlib.h>
#include <string.h>

/* Reports an error of the context of the column in the context of the program. */
static ovk_err pass_on(const exchange *e, ovk_err err)
{
  return err ? ovk_ctx_fail(e->ctx, err, "%s", ovk_ctx_error(e->column)) : OVK_OK;
}

/* The MPI allocates `receive`: it can write to such memory in more ways. One column after the
 * other: Open MPI 4.1 names the file of a window after the context id of the communicator, which is
 * the same in all columns, and removes the name once the column has the file. */
static ovk_err create_window(exchange *e, size_t numbers)
{
  const MPI_Aint bytes = (MPI_Aint)(numbers * sizeof *e->receive);
  const MPI_Comm world = ovk_ctx_comm(e->ctx);
  int turn = ovk_ctx_rank(e->ctx),
      code = MPI_SUCCESS; /* of a column: the number of its first rank */
  TRY(tool_mpi(e->ctx, MPI_Bcast(&turn, 1, MPI_INT, 0, e->comm), "MPI_Bcast"));
  for (int k = 0; k < ovk_ctx_size(e->ctx); k++) {
    if (k == turn) {
      code = MPI_Win_allocate(bytes, sizeof *e->receive, MPI_INFO_NULL, e->comm, &e->receive,
                              &e->window);
    }
    TRY(tool_mpi(e->ctx, MPI_Barrier(world), "MPI_Barrier"));
  }
  return tool_mpi(e->ctx, code, "MPI_Win_allocate");
}

ovk_err exchange_create(ovk_ctx *ctx, ovk_ctx *column, MPI_Comm comm, const char *way, int block,
                        exchange *e)
{
  const size_t numbers = (size_t)block * (size_t)ovk_ctx_size(column);
  *e = (exchange){
      .block = block, .comm = comm, .ctx = ctx, .column = column, .window = MPI_WIN_NULL};
  e->send = calloc(numbers, sizeof *e->send);
  TRY(tool_got_memory(ctx, e->send != NULL));
  if (strcmp(way, EXCHANGE_ONE_SIDED) == 0) return create_window(e, numbers);
  e->receive = calloc(numbers, sizeof *e->receive);
  TRY(tool_got_memory(ctx, e->receive != NULL));
  if (strcmp(way, EXCHANGE_ALLTOALL) == 0) return OVK_OK;
  return pass_on(e, ovk_collective_create_alltoall(column, way, e->send, e->receive, block,
                                                   sizeof *e->send, &e->collective));
}

void exchange_destroy(exchange *e)
{
  ovk_collective_destroy(&e->collective);
  if (e->column && e->window != MPI_WIN_NULL) {
    MPI_Win_free(&e->window);
  } else {
    free(e->receive);
  }
  free(e->send);
  *e = (exchange){.window = MPI_WIN_NULL};
}

/* Puts reach a rank once it has entered the first fence: then it has copied the data that it
 * received before. */
static ovk_err put_all(exchange *e)
{
  const int n = e->block, nranks = ovk_ctx_size(e->column), rank = ovk_ctx_rank(e->column);
  TRY(tool_mpi(e->ctx, MPI_Win_fence(MPI_MODE_NOPRECEDE, e->window), "MPI_Win_fence"));
  for (int step = 0; step < nranks; step++) {
    const int peer = (rank + step) % nranks;
    TRY(tool_mpi(e->ctx,
                 MPI_Put(e->send + (size_t)peer * (size_t)n, n, MPI_C_DOUBLE_COMPLEX, peer,
                         (MPI_Aint)rank * n, n, MPI_C_DOUBLE_COMPLEX, e->window),
                 "MPI_Put"));
  }
  return OVK_OK;
}

ovk_err exchange_begin(exchange *e)
{
  if (e->collective) return pass_on(e, ovk_collective_begin(e->collective));
  if (e->window != MPI_WIN_NULL) return put_all(e);
  return tool_mpi(e->ctx,
                  MPI_Alltoall(e->send, e->block, MPI_C_DOUBLE_COMPLEX, e->receive, e->block,
                               MPI_C_DOUBLE_COMPLEX, e->comm),
                  "MPI_Alltoall");
}

ovk_err exchange_end(exchange *e)
{
  if (e->collective) return pass_on(e, ovk_collective_wait(e->collective));
  if (e->window == MPI_WIN_NULL) return OVK_OK;
  return tool_mpi(e->ctx, MPI_Win_fence(MPI_MODE_NOSUCCEED, e->window), "MPI_Win_fence");
}

void exchange_poll(exchange *e)
{
  bool complete;
  if (!e->collective || !ovk_collective_running(e->collective)) return;
  (void)ovk_collective_test(e->collective, &complete);
}
