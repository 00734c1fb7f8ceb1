/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioners of PETSc by the names of the driver. */
#include "petsc_precond.h"

#include <string.h>

static bool is_factorisation(const char *name)
{
  return strcmp(name, PCICC) == 0 || strcmp(name, PCILU) == 0;
}

static ovk_err use_sor(ovk_ctx *ctx, PC pc)
{
  TRY_PETSC(ctx, PCSetType(pc, PCSOR));
  TRY_PETSC(ctx, PCSORSetSymmetric(pc, SOR_LOCAL_SYMMETRIC_SWEEP));
  return OVK_OK;
}

/* Between b / 30 and b, where b is 1.1 times the largest Ritz value: ovkrylov's default. */
static ovk_err use_chebyshev(ovk_ctx *ctx, PC pc)
{
  enum { STEPS = 5 }; /* from 0: as many products less one */
  KSP steps;
  PC inner;
  TRY_PETSC(ctx, PCSetType(pc, PCKSP));
  TRY_PETSC(ctx, PCKSPGetKSP(pc, &steps));
  TRY_PETSC(ctx, KSPSetType(steps, KSPCHEBYSHEV));
  TRY_PETSC(ctx, KSPChebyshevEstEigSet(steps, 0, 1.1 / 30, 0, 1.1));
  TRY_PETSC(ctx, KSPSetNormType(steps, KSP_NORM_NONE));
  TRY_PETSC(ctx, KSPSetTolerances(steps, 0, 0, 1e10, STEPS));
  TRY_PETSC(ctx, KSPGetPC(steps, &inner));
  TRY_PETSC(ctx, PCSetType(inner, PCJACOBI));
  return OVK_OK;
}

/* BoomerAMG with the threshold that the manual of hypre advises for three dimensions. */
static ovk_err use_hypre_3d(ovk_ctx *ctx, PC pc)
{
  TRY_PETSC(ctx, PCSetType(pc, PCHYPRE));
  TRY_PETSC(ctx, PetscOptionsSetValue(NULL, "-pc_hypre_boomeramg_strong_threshold", "0.5"));
  TRY_PETSC(ctx, PCSetFromOptions(pc));
  return OVK_OK;
}

/* gamg that drops weak couplings, which its default keeps. */
static ovk_err use_gamg_drop(ovk_ctx *ctx, PC pc)
{
  PetscReal threshold[] = {0.02};
  TRY_PETSC(ctx, PCSetType(pc, PCGAMG));
  TRY_PETSC(ctx, PCGAMGSetThreshold(pc, threshold, 1));
  return OVK_OK;
}

ovk_err petsc_precond_choose(ovk_ctx *ctx, PC pc, const char *name)
{
  const bool blocks = is_factorisation(name);
  if (strcmp(name, "sor") == 0) return use_sor(ctx, pc);
  if (strcmp(name, "chebyshev") == 0) return use_chebyshev(ctx, pc);
  if (strcmp(name, "gamg-drop") == 0) return use_gamg_drop(ctx, pc);
  if (strcmp(name, PCGAMG) == 0 || strcmp(name, PCML) == 0 || strcmp(name, PCHYPRE) == 0) {
    TRY_PETSC(ctx, PCSetType(pc, name));
    return OVK_OK;
  }
  if (strcmp(name, "hypre3d") == 0) return use_hypre_3d(ctx, pc);
  if (!blocks && strcmp(name, "jacobi") != 0) {
    return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN,
                        "--precond: '%s' is none of jacobi, icc, ilu, sor, chebyshev, gamg, "
                        "gamg-drop, ml, hypre, hypre3d",
                        name);
  }
  TRY_PETSC(ctx, PCSetType(pc, blocks ? PCBJACOBI : PCJACOBI));
  return OVK_OK;
}

ovk_err petsc_precond_factor(ovk_ctx *ctx, PC pc, const char *name)
{
  KSP *blocks;
  PC factors;
  if (!is_factorisation(name)) return OVK_OK;
  TRY_PETSC(ctx, PCBJacobiGetSubKSP(pc, NULL, NULL, &blocks));
  TRY_PETSC(ctx, KSPGetPC(blocks[0], &factors)); /* one block a rank */
  TRY_PETSC(ctx, PCSetType(factors, name));
  TRY_PETSC(ctx, PCFactorSetLevels(factors, 0));
  TRY_PETSC(ctx, PCSetUpOnBlocks(pc));
  return OVK_OK;
}
