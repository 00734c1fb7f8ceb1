/* SPDX-License-Identifier: BSD-2-Clause */
#include "precond/auto/selection.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* S->info <- the reason, and the description by the candidate. */
static void selection_describe(ovk__selection *S)
{
  const char *own = S->M.ops->info ? S->M.ops->info(S->M.state) : NULL;
  const char *split = S->F.ops ? S->F.ops->name : NULL;
  const bool has = own && own[0];
  snprintf(S->info, sizeof S->info, "%s%s%s%s%s", S->why, split ? "; for split methods " : "",
           split ? split : "", has ? "; " : "", has ? own : "");
}

/* S->M <- the first candidate of the order whose setup succeeds, at last `none`. */
static ovk_err selection_take_first(ovk__selection *S)
{
  const ovk__auto_choice *choice = &S->choice;
  ovk_ctx *ctx = S->A->ctx;
  for (int k = 0; k < choice->n; k++) {
    if (!ovk__auto_candidate_create(S->A, choice->order[k], &S->M)) return OVK_OK;
    if (!S->failure[0]) snprintf(S->failure, sizeof S->failure, "%.190s", ovk_ctx_error(ctx));
  }
  return ovk__auto_candidate_create(S->A, OVK__AUTO_NONE, &S->M);
}

/* Methods have to see that `none` is positive definite. */
static ovk_err selection_fill_ones(ovk__selection *S)
{
  const ovk_lidx n = S->A->layout.local;
  free(S->ones);
  S->ones = NULL;
  if (S->M.ops->name != ovk__auto_name(OVK__AUTO_NONE)) return OVK_OK;
  OVK_NEW_ARRAY(S->A->ctx, S->ones, n);
  for (ovk_lidx i = 0; i < n; i++) S->ones[i] = 1;
  return OVK_OK;
}

ovk_err ovk__selection_make(ovk__selection *S)
{
  S->failure[0] = '\0';
  OVK_TRY(ovk__auto_choose(S->A, S->solves, &S->choice, &S->M));
  const char *first = ovk__auto_name(S->choice.order[0]);
  if (S->M.ops && S->M.ops->name != first) ovk__auto_candidate_free(&S->M);
  if (!S->M.ops) OVK_TRY(selection_take_first(S));
  OVK_TRY(ovk__agree(S->A->ctx, selection_fill_ones(S)));
  snprintf(S->why, sizeof S->why, "%s", S->choice.why);
  if (S->failure[0]) {
    ovk__clear_message(S->A->ctx);
    snprintf(S->why, sizeof S->why, "%s, because the setup of %s failed", S->M.ops->name, first);
  }
  selection_describe(S);
  return OVK_OK;
}

ovk_err ovk__selection_update(ovk__selection *S)
{
  S->failure[0] = '\0';            /* a setup that failed has been a warning */
  ovk__auto_candidate_free(&S->F); /* whose factors are of the old values */
  const ovk_err err = S->M.ops ? ovk__auto_candidate_update(S->A, &S->M) : OVK_ERR_ARG;
  if (err == OVK_ERR_ARG || err == OVK_ERR_INDEFINITE || err == OVK_ERR_UNSUPPORTED) {
    ovk__clear_message(S->A->ctx);
    ovk__auto_candidate_free(&S->M);
    return ovk__selection_make(S);
  }
  if (!err) selection_describe(S);
  return err;
}

void ovk__selection_factor(ovk__selection *S)
{
  if (S->M.ops->factor || S->F.ops) return;
  for (int k = 0; k < S->choice.n && !S->F.ops; k++) {
    if (!ovk__auto_has_factors(S->choice.order[k])) continue;
    if (ovk__auto_candidate_create(S->A, S->choice.order[k], &S->F)) ovk__clear_message(S->A->ctx);
  }
  selection_describe(S);
}

static int64_t candidate_bytes(const ovk__auto_candidate *M)
{
  return M->ops && M->ops->bytes ? M->ops->bytes(M->state) : 0;
}

int64_t ovk__selection_bytes(const ovk__selection *S)
{
  const int64_t ones = S->ones ? (int64_t)sizeof *S->ones * S->A->layout.local : 0;
  return ones + candidate_bytes(&S->M) + candidate_bytes(&S->F);
}

void ovk__selection_free(ovk__selection *S)
{
  ovk__auto_candidate_free(&S->M);
  ovk__auto_candidate_free(&S->F);
  free(S->ones);
}
