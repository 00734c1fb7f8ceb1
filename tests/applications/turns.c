/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "turns", to be loaded by -dll_append after libovkpetsc.so: it solves a system with
 * the type cg of PETSc and with ovk in turn, with the same matrix and PC object, -turns_rounds
 * times. A new KSP solves each time, so no solve profits from the ones before. Rank 0 prints a line
 * a round. */
#include <petsc/private/kspimpl.h>

typedef struct {
  PetscInt iterations;
  double seconds; /* of the slowest rank */
} turns_solve;

static PetscErrorCode turns_one(KSP outer, KSPType type, Vec x, turns_solve *one)
{
  const MPI_Comm comm = PetscObjectComm((PetscObject)outer);
  KSP ksp;
  Mat A, P;
  PetscLogDouble begin, end;
  PetscFunctionBegin;
  PetscCall(KSPCreate(comm, &ksp));
  PetscCall(KSPSetOptionsPrefix(ksp, "turns_"));
  PetscCall(KSPGetOperators(outer, &A, &P));
  PetscCall(KSPSetOperators(ksp, A, P));
  PetscCall(KSPSetPC(ksp, outer->pc));
  PetscCall(KSPSetTolerances(ksp, outer->rtol, outer->abstol, outer->divtol, outer->max_it));
  PetscCall(KSPSetType(ksp, type));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSetUp(ksp));
  PetscCallMPI(MPI_Barrier(comm));
  PetscCall(PetscTime(&begin));
  PetscCall(KSPSolve(ksp, outer->vec_rhs, x));
  PetscCall(PetscTime(&end));
  one->seconds = end - begin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &one->seconds, 1, MPI_DOUBLE, MPI_MAX, comm));
  PetscCall(KSPGetIterationNumber(ksp, &one->iterations));
  PetscCall(KSPGetConvergedReason(ksp, &outer->reason));
  PetscCall(KSPDestroy(&ksp));
  PetscFunctionReturn(0);
}

static PetscErrorCode turns_solve_all(KSP ksp)
{
  turns_solve own, ours;
  PetscInt rounds = 20;
  PetscFunctionBegin;
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-turns_rounds", &rounds, NULL));
  for (PetscInt round = 0; round < rounds; round++) {
    if (round % 2) PetscCall(turns_one(ksp, "ovk", ksp->vec_sol, &ours));
    PetscCall(turns_one(ksp, KSPCG, ksp->vec_sol, &own));
    if (round % 2 == 0) PetscCall(turns_one(ksp, "ovk", ksp->vec_sol, &ours));
    PetscCall(PetscPrintf(PetscObjectComm((PetscObject)ksp),
                          "turns: own %" PetscInt_FMT " %g ours %" PetscInt_FMT " %g\n",
                          own.iterations, own.seconds, ours.iterations, ours.seconds));
  }
  ksp->its = ours.iterations;
  PetscFunctionReturn(0);
}

static PetscErrorCode turns_set_up(KSP ksp)
{
  (void)ksp;
  return 0;
}

static PetscErrorCode turns_create(KSP ksp)
{
  PetscFunctionBegin;
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_PRECONDITIONED, PC_LEFT, 2));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NONE, PC_LEFT, 1));
  ksp->ops->setup = turns_set_up;
  ksp->ops->solve = turns_solve_all;
  ksp->ops->buildsolution = KSPBuildSolutionDefault;
  ksp->ops->buildresidual = KSPBuildResidualDefault;
  PetscFunctionReturn(0);
}

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_turns(void)
{
  return KSPRegister("turns", turns_create);
}
