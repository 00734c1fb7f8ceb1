/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of PETSc that use arrays of ovkrylov for a while. If each part of a vector has an array
 * that can be replaced, the parts get those of the array. Otherwise entries are copied. */
#include "state/arrays.h"

#include <petsc/private/vecimpl.h>
#include <string.h>

bool ovkpetsc_lend_has_array(Vec v)
{
  return v->petscnative || v->ops->getarray;
}

/* The pieces of a vector of type "nest", or *n <- 0. */
static PetscErrorCode get_pieces(Vec v, PetscInt *n, Vec **pieces)
{
  PetscBool nest;
  PetscFunctionBegin;
  *n = 0;
  PetscCall(PetscObjectTypeCompare((PetscObject)v, VECNEST, &nest));
  if (nest) PetscCall(VecNestGetSubVecs(v, n, pieces));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_lend_place(Vec v, const double *array)
{
  Vec *pieces;
  PetscInt n, rows;
  PetscFunctionBegin;
  PetscCall(get_pieces(v, &n, &pieces));
  if (n == 0) {
    PetscCall(VecPlaceArray(v, array));
    PetscFunctionReturn(0);
  }
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(ovkpetsc_lend_place(pieces[k], array));
    PetscCall(VecGetLocalSize(pieces[k], &rows));
    array += rows;
  }
  PetscCall(PetscObjectStateIncrease((PetscObject)v)); /* its cached norms are old */
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_lend_reset(Vec v)
{
  Vec *pieces;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(get_pieces(v, &n, &pieces));
  if (n == 0) {
    PetscCall(VecResetArray(v));
    PetscFunctionReturn(0);
  }
  for (PetscInt k = 0; k < n; k++) PetscCall(ovkpetsc_lend_reset(pieces[k]));
  PetscCall(PetscObjectStateIncrease((PetscObject)v)); /* its cached norms are old */
  PetscFunctionReturn(0);
}

/* Whether each piece that is no nest can be given an array. */
static PetscErrorCode can_place(Vec v, bool *can)
{
  Vec *pieces;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(get_pieces(v, &n, &pieces));
  if (n == 0 && !v->ops->placearray) *can = false;
  for (PetscInt k = 0; k < n; k++) PetscCall(can_place(pieces[k], can));
  PetscFunctionReturn(0);
}

/* Parts may be any rows of a vector: *same <- false if the array of the vector has other entries
 * than this one, which it has just got. */
static PetscErrorCode compare(Vec v, const double *array, PetscInt rows, bool *same)
{
  const PetscScalar *entries;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(v, &entries));
  for (PetscInt i = 0; i < rows; i++) {
    if (entries[i] != array[i]) *same = false;
  }
  PetscCall(VecRestoreArrayRead(v, &entries));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_lend_can_place(Vec v, bool *can)
{
  Vec *pieces;
  PetscInt n, rows;
  double *array;
  PetscFunctionBegin;
  *can = true;
  PetscCall(can_place(v, can));
  PetscCall(get_pieces(v, &n, &pieces));
  if (n == 0 || !*can) PetscFunctionReturn(0);
  PetscCall(VecGetLocalSize(v, &rows));
  PetscCall(PetscMalloc1(rows, &array));
  for (PetscInt i = 0; i < rows; i++) array[i] = (double)i;
  PetscCall(ovkpetsc_lend_place(v, array));
  PetscCall(compare(v, array, rows, can));
  PetscCall(ovkpetsc_lend_reset(v));
  PetscCall(PetscFree(array));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_lend_copy(Vec v, const double *array)
{
  PetscInt rows;
  PetscScalar *entries;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(v, &rows));
  PetscCall(VecGetArrayWrite(v, &entries));
  memcpy(entries, array, (size_t)rows * sizeof *array);
  PetscCall(VecRestoreArrayWrite(v, &entries));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_lend_copy_back(Vec v, double *array)
{
  PetscInt rows;
  const PetscScalar *entries;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(v, &rows));
  PetscCall(VecGetArrayRead(v, &entries));
  memcpy(array, entries, (size_t)rows * sizeof *array);
  PetscCall(VecRestoreArrayRead(v, &entries));
  PetscFunctionReturn(0);
}
