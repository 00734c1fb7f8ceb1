/* SPDX-License-Identifier: BSD-2-Clause */
/* The context of a communicator, stored as its attribute and shared by all its KSPs. PETSc gives
 * all objects on a user communicator the same inner communicator, and frees it with the last of
 * them. That of PETSC_COMM_WORLD is kept until PETSc ends: programs that create and destroy their
 * objects again and again have one context there. */
#include "ksp/ksp.h"
#include "pc/pc.h"
#include "state/errors.h"

#include <stdlib.h>

/* The one piece of global state, as MPI has no other way to find an attribute. Freed with PETSc. */
static int keyval = MPI_KEYVAL_INVALID;

static void context_destroy(ovkpetsc_context *context)
{
  ovk_reduction_destroy(&context->changes);
  ovk_ctx_destroy(&context->ctx);
  free(context);
}

static int on_delete(MPI_Comm comm, int key, void *attribute, void *extra)
{
  (void)comm;
  (void)key;
  (void)extra;
  context_destroy(attribute);
  return MPI_SUCCESS;
}

static PetscErrorCode free_keyval(void)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_free_keyval(&keyval)); /* sets it to MPI_KEYVAL_INVALID */
  PetscFunctionReturn(0);
}

static PetscErrorCode need_keyval(void)
{
  PetscFunctionBegin;
  if (keyval == MPI_KEYVAL_INVALID) {
    PetscCallMPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL));
    PetscCall(PetscRegisterFinalize(free_keyval));
  }
  PetscFunctionReturn(0);
}

/* Without memory, a context without a ctx, so that all ranks take the same path. */
static ovk_err context_create(MPI_Comm comm, ovkpetsc_context **out)
{
  ovkpetsc_context *context = calloc(1, sizeof *context);
  ovk_ctx *ctx = NULL;
  ovk_err err = ovk_ctx_create(comm, &ctx); /* the same on all ranks */
  if (!err && context) {
    context->ctx = ctx;
    context->exact = getenv("OVK_EXACT") != NULL;
    err = ovkpetsc_precond_register(context);
  } else if (!err) {
    ovk_ctx_destroy(&ctx);
    err = OVK_ERR_MEMORY;
  }
  *out = context;
  return err;
}

/* Opens the default backend and the memory that ranks share. Without a backend the first solve
 * fails, and reports it. */
static void open_backend(ovkpetsc_context *context)
{
  if (ovk_ctx_size(context->ctx) == 1) return;
  if (ovk_reduction_create(context->ctx, NULL, OVKPETSC_CHANGES, &context->changes)) {
    context->changes = NULL;
  }
}

/* *out <- the context that comm has as an attribute, or gets now; *code: an error, the same on all
 * ranks. */
static PetscErrorCode find_context(MPI_Comm comm, ovkpetsc_context **out, PetscErrorCode *code)
{
  int found;
  ovkpetsc_context *context = NULL;
  PetscFunctionBegin;
  *code = 0;
  PetscCall(need_keyval());
  PetscCallMPI(MPI_Comm_get_attr(comm, keyval, out, &found));
  if (found) PetscFunctionReturn(0);
  const ovk_err mine = context_create(comm, &context);
  *code = ovkpetsc_agree(comm, ovkpetsc_code(mine));
  if (*code && context) context_destroy(context);
  if (*code) PetscFunctionReturn(0);
  open_backend(context);
  PetscCallMPI(MPI_Comm_set_attr(comm, keyval, context));
  *out = context;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_context_of(MPI_Comm comm, ovkpetsc_context **out)
{
  PetscErrorCode code;
  PetscFunctionBegin;
  PetscCall(find_context(comm, out, &code));
  PetscCheck(!code, comm, code, "ovkrylov: no context for this communicator, or no memory for it");
  PetscFunctionReturn(0);
}

/* The container holds the inner communicator until PETSc ends, and with it the context. A failure
 * here is one again in the first solve, which reports it. */
PetscErrorCode ovkpetsc_context_prepare(void)
{
  PetscContainer holder;
  ovkpetsc_context *context;
  PetscErrorCode code;
  PetscFunctionBegin;
  PetscCall(PetscContainerCreate(PETSC_COMM_WORLD, &holder));
  PetscCall(PetscObjectRegisterDestroy((PetscObject)holder));
  PetscCall(find_context(PetscObjectComm((PetscObject)holder), &context, &code));
  PetscFunctionReturn(0);
}

/* By the reductions of ovkrylov, which take less time than those of MPI where ranks share memory.
 */
PetscErrorCode ovkpetsc_context_combine(KSP ksp, int *bits)
{
  const ksp_ovk *K = ksp->data;
  ovk_ctx *ctx = K->context->ctx;
  ovk_reduction *sum = K->context->changes;
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  double *ranks = ovk_reduction_values(sum);
  PetscFunctionBegin;
  if (!sum) {
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bits, 1, MPI_INT, MPI_BOR, comm));
    PetscFunctionReturn(0);
  }
  for (int k = 0; k < OVKPETSC_CHANGES; k++) ranks[k] = *bits >> k & 1;
  OVKPETSC_CALL(ksp, ctx, ovk_reduction_begin(sum));
  OVKPETSC_CALL(ksp, ctx, ovk_reduction_wait(sum));
  for (int k = 0; k < OVKPETSC_CHANGES; k++) {
    if (ranks[k] > 0) *bits |= 1 << k;
  }
  PetscFunctionReturn(0);
}
