/* SPDX-License-Identifier: BSD-2-Clause */
/* The PC of the KSP as the preconditioner "petsc" of ovkrylov. If the PC is a diagonal ("jacobi" in
 * all its variants), the diagonal is read once, and the vector kernels apply it with the same
 * numbers. Factors are those of PCApplySymmetricLeft() and PCApplySymmetricRight(), or the square
 * roots of the diagonal. */
#include "pc/pc.h"
#include "state/arrays.h"
#include "state/errors.h"

#include <math.h>

typedef struct petsc_pc {
  ovk_ctx *ctx;
  KSP ksp;
  PC pc;
  ovk_gidx first;
  ovk_lidx n;
  double *inverse;             /* C^-1 if that is diagonal; or else NULL */
  double *root;                /* its roots, once factored */
  ovkpetsc_columns columns[3]; /* for 2, 4 and 8 vectors at once */
} petsc_pc;

/* The transpose in KSPSolveTranspose(). */
static PetscErrorCode apply_action(void *of, Vec in, Vec out)
{
  KSP ksp = of;
  return ksp->transpose_solve ? PCApplyTranspose(ksp->pc, in, out) : PCApply(ksp->pc, in, out);
}

static PetscErrorCode left_action(void *pc, Vec in, Vec out)
{
  return PCApplySymmetricLeft(pc, in, out);
}

static PetscErrorCode right_action(void *pc, Vec in, Vec out)
{
  return PCApplySymmetricRight(pc, in, out);
}

static void petsc_pc_destroy(void *state)
{
  petsc_pc *P = state;
  for (int k = 0; k < 3; k++) ovkpetsc_columns_destroy(&P->columns[k]);
  free(P->inverse);
  free(P->root);
  free(P);
}

/* A rank without rows has arrays, too: NULL means that C is not diagonal. */
static double *new_array(ovk_lidx n)
{
  return calloc((size_t)n + 1, sizeof(double));
}

/* P->inverse <- C^-1 (1, 1, ..., 1), unless a rank has failed: `mine` is the error of this one. */
static ovk_err read_diagonal(KSP ksp, petsc_pc *P, ovk_err mine)
{
  double *ones = mine ? NULL : new_array(P->n);
  if (!mine && !ones) mine = ovk_ctx_fail(P->ctx, OVK_ERR_MEMORY, "no memory for a vector");
  const bool all = !ovkpetsc_agree(PetscObjectComm((PetscObject)ksp), ovkpetsc_code(mine));
  for (ovk_lidx i = 0; all && i < P->n; i++) ones[i] = 1;
  if (all) mine = ovkpetsc_apply(ksp, "PCApply", apply_action, ksp, ones, P->inverse);
  free(ones);
  return mine;
}

PetscErrorCode ovkpetsc_precond_is_read(PC pc, PetscBool *is)
{
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCJACOBI, is));
  PetscFunctionReturn(0);
}

static ovk_err petsc_pc_make(const ovk_mat *A, KSP ksp, bool diagonal, petsc_pc **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  petsc_pc *P = calloc(1, sizeof *P);
  if (!P) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  *P = (petsc_pc){.ctx = ctx,
                  .ksp = ksp,
                  .pc = ksp->pc,
                  .first = ovk_mat_row_begin(A),
                  .n = ovk_mat_local_size(A)};
  *out = P;
  if (!diagonal) return OVK_OK;
  P->inverse = new_array(P->n);
  return P->inverse ? OVK_OK : ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for a diagonal");
}

static ovk_err petsc_pc_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  const ovkpetsc_context *context = user;
  KSP ksp = context->making;
  petsc_pc *P = NULL;
  PetscBool diagonal = PETSC_FALSE;
  (void)spec;
  (void)ovkpetsc_precond_is_read(ksp->pc, &diagonal);
  ovk_err err = petsc_pc_make(A, ksp, diagonal, &P);
  if (diagonal) err = read_diagonal(ksp, P, err);
  if (err && P) {
    petsc_pc_destroy(P);
  } else {
    *state = P;
  }
  return err;
}

/* PETSc has set the PC up again; its data is read again. */
static ovk_err update(const ovk_mat *A, void *state)
{
  petsc_pc *P = state;
  (void)A;
  return P->inverse ? read_diagonal(P->ksp, P, OVK_OK) : OVK_OK;
}

