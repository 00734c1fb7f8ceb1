/* SPDX-License-Identifier: BSD-2-Clause */
/* Compatibility with the PETSc that loads the library. */
#ifndef OVKPETSC_LAYOUT_H
#define OVKPETSC_LAYOUT_H

#include <petscksp.h>

/* Fails with a message if the PETSc that has loaded the library has another version, or other
 * types, than the one of the build. Call this before any other function of PETSc. */
PetscErrorCode ovkpetsc_check_layout(void);

#endif
