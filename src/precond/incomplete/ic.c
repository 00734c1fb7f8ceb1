/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "ic": C = L L^T of this rank's diagonal block, an incomplete Cholesky
 * factorisation with fill of level K. Between ranks it is block Jacobi. */
#include "precond/incomplete/incomplete.h"

const ovk__incomplete_kind ovk__incomplete_ic = {"ic", ovk__factorise_ic, true};

static ovk_err setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  return ovk__incomplete_setup(A, spec, &ovk__incomplete_ic, state);
}

static ovk_err update(const ovk_mat *A, void *state)
{
  return ovk__incomplete_update(A, &ovk__incomplete_ic, state);
}

static ovk_err factor(void *state)
{
  (void)state; /* setup has made L */
  return OVK_OK;
}

const ovk_precond_ops ovk__precond_ic = {
    .name = "ic",
    .summary = "incomplete Cholesky of each rank's block; has factors",
    .keys = ovk__incomplete_keys,
    .apply = ovk__incomplete_apply,
    .setup = setup,
    .destroy = ovk__incomplete_destroy,
    .factor = factor,
    .apply_left = ovk__incomplete_apply_left,
    .apply_right = ovk__incomplete_apply_right,
    .bytes = ovk__incomplete_bytes,
    .update = update,
    .info = ovk__incomplete_info,
    .local = true,
};
