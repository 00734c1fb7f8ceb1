/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioners of hypre by the names of the driver. */
#include "hypre_precond.h"

#include <string.h>

ovk_err hypre_failed(ovk_ctx *ctx, const char *call, HYPRE_Int code)
{
  char text[256] = "";
  HYPRE_DescribeError(code, text);
  return ovk_ctx_fail(ctx, OVK_ERR_USER, "%s: %s", call, text);
}

static ovk_err create_ilu(ovk_ctx *ctx, hypre_precond *out)
{
  *out = (hypre_precond){HYPRE_ILUSetup, HYPRE_ILUSolve, HYPRE_ILUDestroy, NULL};
  TRY_HYPRE(ctx, HYPRE_ILUCreate(&out->solver));
  TRY_HYPRE(ctx, HYPRE_ILUSetType(out->solver, 0)); /* block Jacobi with ILU(k) */
  TRY_HYPRE(ctx, HYPRE_ILUSetLevelOfFill(out->solver, 0));
  TRY_HYPRE(ctx, HYPRE_ILUSetLocalReordering(out->solver, 0));
  TRY_HYPRE(ctx, HYPRE_ILUSetMaxIter(out->solver, 1));
  TRY_HYPRE(ctx, HYPRE_ILUSetTol(out->solver, 0));
  return OVK_OK;
}

static ovk_err create_euclid(ovk_ctx *ctx, hypre_precond *out)
{
  *out = (hypre_precond){HYPRE_EuclidSetup, HYPRE_EuclidSolve, HYPRE_EuclidDestroy, NULL};
  TRY_HYPRE(ctx, HYPRE_EuclidCreate(MPI_COMM_WORLD, &out->solver));
  TRY_HYPRE(ctx, HYPRE_EuclidSetLevel(out->solver, 0));
  TRY_HYPRE(ctx, HYPRE_EuclidSetBJ(out->solver, 1));
  return OVK_OK;
}

/* With the default threshold, or the one that the manual of hypre advises for three dimensions. */
static ovk_err create_boomeramg(ovk_ctx *ctx, int unknowns, bool three_d, hypre_precond *out)
{
  *out = (hypre_precond){HYPRE_BoomerAMGSetup, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGDestroy, NULL};
  TRY_HYPRE(ctx, HYPRE_BoomerAMGCreate(&out->solver));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetMaxIter(out->solver, 1));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetTol(out->solver, 0));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetNumFunctions(out->solver, unknowns));
  if (three_d) TRY_HYPRE(ctx, HYPRE_BoomerAMGSetStrongThreshold(out->solver, 0.5));
  return OVK_OK;
}

static ovk_err create_parasails(ovk_ctx *ctx, hypre_precond *out)
{
  enum { POSITIVE_DEFINITE = 1 };
  *out = (hypre_precond){HYPRE_ParaSailsSetup, HYPRE_ParaSailsSolve, HYPRE_ParaSailsDestroy, NULL};
  TRY_HYPRE(ctx, HYPRE_ParaSailsCreate(MPI_COMM_WORLD, &out->solver));
  TRY_HYPRE(ctx, HYPRE_ParaSailsSetSym(out->solver, POSITIVE_DEFINITE));
  return OVK_OK;
}

/* On one level, the coarsest, BoomerAMG is its relaxation there. */
static ovk_err create_relaxation(ovk_ctx *ctx, int type, hypre_precond *out)
{
  enum { COARSEST = 3, DEGREE = 4 };
  *out = (hypre_precond){HYPRE_BoomerAMGSetup, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGDestroy, NULL};
  TRY_HYPRE(ctx, HYPRE_BoomerAMGCreate(&out->solver));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetMaxLevels(out->solver, 1));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetMaxIter(out->solver, 1));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetTol(out->solver, 0));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetRelaxType(out->solver, type));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetCycleRelaxType(out->solver, type, COARSEST));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetCycleNumSweeps(out->solver, 1, COARSEST));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetRelaxOrder(out->solver, 0));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetChebyOrder(out->solver, DEGREE));
  TRY_HYPRE(ctx, HYPRE_BoomerAMGSetChebyFraction(out->solver, 1.0 / 30));
  return OVK_OK;
}

ovk_err hypre_precond_create(ovk_ctx *ctx, const char *name, int unknowns, hypre_precond *out)
{
  enum { SYMMETRIC_GAUSS_SEIDEL = 6, CHEBYSHEV = 16 };
  *out = (hypre_precond){HYPRE_ParCSRDiagScaleSetup, HYPRE_ParCSRDiagScale, NULL, NULL};
  if (strcmp(name, "jacobi") == 0) return OVK_OK;
  if (strcmp(name, "ilu") == 0) return create_ilu(ctx, out);
  if (strcmp(name, "euclid") == 0) return create_euclid(ctx, out);
  if (strcmp(name, "ssor") == 0) return create_relaxation(ctx, SYMMETRIC_GAUSS_SEIDEL, out);
  if (strcmp(name, "chebyshev") == 0) return create_relaxation(ctx, CHEBYSHEV, out);
  if (strcmp(name, "boomeramg") == 0) return create_boomeramg(ctx, unknowns, false, out);
  if (strcmp(name, "boomeramg3d") == 0) return create_boomeramg(ctx, unknowns, true, out);
  if (strcmp(name, "parasails") == 0) return create_parasails(ctx, out);
  return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN,
                      "--precond: '%s' is none of jacobi, ilu, euclid, ssor, chebyshev, boomeramg, "
                      "boomeramg3d, parasails",
                      name);
}

void hypre_precond_destroy(hypre_precond *M)
{
  if (M->solver) (void)M->destroy(M->solver);
  M->solver = NULL;
}