static ovk_err scale(const petsc_pc *P, const double *diagonal, const double *r, double *z,
                     ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < P->n; i = end) {
    end = ovk_poll_until(poll, i, P->n);
    for (ovk_lidx k = i; k < end; k++) z[k] = diagonal[k] * r[k];
    ovk_poll_call(poll);
  }
  return OVK_OK;
}

/* z <- C^-1 r */
static ovk_err petsc_pc_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const petsc_pc *P = state;
  if (P->inverse) return scale(P, P->inverse, r, z, poll);
  return ovkpetsc_apply(P->ksp, "PCApply", apply_action, P->ksp, r, z);
}

static ovk_err prepare_many(void *state, int width)
{
  petsc_pc *P = state;
  return ovkpetsc_failed(P->ctx, "MatCreateDense",
                         ovkpetsc_columns_create(P->ksp, P->n, width, &P->columns[width / 4]));
}

static ovk_err apply_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  const petsc_pc *P = state;
  (void)poll;
  return ovkpetsc_failed(P->ctx, "PCMatApply",
                         ovkpetsc_columns_apply(P->pc, &P->columns[width / 4], r, z));
}

/* P->root <- roots of P->inverse */
static ovk_err take_roots(petsc_pc *P)
{
  if (!P->root) P->root = new_array(P->n);
  if (!P->root) return ovk_ctx_fail(P->ctx, OVK_ERR_MEMORY, "no memory for a diagonal");
  for (ovk_lidx i = 0; i < P->n; i++) {
    if (!(P->inverse[i] > 0)) {
      const long long row = P->first + i;
      return ovk_ctx_fail(P->ctx, OVK_ERR_INDEFINITE,
                          "PETSc's PC has no factors: row %lld of its diagonal has the inverse %g",
                          row, P->inverse[i]);
    }
    P->root[i] = sqrt(P->inverse[i]);
  }
  return OVK_OK;
}

static ovk_err factor(void *state)
{
  petsc_pc *P = state;
  if (P->inverse) return take_roots(P);
  bool has = false;
  const ovk_err err =
      ovkpetsc_failed(P->ctx, "PCApplySymmetricLeft", ovkpetsc_pc_has_halves(P->pc, &has));
  if (err || has) return err;
  return ovk_ctx_fail(
      P->ctx, OVK_ERR_UNSUPPORTED,
      "PETSc's PC '%s' has no factors (PCApplySymmetricLeft), which this method needs",
      ((PetscObject)P->pc)->type_name);
}

/* t <- L^-1 r */
static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  const petsc_pc *P = state;
  if (P->root) return scale(P, P->root, r, t, poll);
  return ovkpetsc_apply(P->ksp, "PCApplySymmetricLeft", left_action, P->pc, r, t);
}

/* w <- L^-T t */
static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  const petsc_pc *P = state;
  if (P->root) return scale(P, P->root, t, w, poll);
  return ovkpetsc_apply(P->ksp, "PCApplySymmetricRight", right_action, P->pc, t, w);
}

static const double *inverse_diagonal(void *state)
{
  const petsc_pc *P = state;
  return P->inverse;
}

static int64_t bytes(void *state)
{
  const petsc_pc *P = state;
  const int arrays = (P->inverse != NULL) + (P->root != NULL);
  return arrays * (int64_t)P->n * (int64_t)sizeof(double);
}

PetscErrorCode ovkpetsc_precond_state(PC pc, PetscObjectState *out)
{
  PetscObjectState state;
  PetscFunctionBegin;
  PetscCall(PetscObjectStateGet((PetscObject)pc, &state));
  *out = state + pc->matstate; /* neither ever decreases */
  PetscFunctionReturn(0);
}

ovk_err ovkpetsc_precond_register(ovkpetsc_context *context)
{
  ovk_precond_ops ops = {.size = sizeof(ovk_precond_ops),
                         .name = "petsc",
                         .summary = "the PC of a KSP",
                         .apply = petsc_pc_apply,
                         .setup = petsc_pc_setup,
                         .destroy = petsc_pc_destroy,
                         .factor = factor,
                         .apply_left = apply_left,
                         .apply_right = apply_right,
                         .inverse_diagonal = inverse_diagonal,
                         .bytes = bytes,
                         .update = update,
                         .never_polls = true};
  const ovk_err err = ovk_precond_register(context->ctx, &ops, context);
  ops.name = "petsc-columns";
  ops.summary = "a PC of a KSP with PCMatApply()";
  ops.prepare_many = prepare_many;
  ops.apply_many = apply_many;
  return err ? err : ovk_precond_register(context->ctx, &ops, context);
}
