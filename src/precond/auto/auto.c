/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "auto". It passes all calls on to the candidate that is selected, but those of
 * split methods to another one if that has no factors. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/auto/selection.h"

#include <stdlib.h>

static const ovk_option auto_options[] = {
    OVK_INTEGER("solves", 1, 1000000, 1, "expected solves with these values of the matrix"),
    OVK_OPTIONS_END};

static void auto_destroy(void *state)
{
  ovk__selection_free(state);
  free(state);
}

static ovk_err auto_make(const ovk_mat *A, const ovk_spec *spec, ovk__selection **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  long solves;
  OVK_NEW_AT(ctx, *out, ovk__selection, S);
  S->A = A;
  OVK_TRY(ovk_spec_int(ctx, spec, auto_options, "solves", &solves));
  S->solves = (int)solves;
  return OVK_OK;
}

static ovk_err auto_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  ovk__selection *S = NULL;
  ovk_err err = ovk__agree(ovk_mat_ctx(A), auto_make(A, spec, &S));
  if (!err) err = ovk__selection_make(S);
  if (err && S) auto_destroy(S);
  *state = err ? NULL : S;
  return err;
}

static ovk_err auto_update(const ovk_mat *A, void *state)
{
  (void)A; /* that of the setup */
  return ovk__selection_update(state);
}

static ovk_err auto_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk__selection *S = state;
  return S->M.ops->apply(S->M.state, r, z, poll);
}

/* M, or the candidate with factors in its place. */
static const ovk__auto_candidate *auto_factored(const ovk__selection *S)
{
  return S->F.ops ? &S->F : &S->M;
}

static bool auto_has_own_factors(void *state)
{
  return ((const ovk__selection *)state)->M.ops->factor != NULL;
}

static ovk_err auto_factor(void *state)
{
  ovk__selection *S = state;
  ovk__selection_factor(S);
  const ovk__auto_candidate *M = auto_factored(S);
  OVK_CHECK(M->ops->factor, S->A->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner '%s' has no factors M = L L^T", M->ops->name);
  return M->ops->factor(M->state);
}

static ovk_err auto_apply_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  const ovk__selection *S = state;
  return S->M.ops->apply_many(S->M.state, width, r, z, poll);
}

static ovk_err auto_prepare_many(void *state, int width)
{
  const ovk__selection *S = state;
  return S->M.ops->prepare_many ? S->M.ops->prepare_many(S->M.state, width) : OVK_OK;
}

static ovk_err auto_apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  const ovk__auto_candidate *M = auto_factored(state);
  return M->ops->apply_left(M->state, r, t, poll);
}

static ovk_err auto_apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  const ovk__auto_candidate *M = auto_factored(state);
  return M->ops->apply_right(M->state, t, w, poll);
}

static const double *auto_inverse_diagonal(void *state)
{
  const ovk__selection *S = state;
  return S->M.ops->inverse_diagonal ? S->M.ops->inverse_diagonal(S->M.state) : S->ones;
}

static int64_t auto_bytes(void *state)
{
  return ovk__selection_bytes(state);
}

static const char *auto_info(void *state)
{
  return ((const ovk__selection *)state)->info;
}

/* The warning of a setup that failed, or of the candidate. */
static const char *auto_warning(void *state)
{
  const ovk__selection *S = state;
  if (S->failure[0]) return S->failure;
  return S->M.ops->warning ? S->M.ops->warning(S->M.state) : NULL;
}

static const char *auto_stale(void *state)
{
  (void)state;
  return "the choice is of old values: create 'auto' again, which may choose another one";
}

static void auto_view(void *state, void *file)
{
  const ovk__selection *S = state;
  if (S->M.ops->view) S->M.ops->view(S->M.state, file);
}

const ovk_precond_ops ovk__precond_auto = {
    .name = "auto",
    .summary = "jacobi, ic, ilu or amg, by the predicted time of setup and solves",
    .keys = auto_options,
    .apply = auto_apply,
    .setup = auto_setup,
    .destroy = auto_destroy,
    .factor = auto_factor,
    .apply_left = auto_apply_left,
    .apply_right = auto_apply_right,
    .inverse_diagonal = auto_inverse_diagonal,
    .bytes = auto_bytes,
    .update = auto_update,
    .info = auto_info,
    .warning = auto_warning,
    .view = auto_view,
    .stale = auto_stale,
    .apply_many = auto_apply_many,
    .prepare_many = auto_prepare_many,
    .has_own_factors = auto_has_own_factors,
};
