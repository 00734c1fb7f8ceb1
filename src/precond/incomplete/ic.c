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

/* z <- L^-T L^-1 r */
static ovk_err apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk__triangle *L = &((const ovk__incomplete *)state)->L;
  ovk__triangle_solve(L, r, z, poll);
  ovk__triangle_solve_transposed(L, z, z, poll);
  return OVK_OK;
}

static ovk_err factor(void *state)
{
  (void)state; /* setup has made L */
  return OVK_OK;
}

/* t <- L^-1 r */
static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  ovk__triangle_solve(&((const ovk__incomplete *)state)->L, r, t, poll);
  return OVK_OK;
}

/* w <- L^-T t */
static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  ovk__triangle_solve_transposed(&((const ovk__incomplete *)state)->L, t, w, poll);
  return OVK_OK;
}

const ovk_precond_ops ovk__precond_ic = {
    .name = "ic",
    .summary = "incomplete Cholesky of each rank's block; has factors",
    .keys = ovk__incomplete_keys,
    .apply = apply,
    .setup = setup,
    .destroy = ovk__incomplete_destroy,
    .factor = factor,
    .apply_left = apply_left,
    .apply_right = apply_right,
    .bytes = ovk__incomplete_bytes,
    .info = ovk__incomplete_info,
    .local = true,
};
