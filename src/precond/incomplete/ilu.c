/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "ilu": C = (I + L) (D + U) of this rank's diagonal block, an incomplete
 * factorisation with fill of level K, for values that need not be symmetric. Between ranks it is
 * block Jacobi. */
#include "precond/incomplete/incomplete.h"

const ovk__incomplete_kind ovk__incomplete_ilu = {"ilu", ovk__factorise_ilu, false};

static ovk_err setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  return ovk__incomplete_setup(A, spec, &ovk__incomplete_ilu, state);
}

const ovk_precond_ops ovk__precond_ilu = {
    .name = "ilu",
    .summary = "incomplete LU factorisation of each rank's block",
    .keys = ovk__incomplete_keys,
    .apply = ovk__incomplete_apply,
    .setup = setup,
    .destroy = ovk__incomplete_destroy,
    .bytes = ovk__incomplete_bytes,
    .info = ovk__incomplete_info,
    .local = true,
};
