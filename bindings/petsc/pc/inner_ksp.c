/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a KSP inside of a PC differs from application to application. */
#include "pc/pc.h"

#include <petsc/private/kspimpl.h>
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

/* Whether Richardson's iteration computes its step lengths from residuals, by
 * KSPRichardsonSetSelfScale(). PETSc has no function that returns that: its view of the KSP states
 * it. */
static PetscErrorCode richardson_scales_itself(KSP ksp, bool *does)
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

/* Polynomials in A and the PC are fixed where nothing ends them early; other methods depend on the
 * vector that they are applied to. */
PetscErrorCode ovkpetsc_ksp_varies(KSP ksp, bool *varies)
{
  PetscBool once, richardson, chebyshev;
  bool scales = false;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompareAny((PetscObject)ksp, &once, KSPPREONLY, KSPNONE, ""));
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp, KSPRICHARDSON, &richardson));
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp, KSPCHEBYSHEV, &chebyshev));
  if (richardson) PetscCall(richardson_scales_itself(ksp, &scales));
  const bool untested = ksp->normtype == KSP_NORM_NONE || ksp->converged == KSPConvergedSkip;
  const bool fixed = once || ((richardson || chebyshev) && (untested || ksp->max_it == 1));
  *varies = ((PetscObject)ksp)->type_name && (scales || !fixed);
  PetscFunctionReturn(0);
}
