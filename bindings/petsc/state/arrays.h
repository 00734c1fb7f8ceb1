/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of PETSc with the entries of arrays of ovkrylov. */
#ifndef OVKPETSC_ARRAYS_H
#define OVKPETSC_ARRAYS_H

#include <ovkrylov/ovkrylov.h>
#include <petscksp.h>
#include <stdbool.h>

/* lend.c: whether v has its entries in one array: a vector of vectors, as in SLEPc, may not. */
bool ovkpetsc_lend_has_array(Vec v);

/* lend.c: whether v can use an array in place, without a copy. */
PetscErrorCode ovkpetsc_lend_can_place(Vec v, bool *can);

/* lend.c: v uses this array instead of its array, until ovkpetsc_lend_reset(). */
PetscErrorCode ovkpetsc_lend_place(Vec v, const double *array);
PetscErrorCode ovkpetsc_lend_reset(Vec v);

/* lend.c: v <- array; array <- v */
PetscErrorCode ovkpetsc_lend_copy(Vec v, const double *array);
PetscErrorCode ovkpetsc_lend_copy_back(Vec v, double *array);

/* apply.c: out <- action(object, in) for arrays, passed as vectors of the KSP. Error messages
 * contain `what`. */
ovk_err ovkpetsc_apply(KSP ksp, const char *what, PetscErrorCode (*action)(void *, Vec, Vec),
                       void *object, const double *in, double *out);

#endif
