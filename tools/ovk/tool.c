/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the commands: agreement on errors, and medians. */
#include "tool.h"

#include <stdlib.h>

ovk_err tool_mpi(ovk_ctx *ctx, int mpi_code, const char *call)
{
  if (mpi_code == MPI_SUCCESS) return OVK_OK;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(mpi_code, text, &length);
  return ovk_ctx_fail(ctx, OVK_ERR_MPI, "%s: %s", call, text);
}

ovk_err tool_agree(ovk_ctx *ctx, ovk_err local)
{
  int code = (int)local;
  TRY(tool_mpi(ctx, MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  const ovk_err all = (ovk_err)code;
  return local || !all ? all : ovk_ctx_fail(ctx, all, "on another rank: %s", ovk_err_text(all));
}

ovk_err tool_greatest(ovk_ctx *ctx, double *values, int n)
{
  return tool_mpi(ctx, MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
                  "MPI_Allreduce");
}

ovk_err tool_got_memory(ovk_ctx *ctx, bool mine)
{
  return tool_agree(ctx, mine ? OVK_OK : ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "out of memory"));
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double tool_median(double *values, int n)
{
  qsort(values, (size_t)n, sizeof *values, compare);
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}
