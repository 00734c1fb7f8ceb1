/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of PETSc on arrays of ovkrylov: two vectors of the KSP's kind get these arrays in place of
 * their own, so nothing is copied. */
#include "ksp_ovk.h"

/* K->in and K->out, of the same kind as the right-hand side: what PETSc keeps with a vector, such
 * as its DM, may be needed by an operator. */
static PetscErrorCode need_vectors(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (!K->in) PetscCall(VecDuplicate(ksp->vec_rhs, &K->in));
  if (!K->out) PetscCall(VecDuplicate(ksp->vec_rhs, &K->out));
  PetscFunctionReturn(0);
}

static PetscErrorCode act(KSP ksp, PetscErrorCode (*action)(void *, Vec, Vec), void *object,
                          const double *in, double *out)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(need_vectors(ksp));
  PetscCall(VecPlaceArray(K->in, in));
  PetscCall(VecPlaceArray(K->out, out));
  const PetscErrorCode code = action(object, K->in, K->out);
  PetscCall(VecResetArray(K->in));
  PetscCall(VecResetArray(K->out));
  PetscFunctionReturn(code);
}

ovk_err ovkpetsc_apply(KSP ksp, const char *what, PetscErrorCode (*action)(void *, Vec, Vec),
                       void *object, const double *in, double *out)
{
  const ksp_ovk *K = ksp->data;
  return ovkpetsc_failed(K->context->ctx, what, act(ksp, action, object, in, out));
}
