/* SPDX-License-Identifier: BSD-2-Clause */
#include "named.h"

PetscErrorCode load(const char *list)
{
  PetscDLLibrary libraries = NULL;
  assert_petsc(PetscOptionsSetValue(NULL, "-ovk_take", list));
  const PetscErrorCode code =
      PetscDLLibraryAppend(PETSC_COMM_SELF, &libraries, getenv("OVK_TEST_LIBRARY"));
  if (libraries) assert_petsc(PetscDLLibraryClose(libraries)); /* stays loaded */
  return code;
}

int open_library(void **state)
{
  return open_petsc(state) || load("cg,all") ? -1 : 0;
}

KSP make_named(Mat A, const char *type, const char *options)
{
  KSP ksp;
  push_options("-ksp_rtol 1e-10 -pc_type jacobi", options);
  assert_petsc(KSPCreate(PetscObjectComm((PetscObject)A), &ksp));
  assert_petsc(KSPSetOperators(ksp, A, A));
  assert_petsc(KSPSetFromOptions(ksp));
  assert_petsc(KSPSetType(ksp, type));
  pop_options();
  return ksp;
}

void assert_taken(KSP ksp)
{
  PetscBool same;
  char part[64];
  KSPType type;
  assert_petsc(KSPGetType(ksp, &type));
  snprintf(part, sizeof part, "%s, taken by ovk", type);
  assert_petsc(PetscObjectTypeCompareAny((PetscObject)ksp, &same, "ovk", ""));
  assert_false(same);
  assert_views(ksp, part);
}

PetscInt solved_in(KSP ksp, Mat A)
{
  assert_true(solve_error(ksp, A) < 1e-6);
  return iterations_of(ksp);
}
