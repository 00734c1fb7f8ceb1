/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver of PETSc: any KSP method, with the preconditioners of petsc_precond.c. */
#include "petsc_precond.h"
#include "problem/model/elasticity.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
  ovk_ctx *ctx;
  const options *options;
  ovk_lidx rows;
  Mat A;
  Vec vectors[PEER_VECTORS];
  KSP ksp;
} state;

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

#define TEXT_OF(number) #number
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

static const char *version(void)
{
  return DOTTED(PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
}

/* For elasticity: the rigid body motions, which gamg interpolates exactly. */
static ovk_err add_near_null_space(state *s, const block *rows)
{
  const ovk_lidx points = s->rows / ELASTICITY_UNKNOWNS;
  Vec places;
  MatNullSpace motions;
  double *array;
  TRY_PETSC(s->ctx, MatCreateVecs(s->A, &places, NULL));
  TRY_PETSC(s->ctx, VecSetBlockSize(places, ELASTICITY_UNKNOWNS));
  TRY_PETSC(s->ctx, VecGetArrayWrite(places, &array));
  for (ovk_lidx k = 0; k < points; k++) {
    elasticity_place(s->options->n, rows, k, array + ELASTICITY_UNKNOWNS * k);
  }
  TRY_PETSC(s->ctx, VecRestoreArrayWrite(places, &array));
  TRY_PETSC(s->ctx, MatNullSpaceCreateRigidBody(places, &motions));
  TRY_PETSC(s->ctx, MatSetNearNullSpace(s->A, motions));
  TRY_PETSC(s->ctx, MatNullSpaceDestroy(&motions));
  TRY_PETSC(s->ctx, VecDestroy(&places));
  return OVK_OK;
}

/* Adds all rows at once with the index type of PETSc, which is its fastest way. */
static ovk_err add_rows(state *s, const block *rows)
{
  const size_t n = (size_t)s->rows, nnz = (size_t)block_nnz(rows);
  PetscInt *ptr = malloc((n + 1) * sizeof *ptr), *col = malloc((nnz + 1) * sizeof *col);
  PetscErrorCode code = PETSC_ERR_MEM;
  if (ptr && col) {
    for (size_t i = 0; i <= n; i++) ptr[i] = (PetscInt)rows->ptr[i];
    for (size_t k = 0; k < nnz; k++) col[k] = (PetscInt)rows->col[k];
    code = MatSeqAIJSetPreallocationCSR(s->A, ptr, col, rows->val); /* does nothing on 2 ranks */
    if (!code) code = MatMPIAIJSetPreallocationCSR(s->A, ptr, col, rows->val); /* ... on 1 */
    /* For sbaij, which needs the upper half: MatConvert() takes quadratic time on 2 ranks. */
    if (!code) code = MatSeqSBAIJSetPreallocationCSR(s->A, 1, ptr, col, rows->val);
    if (!code) code = MatMPISBAIJSetPreallocationCSR(s->A, 1, ptr, col, rows->val);
  }
  free(ptr);
  free(col);
  TRY_PETSC(s->ctx, code);
  return OVK_OK;
}

/* Converts to another storage format of PETSc, such as sbaij or sell. */
static ovk_err convert(state *s)
{
  const char *format = s->options->format;
  if (!format || strcmp(format, "aij") == 0 || strcmp(format, MATSBAIJ) == 0) return OVK_OK;
  if (s->options->kind && s->options->kind->symmetric) {
    TRY_PETSC(s->ctx, MatSetOption(s->A, MAT_SYMMETRIC, PETSC_TRUE));
  }
  TRY_PETSC(s->ctx, MatConvert(s->A, format, MAT_INPLACE_MATRIX, &s->A));
  return OVK_OK;
}

static ovk_err assemble(ovk_ctx *ctx, const options *o, const block *rows, void **out)
{
  state *s = calloc(1, sizeof *s);
  if (!s) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory");
  *out = s;
  *s = (state){.ctx = ctx, .options = o, .rows = rows->rows};
  TRY_PETSC(ctx, PetscInitializeNoArguments());
  TRY_PETSC(ctx, MatCreate(PETSC_COMM_WORLD, &s->A));
  TRY_PETSC(ctx, MatSetSizes(s->A, s->rows, s->rows, PETSC_DETERMINE, PETSC_DETERMINE));
  const bool upper = o->format && strcmp(o->format, MATSBAIJ) == 0;
  TRY_PETSC(ctx, MatSetType(s->A, upper ? MATSBAIJ : MATAIJ));
  const int unknowns = options_unknowns(o);
  TRY_PETSC(ctx, MatSetBlockSize(s->A, unknowns));
  TRY(add_rows(s, rows));
  TRY(convert(s));
  if (unknowns == ELASTICITY_UNKNOWNS) TRY(add_near_null_space(s, rows));
  TRY_PETSC(ctx, MatCreateVecs(s->A, &s->vectors[PEER_X], &s->vectors[PEER_B]));
  TRY_PETSC(ctx, VecDuplicate(s->vectors[PEER_B], &s->vectors[PEER_Y]));
  return OVK_OK;
}

/* The same stopping test as ovkrylov's: ||r|| <= rtol ||b||, of the recurrence's r and without the
 * preconditioner; PETSc uses the norm of the first r, which is b for x = 0. */
static ovk_err set_tests(state *s, int maxit)
{
  TRY_PETSC(s->ctx, KSPSetNormType(s->ksp, KSP_NORM_UNPRECONDITIONED));
  TRY_PETSC(s->ctx, KSPSetTolerances(s->ksp, s->options->rtol, 0, 1e10, maxit));
  return OVK_OK;
}

static ovk_err prepare(void *data, int maxit)
{
  state *s = data;
  if (s->ksp) return set_tests(s, maxit);
  PC pc;
  TRY_PETSC(s->ctx, KSPCreate(PETSC_COMM_WORLD, &s->ksp));
  TRY_PETSC(s->ctx, KSPSetOperators(s->ksp, s->A, s->A));
  TRY_PETSC(s->ctx, KSPSetType(s->ksp, s->options->method ? s->options->method : KSPCG));
  TRY_PETSC(s->ctx, KSPGetPC(s->ksp, &pc));
  TRY(petsc_precond_choose(s->ctx, pc, s->options->precond));
  TRY(set_tests(s, maxit));
  TRY_PETSC(s->ctx, KSPSetUp(s->ksp));
  return petsc_precond_factor(s->ctx, pc, s->options->precond);
}

static ovk_err refill(void *data, const block *rows)
{
  state *s = data;
  PetscInt *col = malloc(((size_t)block_nnz(rows) + 1) * sizeof *col);
  if (!col) return ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory");
  PetscErrorCode code = 0;
  for (ovk_lidx i = 0; i < rows->rows && !code; i++) {
    const int64_t begin = rows->ptr[i], end = rows->ptr[i + 1];
    const PetscInt row = (PetscInt)(rows->first + i);
    for (int64_t k = begin; k < end; k++) col[k] = (PetscInt)rows->col[k];
    code = MatSetValues(s->A, 1, &row, (PetscInt)(end - begin), col + begin, rows->val + begin,
                        INSERT_VALUES);
  }
  free(col);
  TRY_PETSC(s->ctx, code);
  TRY_PETSC(s->ctx, MatAssemblyBegin(s->A, MAT_FINAL_ASSEMBLY));
  TRY_PETSC(s->ctx, MatAssemblyEnd(s->A, MAT_FINAL_ASSEMBLY));
  return OVK_OK;
}

/* gamg keeps its prolongators. */
static ovk_err update(void *data)
{
  state *s = data;
  PC pc;
  TRY_PETSC(s->ctx, KSPGetPC(s->ksp, &pc));
  TRY_PETSC(s->ctx, PCGAMGSetReuseInterpolation(pc, PETSC_TRUE));
  TRY_PETSC(s->ctx, KSPSetOperators(s->ksp, s->A, s->A));
  TRY_PETSC(s->ctx, KSPSetUp(s->ksp));
  return petsc_precond_factor(s->ctx, pc, s->options->precond);
}

static ovk_err solve(void *data, peer_outcome *out)
{
  state *s = data;
  PetscInt iterations;
  KSPConvergedReason reason;
  TRY_PETSC(s->ctx, KSPSolve(s->ksp, s->vectors[PEER_B], s->vectors[PEER_X]));
  TRY_PETSC(s->ctx, KSPGetIterationNumber(s->ksp, &iterations));
  TRY_PETSC(s->ctx, KSPGetConvergedReason(s->ksp, &reason));
  *out = (peer_outcome){(int)iterations, reason > 0};
  return OVK_OK;
}

/* Column by column, unless the KSP type is that of HPDDM. */
static ovk_err solve_columns(void *data, int count, const double *b, double *x, peer_outcome *out)
{
  state *s = data;
  Mat B, X;
  PetscInt before, after;
  KSPConvergedReason reason;
  memset(x, 0, (size_t)count * (size_t)s->rows * sizeof *x);
  TRY_PETSC(s->ctx, MatCreateDense(PETSC_COMM_WORLD, s->rows, PETSC_DECIDE, PETSC_DETERMINE, count,
                                   (PetscScalar *)b, &B));
  TRY_PETSC(s->ctx,
            MatCreateDense(PETSC_COMM_WORLD, s->rows, PETSC_DECIDE, PETSC_DETERMINE, count, x, &X));
  TRY_PETSC(s->ctx, KSPGetTotalIterations(s->ksp, &before));
  TRY_PETSC(s->ctx, KSPMatSolve(s->ksp, B, X));
  TRY_PETSC(s->ctx, KSPGetTotalIterations(s->ksp, &after));
  TRY_PETSC(s->ctx, KSPGetConvergedReason(s->ksp, &reason));
  TRY_PETSC(s->ctx, MatDestroy(&B));
  TRY_PETSC(s->ctx, MatDestroy(&X));
  *out = (peer_outcome){(int)(after - before), reason > 0};
  return OVK_OK;
}

static ovk_err product(void *data)
{
  state *s = data;
  TRY_PETSC(s->ctx, MatMult(s->A, s->vectors[PEER_X], s->vectors[PEER_Y]));
  return OVK_OK;
}

static ovk_err precond_apply(void *data)
{
  state *s = data;
  PC pc;
  TRY_PETSC(s->ctx, KSPGetPC(s->ksp, &pc));
  TRY_PETSC(s->ctx, PCApply(pc, s->vectors[PEER_X], s->vectors[PEER_Y]));
  return OVK_OK;
}

static ovk_err load(void *data, int vector, const double *values)
{
  state *s = data;
  double *array;
  TRY_PETSC(s->ctx, VecGetArrayWrite(s->vectors[vector], &array));
  memcpy(array, values, (size_t)s->rows * sizeof *array);
  TRY_PETSC(s->ctx, VecRestoreArrayWrite(s->vectors[vector], &array));
  return OVK_OK;
}

static ovk_err fetch(void *data, int vector, double *values)
{
  state *s = data;
  const double *array;
  TRY_PETSC(s->ctx, VecGetArrayRead(s->vectors[vector], &array));
  memcpy(values, array, (size_t)s->rows * sizeof *array);
  TRY_PETSC(s->ctx, VecRestoreArrayRead(s->vectors[vector], &array));
  return OVK_OK;
}

static peer_facts facts(const void *data)
{
  const state *s = data;
  peer_facts out = {0};
  (void)MatGetType(s->A, &out.format);
  if (s->ksp) (void)KSPGetType(s->ksp, &out.method);
  return out;
}

static void close_all(void *data)
{
  state *s = data;
  (void)KSPDestroy(&s->ksp);
  for (int k = 0; k < PEER_VECTORS; k++) (void)VecDestroy(&s->vectors[k]);
  (void)MatDestroy(&s->A);
  free(s);
  (void)PetscFinalize();
}

int main(int argc, char **argv)
{
  static const peer_ops ops = {
      .program = "petsc_ksp", .solve_columns = solve_columns, PEER_FUNCTIONS};
  return peer_main(argc, argv, &ops);
}
