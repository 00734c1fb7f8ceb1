/* SPDX-License-Identifier: BSD-2-Clause */
/* libovkpetsc.so: PETSc loads it by the option -dll_append. */
#include "ksp/ksp.h"
#include "take/take.h"

#include <stdio.h>

#define BUILT_WITH ", but libovkpetsc.so was built with the one in " PETSC_LIB_DIR
#define REFUSE(...) SETERRQ(PETSC_COMM_WORLD, PETSC_ERR_LIB, "this program's PETSc " __VA_ARGS__)

/* If the PETSc of the program is hidden in a module, calls reach the one that this library has
 * loaded. It is not initialized, and its errors have no text. */
static PetscErrorCode refuse_hidden(void)
{
  fputs("this program's PETSc is another one" BUILT_WITH "\n", stderr);
  return PETSC_ERR_LIB;
}

/* Fails with a message if the PETSc that loads the library has another version, or other types,
 * than the one of the build. The functions called here have the same arguments in all builds of
 * PETSc. */
static PetscErrorCode check_layout(void)
{
  size_t index = 0;
  PetscDataType scalar = PETSC_DATATYPE_UNKNOWN;
  PetscBool found = PETSC_FALSE;
  PetscInt major = 0, minor = 0;
  if (PETSC_COMM_WORLD == MPI_COMM_NULL) return refuse_hidden();
  (void)PetscDataTypeGetSize(PETSC_INT, &index);
  if (index != sizeof(PetscInt)) REFUSE("has %d-bit indices" BUILT_WITH, 8 * (int)index);
  (void)PetscDataTypeFromString("scalar", &scalar, &found);
  if (scalar != PETSC_SCALAR) REFUSE("is not of real numbers in double precision" BUILT_WITH);
  (void)PetscGetVersionNumber(&major, &minor, NULL, NULL); /* of indices that are as long */
  if (major != PETSC_VERSION_MAJOR || minor != PETSC_VERSION_MINOR) {
    REFUSE("is version %d.%d" BUILT_WITH, (int)major, (int)minor);
  }
  return 0;
}

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_ovkpetsc(void);

PetscErrorCode PetscDLLibraryRegister_ovkpetsc(void)
{
  const PetscErrorCode code = check_layout();
  if (code) return code;
  PetscFunctionBegin;
  PetscCall(KSPRegister("ovk", ovkpetsc_create));
  PetscCall(ovkpetsc_take());
  PetscCall(ovkpetsc_count());
  PetscCall(ovkpetsc_context_prepare());
  PetscFunctionReturn(0);
}
