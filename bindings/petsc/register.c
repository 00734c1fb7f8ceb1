/* SPDX-License-Identifier: BSD-2-Clause */
/* libovkpetsc.so: PETSc loads it by the option -dll_append. */
#include "ksp/ksp.h"
#include "layout.h"
#include "take/take.h"

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_ovkpetsc(void);

PetscErrorCode PetscDLLibraryRegister_ovkpetsc(void)
{
  const PetscErrorCode code = ovkpetsc_check_layout();
  if (code) return code;
  PetscFunctionBegin;
  PetscCall(KSPRegister("ovk", ovkpetsc_create));
  PetscCall(ovkpetsc_take());
  PetscCall(ovkpetsc_count());
  PetscCall(ovkpetsc_context_prepare());
  PetscFunctionReturn(0);
}
