/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "auto": the candidate that is predicted to take the least time, or the next
 * one if its setup fails. It passes all calls on to that candidate, but those of split methods to
 * another one if that has no factors. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/auto/choose.h"
#include "precond/precond_impl.h"

#include <stdio.h>
#include <stdlib.h>

static const ovk_option auto_options[] = {
    OVK_INTEGER("solves", 1, 1000000, 1, "expected solves with these values of the matrix"),
    OVK_OPTIONS_END};

typedef struct automatic {
  ovk_ctx *ctx;
  const ovk_mat *A;
  long solves;
  ovk__auto_choice choice;
  ovk__auto_candidate M;
  ovk__auto_candidate F; /* the one that split methods use, if M has no factors and they asked */
  double *ones;          /* the inverse diagonal of `none`; NULL for the others */
  char why[OVK__AUTO_WHY], info[OVK__PRECOND_INFO], failure[OVK__PRECOND_INFO];
} automatic;

static void auto_destroy(void *state)
{
  automatic *S = state;
  ovk__auto_candidate_free(&S->M);
  ovk__auto_candidate_free(&S->F);
  free(S->ones);
  free(S);
}

/* S->info <- the reason, and the description by the candidate. */
static void auto_describe(automatic *S)
{
  const char *own = S->M.ops->info ? S->M.ops->info(S->M.state) : NULL;
  const char *split = S->F.ops ? S->F.ops->name : NULL;
  const bool has = own && own[0];
  snprintf(S->info, sizeof S->info, "%s%s%s%s%s", S->why, split ? "; for split methods " : "",
           split ? split : "", has ? "; " : "", has ? own : "");
}

/* The first candidate of the order whose setup succeeds, at last `none`, which needs none. */
static ovk_err auto_take_first(const ovk_mat *A, const ovk__auto_choice *choice, automatic *S)
{
  snprintf(S->why, sizeof S->why, "%s", choice->why);
  for (int k = 0; k <= choice->n; k++) {
    const ovk__auto_kind kind = k < choice->n ? choice->order[k] : OVK__AUTO_NONE;
    if (k == 0 && S->M.ops) return OVK_OK; /* set up by the choice */
    const ovk_err err = ovk__auto_candidate_create(A, kind, &S->M);
    if (!err) return OVK_OK;
    if (kind == OVK__AUTO_NONE) return err;
    if (!S->failure[0]) snprintf(S->failure, sizeof S->failure, "%.190s", ovk_ctx_error(S->ctx));
  }
  return OVK_OK;
}

/* Methods have to see that `none` is positive definite. */
static ovk_err auto_fill_ones(const ovk_mat *A, automatic *S)
{
  const ovk_lidx n = ovk_mat_local_size(A);
  free(S->ones);
  S->ones = NULL;
  if (S->M.ops->name != ovk__auto_name(OVK__AUTO_NONE)) return OVK_OK;
  OVK_NEW_ARRAY(S->ctx, S->ones, n);
  for (ovk_lidx i = 0; i < n; i++) S->ones[i] = 1;
  return OVK_OK;
}

/* The choice may have set up another candidate than the first of the order. */
static ovk_err auto_choose(const ovk_mat *A, automatic *S)
{
  S->failure[0] = '\0';
  OVK_TRY(ovk__auto_choose(A, (int)S->solves, &S->choice, &S->M));
  const char *first = ovk__auto_name(S->choice.order[0]);
  if (S->M.ops && S->M.ops->name != first) ovk__auto_candidate_free(&S->M);
  OVK_TRY(auto_take_first(A, &S->choice, S));
  OVK_TRY(ovk__agree(S->ctx, auto_fill_ones(A, S)));
  if (S->failure[0]) {
    ovk__clear_message(S->ctx);
    snprintf(S->why, sizeof S->why, "%s, because the setup of %s failed", S->M.ops->name, first);
  }
  auto_describe(S);
  return OVK_OK;
}

static ovk_err auto_make(const ovk_mat *A, const ovk_spec *spec, automatic **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_NEW_AT(ctx, *out, automatic, S);
  S->ctx = ctx;
  S->A = A;
  return ovk_spec_int(ctx, spec, auto_options, "solves", &S->solves);
}

static ovk_err auto_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  automatic *S = NULL;
  ovk_err err = ovk__agree(ovk_mat_ctx(A), auto_make(A, spec, &S));
  if (!err) err = auto_choose(A, S);
  if (err && S) auto_destroy(S);
  *state = err ? NULL : S;
  return err;
}

/* Keeps the choice, unless that refuses the new values: ic those of a nonsymmetric A. */
static ovk_err auto_update(const ovk_mat *A, void *state)
{
  automatic *S = state;
  ovk__auto_candidate_free(&S->F); /* whose factors are of the old values */
  const ovk_err err = S->M.ops ? ovk__auto_candidate_update(A, &S->M) : OVK_ERR_ARG;
  if (err == OVK_ERR_ARG || err == OVK_ERR_INDEFINITE || err == OVK_ERR_UNSUPPORTED) {
    ovk__clear_message(S->ctx);
    ovk__auto_candidate_free(&S->M);
    return auto_choose(A, S);
  }
  if (!err) auto_describe(S);
  return err;
}

static ovk_err auto_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const automatic *S = state;
  return S->M.ops->apply(S->M.state, r, z, poll);
}

/* S->F <- the first candidate with factors, if there is one. M stays, as others may use it. */
static void auto_take_factored(automatic *S)
{
  for (int k = 0; k < S->choice.n && !S->F.ops; k++) {
    if (!ovk__auto_has_factors(S->choice.order[k])) continue;
    if (ovk__auto_candidate_create(S->A, S->choice.order[k], &S->F)) ovk__clear_message(S->ctx);
  }
  auto_describe(S);
}

/* M, or the candidate with factors in its place. */
static const ovk__auto_candidate *auto_factored(const automatic *S)
{
  return S->F.ops ? &S->F : &S->M;
}

static bool auto_has_own_factors(void *state)
{
  return ((const automatic *)state)->M.ops->factor != NULL;
}

static ovk_err auto_factor(void *state)
{
  automatic *S = state;
  if (!S->M.ops->factor && !S->F.ops) auto_take_factored(S);
  const ovk__auto_candidate *M = auto_factored(S);
  OVK_CHECK(M->ops->factor, S->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner '%s' has no factors M = L L^T", M->ops->name);
  return M->ops->factor(M->state);
}

static ovk_err auto_apply_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  const automatic *S = state;
  return S->M.ops->apply_many(S->M.state, width, r, z, poll);
}

static ovk_err auto_prepare_many(void *state, int width)
{
  const automatic *S = state;
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
  const automatic *S = state;
  return S->M.ops->inverse_diagonal ? S->M.ops->inverse_diagonal(S->M.state) : S->ones;
}

static int64_t candidate_bytes(const ovk__auto_candidate *M)
{
  return M->ops && M->ops->bytes ? M->ops->bytes(M->state) : 0;
}

static int64_t auto_bytes(void *state)
{
  const automatic *S = state;
  const int64_t ones = S->ones ? (int64_t)sizeof *S->ones * ovk_mat_local_size(S->A) : 0;
  return ones + candidate_bytes(&S->M) + candidate_bytes(&S->F);
}

static const char *auto_info(void *state)
{
  return ((const automatic *)state)->info;
}

/* The warning of a setup that failed, or of the candidate. */
static const char *auto_warning(void *state)
{
  const automatic *S = state;
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
  const automatic *S = state;
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
