/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of ovkrylov as those of PETSc, and the other way round. */
#ifndef OVKPETSC_ERRORS_H
#define OVKPETSC_ERRORS_H

#include <ovkrylov/ovkrylov.h>
#include <petscksp.h>

/* The PETSc code for an error of ovkrylov. Not collective. */
PetscErrorCode ovkpetsc_code(ovk_err err);

/* Records that `what` failed in PETSc, with its message, as an error of ovkrylov. Not collective.
 * Returns OVK_OK for 0. */
ovk_err ovkpetsc_failed(ovk_ctx *ctx, const char *what, PetscErrorCode code);

/* Returns the greatest code of all ranks. */
PetscErrorCode ovkpetsc_agree(MPI_Comm comm, PetscErrorCode mine);

/* Returns from a function of PETSc with the error and the message of ovkrylov, on all ranks. */
#define OVKPETSC_CALL(ksp, ovk_ctx_of, call)                                                       \
  do {                                                                                             \
    const ovk_err err_ = (call);                                                                   \
    PetscCheck(!err_, PetscObjectComm((PetscObject)(ksp)), ovkpetsc_code(err_),                    \
               "ovkrylov: %s: %s", ovk_err_text(err_), ovk_ctx_error(ovk_ctx_of));                 \
  } while (0)

#endif
