/* SPDX-License-Identifier: BSD-2-Clause */
/* The error of an MPI call, apart from error.c: `ovk` links that without the MPI. */
#include "core/context/check.h"

#include <string.h>

ovk_err ovk__fail_mpi(ovk_ctx *ctx, int mpi_code, const char *file, int line, const char *call)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(mpi_code, text, &length);
  return ovk__fail(ctx, OVK_ERR_MPI, file, line, "%.*s: %s", (int)strcspn(call, "("), call, text);
}
