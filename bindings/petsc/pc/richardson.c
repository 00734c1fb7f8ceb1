/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether Richardson's iteration computes its step lengths from residuals, by
 * KSPRichardsonSetSelfScale(). PETSc has no function that returns that: its view of the KSP states
 * it. */
#include "pc/pc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PetscErrorCode view_into(KSP ksp, FILE *file)
{
  PetscViewer viewer;
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIOpenWithFILE(PETSC_COMM_SELF, file, &viewer));
  PetscTryTypeMethod(ksp, view, viewer);
  PetscCall(PetscViewerDestroy(&viewer));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_richardson_scales_itself(KSP ksp, bool *does)
{
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  PetscFunctionBegin;
  PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the view of a KSP");
  const PetscErrorCode code = view_into(ksp, file);
  (void)fclose(file);
  *does = text && strstr(text, "self-scale");
  free(text);
  PetscCall(code);
  PetscFunctionReturn(0);
}
