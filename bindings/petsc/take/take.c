/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_take LIST: the type "ovk" replaces the types in the list, so that programs that name a type
 * in their code run its methods. The original types remain registered as "petsc-cg" and so on. A
 * KSP that needs a feature that ovkrylov lacks, such as estimates of eigenvalues, changes back to
 * its original type. */
#include "take/take.h"

#include <stdio.h>
#include <string.h>

/* X(type of PETSc, method, family, definite). Method NULL is "auto". Definite: the type declares A
 * positive definite. */
#define OVKPETSC_TAKEN_LIST(X)                                                                     \
  X(cg, NULL, OVKPETSC_CG, true)                                                                   \
  X(groppcg, "groppcg", OVKPETSC_CG, true)                                                         \
  X(pipecg, "pipecg", OVKPETSC_CG, true)                                                           \
  X(pipecgrr, "pipecg", OVKPETSC_CG, true)                                                         \
  X(pipecg2, "pipecg", OVKPETSC_CG, true)                                                          \
  X(pipeprcg, "pipeprcg", OVKPETSC_CG, true)                                                       \
  X(pipelcg, "pipelcg", OVKPETSC_PIPELCG, true)                                                    \
  X(fcg, "fcg", OVKPETSC_FCG, true)                                                                \
  X(pipefcg, "pipefcg", OVKPETSC_PIPEFCG, true)                                                    \
  X(minres, "minres", OVKPETSC_MINRES, false)                                                      \
  X(symmlq, "minres", OVKPETSC_MINRES, false)                                                      \
  X(gmres, "gmres", OVKPETSC_GMRES, false)                                                         \
  X(pgmres, "pgmres", OVKPETSC_GMRES, false)                                                       \
  X(lgmres, "gmres", OVKPETSC_GMRES, false)                                                        \
  X(dgmres, "gmres", OVKPETSC_GMRES, false)                                                        \
  X(fgmres, "fgmres", OVKPETSC_FGMRES, false)                                                      \
  X(pipefgmres, "fgmres", OVKPETSC_FGMRES, false)                                                  \
  X(gcr, "fgmres", OVKPETSC_GCR, false)                                                            \
  X(bcgs, "bcgs", OVKPETSC_BCGS, false)                                                            \
  X(ibcgs, "bcgs", OVKPETSC_BCGS, false)                                                           \
  X(bcgsl, "bcgs", OVKPETSC_BCGS, false)                                                           \
  X(pipebcgs, "pipebcgs", OVKPETSC_RIGHT, false)

/* KSPSetType() does not pass the type to a constructor. */
#define CREATOR(name, method, family, definite)                                                    \
  static PetscErrorCode create_##name(KSP ksp)                                                     \
  {                                                                                                \
    static const ovkpetsc_taken taken = {#name, method, family, definite};                         \
    return ovkpetsc_taken_create(ksp, &taken);                                                     \
  }
OVKPETSC_TAKEN_LIST(CREATOR)
#undef CREATOR

typedef PetscErrorCode (*creator)(KSP);
typedef struct type {
  const char *name;
  creator create;
} type;

static const type types[] = {
#define ROW(name, method, family, definite) {#name, create_##name},
    OVKPETSC_TAKEN_LIST(ROW)
#undef ROW
};
enum { TYPES = sizeof types / sizeof *types };

bool ovkpetsc_can_take(const char *name)
{
  for (int k = 0; k < TYPES; k++) {
    if (strcmp(name, types[k].name) == 0) return true;
  }
  return false;
}

/* Not if it has been taken before: "petsc-cg" would be the type of ovkrylov. */
static PetscErrorCode take_one(const type *t)
{
  char name[OVKPETSC_TYPE_SIZE];
  creator original = NULL, renamed = NULL;
  PetscFunctionBegin;
  snprintf(name, sizeof name, OVKPETSC_ORIGINAL "%s", t->name);
  PetscCall(PetscFunctionListFind(KSPList, t->name, &original));
  PetscCall(PetscFunctionListFind(KSPList, name, &renamed));
  if (!original || renamed) PetscFunctionReturn(0); /* this PETSc may not have all of them */
  PetscCall(KSPRegister(name, original));
  PetscCall(KSPRegister(t->name, t->create));
  PetscFunctionReturn(0);
}

/* "a, b, c" */
static void list_names(char *text, size_t size)
{
  size_t used = 0;
  for (int k = 0; k < TYPES && used < size; k++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", types[k].name);
  }
}

/* A name of the list, or all. */
static PetscErrorCode take_named(const char *name)
{
  PetscBool all, same, found;
  char names[512];
  PetscFunctionBegin;
  PetscCall(PetscStrcmp(name, "all", &all));
  found = all;
  for (int k = 0; k < TYPES; k++) {
    PetscCall(PetscStrcmp(name, types[k].name, &same));
    if (same) found = PETSC_TRUE;
    if (same || all) PetscCall(take_one(&types[k]));
  }
  list_names(names, sizeof names);
  PetscCheck(found, PETSC_COMM_WORLD, PETSC_ERR_ARG_UNKNOWN_TYPE,
             "-ovk_take: '%s' cannot be taken: all, or any of %s", name, names);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_take(void)
{
  char text[1024];
  char **names;
  int n;
  PetscBool given;
  PetscErrorCode code = 0;
  PetscFunctionBegin;
  PetscCall(PetscOptionsGetString(NULL, NULL, "-ovk_take", text, sizeof text, &given));
  if (!given) PetscFunctionReturn(0);
  PetscCall(PetscStrToArray(text, ',', &n, &names));
  for (int k = 0; k < n && !code; k++) code = take_named(names[k]);
  PetscCall(PetscStrToArrayDestroy(n, names));
  PetscCall(code);
  PetscFunctionReturn(0);
}
