/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of PETSc for a KSP of a replaced type: the length of a pipeline, and features that the
 * methods of ovkrylov lack. These are rejected, as their functions are. */
#include "ksp/ksp.h"
#include "take/take.h"

enum { LONGEST_PIPELINE = 5 }; /* of ovkrylov */

/* x does not depend on the length. */
static PetscErrorCode read_pipeline(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  ksp_ovk *K = ksp->data;
  PetscInt length = K->settings.pipeline ? K->settings.pipeline : 1;
  PetscBool given;
  PetscFunctionBegin;
  PetscOptionsHeadBegin(PetscOptionsObject, "Taken by ovk");
  PetscCall(PetscOptionsBoundedInt("-ksp_pipelcg_pipel", "Pipeline length",
                                   "ovkrylov: docs/petsc.md", length, &length, &given, 1));
  PetscOptionsHeadEnd();
  if (!given) PetscFunctionReturn(0);
  length = PetscMin(length, LONGEST_PIPELINE);
  if (length != K->settings.pipeline) PetscCall(ovkpetsc_solver_forget(K));
  K->settings.pipeline = length;
  PetscFunctionReturn(0);
}

static PetscErrorCode refuse_options(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  static const struct {
    ovkpetsc_family family;
    const char *option, *what;
  } flags[] = {
      {OVKPETSC_MINRES, "-ksp_minres_qlp", "MINRES-QLP"},
      {OVKPETSC_FGMRES, "-ksp_fgmres_modifypcksp", "a function that changes the PC"},
  };
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_family family = K->taken->family;
  PetscReal radius = 0;
  PetscFunctionBegin;
  PetscOptionsHeadBegin(PetscOptionsObject, "Refused if taken by ovk");
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
    PetscBool wanted = PETSC_FALSE;
    if (flags[k].family != family) continue;
    PetscCall(PetscOptionsBool(flags[k].option, flags[k].what, "ovkrylov: docs/petsc.md", wanted,
                               &wanted, NULL));
    if (wanted) PetscCall(ovkpetsc_refuse(ksp, flags[k].what));
  }
  if (family == OVKPETSC_MINRES) {
    PetscCall(PetscOptionsReal("-ksp_minres_radius", "Radius of a trust region",
                               "ovkrylov: docs/petsc.md", radius, &radius, NULL));
  }
  PetscOptionsHeadEnd();
  if (radius > 0) PetscCall(ovkpetsc_refuse(ksp, "a trust region's radius"));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_others_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(refuse_options(ksp, PetscOptionsObject));
  if (K->taken->family == OVKPETSC_PIPELCG) PetscCall(read_pipeline(ksp, PetscOptionsObject));
  PetscFunctionReturn(0);
}
