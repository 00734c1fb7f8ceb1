/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of PETSc on arrays of ovkrylov. Two vectors of the kind of the KSP use these arrays in
 * place, or copies of them if that is impossible. */
#include "state/arrays.h"
#include "state/errors.h"
#include "state/ksp_ovk.h"

/* K->now.in and K->now.out, of the same kind as the right-hand side: an operator may need data
 * that PETSc stores with a vector, such as its DM. */
static PetscErrorCode need_vectors(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (K->now.in && K->now.out) PetscFunctionReturn(0);
  if (!K->now.in) PetscCall(VecDuplicate(ksp->vec_rhs, &K->now.in));
  if (!K->now.out) PetscCall(VecDuplicate(ksp->vec_rhs, &K->now.out));
  PetscCall(ovkpetsc_lend_can_place(K->now.in, &K->now.places));
  PetscFunctionReturn(0);
}

static PetscErrorCode act_placed(const ksp_ovk *K, PetscErrorCode (*action)(void *, Vec, Vec),
                                 void *object, const double *in, double *out)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_lend_place(K->now.in, in));
  PetscCall(ovkpetsc_lend_place(K->now.out, out));
  const PetscErrorCode code = action(object, K->now.in, K->now.out);
  PetscCall(ovkpetsc_lend_reset(K->now.in));
  PetscCall(ovkpetsc_lend_reset(K->now.out));
  PetscFunctionReturn(code);
}

static PetscErrorCode act_copied(const ksp_ovk *K, PetscErrorCode (*action)(void *, Vec, Vec),
                                 void *object, const double *in, double *out)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_lend_copy(K->now.in, in));
  PetscCall(action(object, K->now.in, K->now.out));
  PetscCall(ovkpetsc_lend_copy_back(K->now.out, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode act(KSP ksp, PetscErrorCode (*action)(void *, Vec, Vec), void *object,
                          const double *in, double *out)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(need_vectors(ksp));
  PetscCall(K->now.places ? act_placed(K, action, object, in, out)
                          : act_copied(K, action, object, in, out));
  PetscFunctionReturn(0);
}

ovk_err ovkpetsc_apply(KSP ksp, const char *what, PetscErrorCode (*action)(void *, Vec, Vec),
                       void *object, const double *in, double *out)
{
  const ksp_ovk *K = ksp->data;
  return ovkpetsc_failed(K->context->ctx, what, act(ksp, action, object, in, out));
}
