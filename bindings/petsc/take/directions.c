/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of flexible CG in a KSP of a replaced type. The setters of PETSc write them to ksp->data
 * of any type, and its getters read them there. */
#include "take/take.h"

enum { MOST_DIRECTIONS = 100 };                        /* of the methods of ovkrylov */
enum { FCG_DIRECTIONS = 30, PIPEFCG_DIRECTIONS = 15 }; /* the defaults of PETSc */

static bool keeps_directions(ovkpetsc_family family)
{
  return family == OVKPETSC_FCG || family == OVKPETSC_PIPEFCG;
}

static PetscErrorCode set(KSP ksp, ovkpetsc_family family, PetscInt directions,
                          KSPFCDTruncationType truncation)
{
  const bool pipelined = family == OVKPETSC_PIPEFCG;
  PetscFunctionBegin;
  PetscCall(pipelined ? KSPPIPEFCGSetMmax(ksp, directions) : KSPFCGSetMmax(ksp, directions));
  PetscCall(pipelined ? KSPPIPEFCGSetTruncationType(ksp, truncation)
                      : KSPFCGSetTruncationType(ksp, truncation));
  PetscFunctionReturn(0);
}

static PetscErrorCode get(KSP ksp, PetscInt *directions, KSPFCDTruncationType *truncation)
{
  const ksp_ovk *K = ksp->data;
  const bool pipelined = K->taken->family == OVKPETSC_PIPEFCG;
  PetscFunctionBegin;
  PetscCall(pipelined ? KSPPIPEFCGGetMmax(ksp, directions) : KSPFCGGetMmax(ksp, directions));
  PetscCall(pipelined ? KSPPIPEFCGGetTruncationType(ksp, truncation)
                      : KSPFCGGetTruncationType(ksp, truncation));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_directions_default(KSP ksp)
{
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_family family = K->taken->family;
  PetscFunctionBegin;
  if (!keeps_directions(family)) PetscFunctionReturn(0);
  PetscCall(set(ksp, family, family == OVKPETSC_FCG ? FCG_DIRECTIONS : PIPEFCG_DIRECTIONS,
                KSP_FCD_TRUNC_TYPE_NOTAY));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_directions_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_family family = K->taken->family;
  const bool pipelined = family == OVKPETSC_PIPEFCG;
  PetscInt directions;
  KSPFCDTruncationType truncation;
  PetscFunctionBegin;
  if (!keeps_directions(family)) PetscFunctionReturn(0);
  PetscCall(get(ksp, &directions, &truncation));
  PetscOptionsHeadBegin(PetscOptionsObject, "Taken by ovk");
  PetscCall(PetscOptionsInt(pipelined ? "-ksp_pipefcg_mmax" : "-ksp_fcg_mmax",
                            "Directions that are kept", "KSPFCGSetMmax", directions, &directions,
                            NULL));
  PetscCall(
      PetscOptionsEnum(pipelined ? "-ksp_pipefcg_truncation_type" : "-ksp_fcg_truncation_type",
                       "Which are used", "KSPFCGSetTruncationType", KSPFCDTruncationTypes,
                       (PetscEnum)truncation, (PetscEnum *)&truncation, NULL));
  PetscOptionsHeadEnd();
  PetscCall(set(ksp, family, directions, truncation));
  PetscFunctionReturn(0);
}

/* The methods of ovkrylov use all directions that they keep, with both types of truncation. */
PetscErrorCode ovkpetsc_directions_settle(KSP ksp, bool *has)
{
  ksp_ovk *K = ksp->data;
  ovkpetsc_settings *s = &K->settings;
  PetscFunctionBegin;
  *has = true;
  if (!keeps_directions(K->taken->family)) PetscFunctionReturn(0);
  PetscCall(get(ksp, &s->directions, &s->truncation));
  *has = s->directions >= 1 && s->directions <= MOST_DIRECTIONS;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_directions_hand_on(KSP ksp, ovkpetsc_family family,
                                           const ovkpetsc_settings *settings)
{
  PetscFunctionBegin;
  if (!keeps_directions(family)) PetscFunctionReturn(0);
  PetscCall(set(ksp, family, settings->directions, settings->truncation));
  PetscFunctionReturn(0);
}
