/* SPDX-License-Identifier: BSD-2-Clause */
/* How the ranks of the program learn of an MPI error, and of an error on rank 0. */
#include "tool.h"

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
  TRY(tool_mpi(ctx, MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast"));
  return (ovk_err)code;
}
