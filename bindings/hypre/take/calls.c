/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that replace those of hypre in a program. Each passes solvers on that are not
 * taken: those of other interfaces with the same functions (HYPRE_PCGSolve() for HYPRE_StructPCG),
 * and those that hypre and PETSc create internally. */
#define _GNU_SOURCE /* dladdr */
#include "take.h"

#include <dlfcn.h>
#include <string.h>

/* The members of the object are those of the hypre of the build. */
static bool is_right_hypre(void)
{
  HYPRE_Int number = 0;
  return !HYPRE_VersionNumber(NULL, NULL, NULL, &number) && number == HYPRE_RELEASE_NUMBER;
}

/* Whether a call comes from the program. Calls from PETSc and from hypre do not, except for the
 * Fortran interface of hypre, whose names end in '_'. */
static bool is_the_programs(const void *caller, ovk__take_create_fn create)
{
  Dl_info from, hypre;
  void *address;
  memcpy(&address, &create, sizeof address);
  if (!dladdr(caller, &from) || !dladdr(address, &hypre)) return true;
  if (strstr(from.dli_fname, "libpetsc")) return false;
  if (from.dli_fbase != hypre.dli_fbase) return true;
  const size_t length = from.dli_sname ? strlen(from.dli_sname) : 0;
  return length && from.dli_sname[length - 1] == '_';
}

static HYPRE_Int take_create(ovk__take_family family, const void *caller, MPI_Comm comm,
                             HYPRE_Solver *solver)
{
  const ovk__take_create_fn original = ovk__take_original_of(family)->create;
  if (solver) *solver = NULL;
  const HYPRE_Int flags = original(comm, solver);
  const bool made = solver && *solver;
  if (made && is_the_programs(caller, original) && is_right_hypre()) {
    ovk__taken_add(family, *solver);
  }
  return flags;
}

static HYPRE_Int take_destroy(HYPRE_Solver solver, ovk__take_destroy_fn original)
{
  ovk__taken_remove(solver);
  return original(solver);
}

/* Of this name the program finds this function. */
#define OVK_TAKES __attribute__((visibility("default")))

/* A step of a solver: of ovkrylov if it is taken, otherwise of hypre. */
#define STEP(function, name, step, original, matrix, vector)                                       \
  OVK_TAKES HYPRE_Int function(HYPRE_Solver solver, matrix A, vector b, vector x)                  \
  {                                                                                                \
    ovk__taken *t = ovk__taken_find(solver);                                                       \
    return t ? step(t, (HYPRE_ParCSRMatrix)A, (HYPRE_ParVector)b, (HYPRE_ParVector)x)              \
             : ovk__take_original_of(OVK_TAKE_##name)->original(solver, A, b, x);                  \
  }

#define CALLS(name)                                                                                \
  OVK_TAKES HYPRE_Int HYPRE_ParCSR##name##Create(MPI_Comm comm, HYPRE_Solver *solver)              \
  {                                                                                                \
    return take_create(OVK_TAKE_##name, __builtin_return_address(0), comm, solver);                \
  }                                                                                                \
  OVK_TAKES HYPRE_Int HYPRE_ParCSR##name##Destroy(HYPRE_Solver solver)                             \
  {                                                                                                \
    return take_destroy(solver, ovk__take_original_of(OVK_TAKE_##name)->destroy);                  \
  }                                                                                                \
  STEP(HYPRE_ParCSR##name##Setup, name, ovk__taken_setup, setup, HYPRE_ParCSRMatrix,               \
       HYPRE_ParVector)                                                                            \
  STEP(HYPRE_ParCSR##name##Solve, name, ovk__taken_solve, solve, HYPRE_ParCSRMatrix,               \
       HYPRE_ParVector)                                                                            \
  STEP(HYPRE_##name##Setup, name, ovk__taken_setup, setup_any, HYPRE_Matrix, HYPRE_Vector)         \
  STEP(HYPRE_##name##Solve, name, ovk__taken_solve, solve_any, HYPRE_Matrix, HYPRE_Vector)
OVK_TAKE_FAMILIES(CALLS)

OVK_TAKES HYPRE_Int HYPRE_BiCGSTABDestroy(HYPRE_Solver solver)
{
  return take_destroy(solver, ovk__take_original_of(OVK_TAKE_BiCGSTAB)->destroy_any);
}
