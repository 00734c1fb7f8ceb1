/* SPDX-License-Identifier: BSD-2-Clause */
/* libovkpetsc.so in a program whose PETSc reports another version than the library was built with:
 * this program has its own copies of the PETSc functions for that question. */
#include "support/petsc/petsc_problem.h"

static size_t index_bytes = sizeof(PetscInt);
static PetscDataType scalar = PETSC_SCALAR;
static PetscInt minor_version = PETSC_VERSION_MINOR;

PetscErrorCode PetscDataTypeGetSize(PetscDataType type, size_t *size)
{
  *size = type == PETSC_INT ? index_bytes : sizeof(PetscScalar);
  return 0;
}

PetscErrorCode PetscDataTypeFromString(const char *name, PetscDataType *type, PetscBool *found)
{
  *found = strcmp(name, "scalar") == 0 ? PETSC_TRUE : PETSC_FALSE;
  *type = scalar;
  return 0;
}

PetscErrorCode PetscGetVersionNumber(PetscInt *major, PetscInt *minor, PetscInt *subminor,
                                     PetscInt *release)
{
  *major = PETSC_VERSION_MAJOR;
  *minor = minor_version;
  return 0;
}

static PetscErrorCode load(void)
{
  return PetscDLLibraryAppend(PETSC_COMM_SELF, &PetscDLLibrariesLoaded, getenv("OVK_TEST_LIBRARY"));
}

static void assert_not_loaded(const char *why)
{
  assert_refused(load(), PETSC_ERR_LIB, why);
  assert_refused(load(), PETSC_ERR_LIB, "but libovkpetsc.so was built with the one in /");
}

TEST(another_petsc_is_refused_in_a_sentence)
{
  index_bytes = 12 - sizeof(PetscInt);
  assert_not_loaded(index_bytes == 8 ? "PETSc has 64-bit indices" : "PETSc has 32-bit indices");
  index_bytes = sizeof(PetscInt);
  scalar = PETSC_COMPLEX;
  assert_not_loaded("PETSc is not of real numbers in double precision");
  scalar = PETSC_SCALAR;
  minor_version++;
  assert_not_loaded("PETSc is version ");
  minor_version--;
}

TEST(the_right_petsc_gets_the_type)
{
  scoped_KSP ksp = NULL;
  assert_petsc(load());
  assert_petsc(KSPCreate(PETSC_COMM_WORLD, &ksp));
  assert_petsc(KSPSetType(ksp, "ovk"));
}

TEST_GROUP(open_petsc, close_petsc)
