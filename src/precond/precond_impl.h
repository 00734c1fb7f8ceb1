/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a preconditioner, for the solvers. */
#ifndef OVK_PRECOND_IMPL_H
#define OVK_PRECOND_IMPL_H

#include "matrix/mat_impl.h"
#include "precond/diagonal.h"

#include <ovkrylov/precond.h>

struct ovk_precond {
  ovk_ctx *ctx;
  const ovk_mat *A;
  const ovk_precond_ops *ops;
  void *state;
  bool set_up;
  bool tried_to_factor; /* once, whatever came of it: */
  ovk_err factor_err;
  char factor_why[OVK__MESSAGE_SIZE];
};

/* What the functions of precond.h do, with arguments unchecked and failures of this rank only: the
 * caller agrees. Collective. */
ovk_err ovk__precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll);
ovk_err ovk__precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll);
ovk_err ovk__precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll);

/* C^-1 if it is diagonal; else with no d. Looks at all of d, and d may change from solve to solve:
 * once a solve. Not collective. */
ovk__diagonal ovk__precond_inverse_diagonal(const ovk_precond *M);

#endif
