/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of PETSc on arrays of ovkrylov. Two vectors of the kind of the KSP use these arrays in
 * place, or copies of them if that is impossible. */
#include "state/arrays.h"
#include "state/errors.h"
#include "state/ksp_ovk.h"

/* K->in and K->out, of the same kind as the right-hand side: an operator may need data that PETSc
 * stores with a vector, such as its DM. */
static PetscErrorCode need_vectors(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (K->in && K->out) PetscFunctionReturn(0);
  if (!K->in) PetscCall(VecDuplicate(ksp->vec_rhs, &K->in));
  if (!K->out) PetscCall(VecDuplicate(ksp->vec_rhs, &K->out));
  PetscCall(ovkpetsc_lend_can_place(K->in, &K->places));
  PetscFunctionReturn(0);
}

static PetscErrorCode act_placed(const ksp_ovk *K, PetscErrorCode (*action)(void *, Vec, Vec),
                                 void *object, const double *in, double *out)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_lend_place(K->in, in));
  PetscCall(ovkpetsc_lend_place(K->out, out));
  const PetscErrorCode code = action(object, K->in, K->out);
  PetscCall(ovkpetsc_lend_reset(K->in));
  PetscCall(ovkpetsc_lend_reset(K->out));
  PetscFunctionReturn(code);
}

static PetscErrorCode act_copied(const ksp_ovk *K, PetscErrorCode (*action)(void *, Vec, Vec),
                                 void *object, const double *in, double *out)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_lend_copy(K->in, in));
  PetscCall(action(object, K->in, K->out));
  PetscCall(ovkpetsc_lend_copy_back(K->out, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode act(KSP ksp, PetscErrorCode (*action)(void *, Vec, Vec), void *object,
                          const double *in, double *out)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(need_vectors(ksp));
  PetscCall(K->places ? act_placed(K, action, object, in, out)
                      : act_copied(K, action, object, in, out));
  PetscFunctionReturn(0);
}

ovk_err ovkpetsc_apply(KSP ksp, const char *what, PetscErrorCode (*action)(void *, Vec, Vec),
                       void *object, const double *in, double *out)
{
  const ksp_ovk *K = ksp->data;
  return ovkpetsc_failed(K->context->ctx, what, act(ksp, action, object, in, out));
}
