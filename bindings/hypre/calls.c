/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of hypre as errors of ovkrylov. */
#include "calls.h"

#include <_hypre_utilities.h>
#include <string.h>

HYPRE_Int ovk__hypre_enter(void)
{
  const HYPRE_Int before = hypre_error_flag;
  (void)HYPRE_ClearAllErrors();
  return before;
}

static ovk_err code_of(HYPRE_Int flags)
{
  if (flags & HYPRE_ERROR_MEMORY) return OVK_ERR_MEMORY;
  return flags & HYPRE_ERROR_ARG ? OVK_ERR_ARG : OVK_ERR_USER;
}

ovk_err ovk__hypre_leave(ovk_ctx *ctx, HYPRE_Int before, const char *call)
{
  const HYPRE_Int flags = HYPRE_GetError() & ~(HYPRE_Int)HYPRE_ERROR_CONV;
  hypre_error_flag = before;
  if (!flags) return OVK_OK;
  char text[512] = "";
  HYPRE_DescribeError(flags, text);
  const int name = (int)strcspn(call, "("); /* the function alone */
  return ovk_ctx_fail(ctx, code_of(flags), "hypre's %.*s: %s", name, call, text);
}

ovk_err ovk__hypre_dup(ovk_ctx *ctx, MPI_Comm comm, MPI_Comm *own)
{
  if (MPI_Comm_dup(comm, own) || MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN)) {
    return ovk_ctx_fail(ctx, OVK_ERR_MPI, "the communicator cannot be duplicated for hypre");
  }
  return OVK_OK;
}

bool ovk__hypre_all_well(MPI_Comm comm, ovk_err mine)
{
  int failed = mine != OVK_OK;
  return !MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm) && !failed;
}

ovk_err ovk__hypre_agree(ovk_ctx *ctx, MPI_Comm comm, ovk_err mine, ovk_err others,
                         const char *text)
{
  if (ovk__hypre_all_well(comm, mine) || mine) return mine;
  return ovk_ctx_fail(ctx, others, "%s", text);
}

ovk_err ovk__hypre_agree_number(ovk_ctx *ctx, MPI_Comm comm, ovk_err mine, ovk_err others,
                                const char *text, HYPRE_Int number, const char *what)
{
  HYPRE_Int most[] = {mine != OVK_OK, number, -number};
  const int failed = MPI_Allreduce(MPI_IN_PLACE, most, 3, HYPRE_MPI_INT, MPI_MAX, comm);
  if (mine) return mine;
  if (failed || most[0]) return ovk_ctx_fail(ctx, others, "%s", text);
  if (most[1] == -most[2]) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "ranks have %lld to %lld %s", (long long)-most[2],
                      (long long)most[1], what);
}

bool ovk__hypre_mpi_runs(void)
{
  int finalized = 0;
  return !MPI_Finalized(&finalized) && !finalized;
}
