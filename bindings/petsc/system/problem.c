/* SPDX-License-Identifier: BSD-2-Clause */
/* Data about the problem for preconditioners of ovkrylov: the block size and the near-null space of
 * a matrix, and the coordinates that a program passes to the PC. */
#include "state/errors.h"
#include "system/system.h"

/* The coordinates are a vector, with their number as block size, that the PC holds by this name. */
static const char COORDINATES[] = "ovk_coordinates";

/* As PCSetCoordinates() calls it: `points` points of this rank. */
static PetscErrorCode set_coordinates(PC pc, PetscInt dim, PetscInt points, PetscReal *xyz)
{
  Vec v;
  PetscScalar *array;
  PetscFunctionBegin;
  PetscCall(VecCreate(PetscObjectComm((PetscObject)pc), &v));
  PetscCall(VecSetSizes(v, points * dim, PETSC_DETERMINE));
  PetscCall(VecSetBlockSize(v, dim));
  PetscCall(VecSetType(v, VECSTANDARD));
  PetscCall(VecGetArrayWrite(v, &array));
  PetscCall(PetscArraycpy(array, xyz, points * dim));
  PetscCall(VecRestoreArrayWrite(v, &array));
  PetscCall(PetscObjectCompose((PetscObject)pc, COORDINATES, (PetscObject)v));
  PetscCall(VecDestroy(&v));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_problem_accept_coordinates(PC pc)
{
  PetscFunctionBegin;
  PetscCall(PetscObjectComposeFunction((PetscObject)pc, "PCSetCoordinates_C", set_coordinates));
  PetscFunctionReturn(0);
}

static PetscErrorCode coordinates_of(PC pc, Vec *v)
{
  PetscObject object;
  PetscFunctionBegin;
  PetscCall(PetscObjectQuery((PetscObject)pc, COORDINATES, &object));
  *v = (Vec)object;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_problem_ids(PC pc, Mat P, ovkpetsc_made_for *made_for)
{
  MatNullSpace space;
  Vec coordinates = NULL;
  PetscFunctionBegin;
  PetscCall(MatGetNearNullSpace(P, &space));
  PetscCall(coordinates_of(pc, &coordinates));
  if (space) PetscCall(PetscObjectGetId((PetscObject)space, &made_for->near_null_space));
  if (coordinates) PetscCall(PetscObjectGetId((PetscObject)coordinates, &made_for->coordinates));
  PetscFunctionReturn(0);
}

/* *ones <- (1, 1, ..., 1), to be destroyed by the caller. */
static ovk_err make_constant(const ovk_mat *copy, ovk_vec **ones)
{
  const ovk_err err = ovk_mat_create_vec(copy, ones);
  return err ? err : ovk_vec_fill(*ones, 1);
}

/* `all`: room for the vectors and the constant one. */
static ovk_err give_vectors(const ovkpetsc_vectors *V, ovk_vec **all, ovk_mat *copy)
{
  ovk_vec *ones = NULL;
  int n = 0;
  ovk_err err = V->constant ? make_constant(copy, &ones) : OVK_OK;
  if (ones) all[n++] = ones;
  for (PetscInt k = 0; k < V->count; k++) all[n++] = V->vectors[k];
  if (!err) err = ovk_mat_set_near_nullspace(copy, n, all);
  ovk_vec_destroy(&ones);
  return err;
}

static PetscErrorCode give_near_nullspace(KSP ksp, Mat P, ovk_mat *copy)
{
  const ksp_ovk *K = ksp->data;
  MatNullSpace space;
  ovkpetsc_vectors V;
  ovk_vec **all;
  PetscFunctionBegin;
  PetscCall(MatGetNearNullSpace(P, &space));
  PetscCall(ovkpetsc_vectors_get(ksp, space, &V));
  PetscCall(PetscMalloc1(V.count + 1, &all));
  const ovk_err err = give_vectors(&V, all, copy);
  PetscCall(PetscFree(all));
  PetscCall(ovkpetsc_vectors_restore(&V));
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

static PetscErrorCode give_coordinates(KSP ksp, ovk_mat *copy)
{
  const ksp_ovk *K = ksp->data;
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  const ovk_lidx points = ovk_mat_local_size(copy) / ovk_mat_block_size(copy);
  Vec v = NULL;
  PetscInt n, dim;
  const PetscScalar *array;
  PetscFunctionBegin;
  PetscCall(coordinates_of(ksp->pc, &v));
  if (!v) PetscFunctionReturn(0);
  PetscCall(VecGetLocalSize(v, &n));
  PetscCall(VecGetBlockSize(v, &dim));
  int wrong = n != points * dim;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, comm));
  PetscCheck(!wrong, comm, PETSC_ERR_ARG_SIZ,
             "PCSetCoordinates() needs a point for each block of %d rows: rank 0 has "
             "%" PetscInt_FMT " points and %d blocks",
             ovk_mat_block_size(copy), n / dim, (int)points);
  PetscCall(VecGetArrayRead(v, &array));
  const ovk_err err = ovk_mat_set_coordinates(copy, (int)dim, array);
  PetscCall(VecRestoreArrayRead(v, &array));
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_problem_describe(KSP ksp, Mat P, ovk_mat *copy)
{
  const ksp_ovk *K = ksp->data;
  PetscInt block;
  PetscFunctionBegin;
  PetscCall(MatGetBlockSize(P, &block));
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_set_block_size(copy, (int)block));
  PetscCall(give_coordinates(ksp, copy));
  PetscCall(give_near_nullspace(ksp, P, copy));
  PetscFunctionReturn(0);
}
