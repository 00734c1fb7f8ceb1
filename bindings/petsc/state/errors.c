/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of ovkrylov as those of PETSc, and the other way round. */
#include "state/errors.h"

PetscErrorCode ovkpetsc_code(ovk_err err)
{
  switch (err) {
  case OVK_OK:
    return 0;
  case OVK_ERR_ARG:
    return PETSC_ERR_ARG_WRONG;
  case OVK_ERR_STATE:
    return PETSC_ERR_ORDER;
  case OVK_ERR_MEMORY:
    return PETSC_ERR_MEM;
  case OVK_ERR_RANGE:
    return PETSC_ERR_ARG_OUTOFRANGE;
  case OVK_ERR_UNKNOWN:
    return PETSC_ERR_ARG_UNKNOWN_TYPE;
  case OVK_ERR_UNSUPPORTED:
    return PETSC_ERR_SUP;
  default:
    return PETSC_ERR_LIB;
  }
}

ovk_err ovkpetsc_failed(ovk_ctx *ctx, const char *what, PetscErrorCode code)
{
  const char *text = NULL;
  char *specific = NULL;
  if (!code) return OVK_OK;
  (void)PetscErrorMessage(code, &text, &specific);
  return ovk_ctx_fail(ctx, OVK_ERR_USER, "PETSc's %s failed with error %d, %s: %s", what, (int)code,
                      text ? text : "which has no text", specific ? specific : "");
}

PetscErrorCode ovkpetsc_agree(MPI_Comm comm, PetscErrorCode mine)
{
  int code = (int)mine;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, comm));
  PetscFunctionReturn((PetscErrorCode)code);
}
