/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets a preconditioner up, updates and factorizes it; ranks agree on the result. */
#include "core/context/agree.h"
#include "precond/precond_impl.h"

#include <stdio.h>
#include <string.h>

void ovk__precond_tear_down(const ovk_precond *M, void *state)
{
  if (M->ops->setup && M->ops->destroy) M->ops->destroy(state);
}

/* *state <- that of a preconditioner that is set up again. */
static ovk_err precond_call_setup(const ovk_precond *M, void **state)
{
  *state = M->user;
  if (!M->ops->setup) return OVK_OK;
  OVK_RETURN_USERS(M->ctx, M->ops->setup(M->A, M->spec, M->user, state),
                   "the preconditioner's setup");
}

/* The text of this rank; `get` may be NULL. */
static const char *precond_text(const ovk_precond *M, const char *(*get)(void *state))
{
  const char *text = get ? get(M->state) : NULL;
  return text ? text : "";
}

/* shared <- the text of the lowest rank that has one */
static ovk_err setup_share_text(const ovk_precond *M, const char *(*get)(void *state),
                                char shared[OVK__PRECOND_INFO])
{
  ovk_ctx *ctx = M->ctx;
  int lowest = precond_text(M, get)[0] ? ctx->rank : ctx->size;
  snprintf(shared, OVK__PRECOND_INFO, "%s", precond_text(M, get));
  OVK_TRY(ovk__total_of(ctx, &lowest, 1, MPI_INT, MPI_MIN));
  OVK_TRY_MPI(ctx, MPI_Bcast(shared, OVK__PRECOND_INFO, MPI_CHAR, lowest, ctx->comm));
  return OVK_OK;
}

/* Agrees on the error of this rank, then on the properties of M: M->bytes is the sum over the
 * ranks; M->never_polls holds on some rank, M->splits and M->many on all; M->info and the warning
 * are those of the lowest rank that has some. */
static ovk_err precond_add_up(ovk_precond *M, ovk_err mine, char warning[OVK__PRECOND_INFO])
{
  enum { BYTES, NEVER_POLLS, NO_SPLIT, NO_MANY, INFOS, WARNINGS, SUMS };
  const ovk_precond_ops *ops = M->ops;
  /* Where the setup of a rank failed, the states of others may be incomplete. */
  OVK_TRY(ovk__agree(M->ctx, mine));
  int64_t sums[SUMS] = {[BYTES] = ops->bytes ? ops->bytes(M->state) : 0,
                        [NEVER_POLLS] = ops->never_polls,
                        [NO_SPLIT] = !ops->apply_split,
                        [NO_MANY] = !ops->apply_many,
                        [INFOS] = precond_text(M, ops->info)[0] != '\0',
                        [WARNINGS] = precond_text(M, ops->warning)[0] != '\0'};
  OVK_TRY(ovk__agree_total(M->ctx, OVK_OK, sums, SUMS, MPI_INT64_T, MPI_SUM));
  M->bytes = sums[BYTES];
  M->never_polls = sums[NEVER_POLLS] > 0;
  M->splits = sums[NO_SPLIT] == 0;
  M->many = sums[NO_MANY] == 0 && !M->ordered; /* kernels for blocks have another order */
  M->info[0] = warning[0] = '\0';
  if (sums[INFOS]) OVK_TRY(ovk__agree(M->ctx, setup_share_text(M, ops->info, M->info)));
  if (sums[WARNINGS]) OVK_TRY(ovk__agree(M->ctx, setup_share_text(M, ops->warning, warning)));
  return OVK_OK;
}

/* Agrees on the error of a setup, and takes note of its result. */
static ovk_err setup_take_stock(ovk_precond *M, ovk_err mine)
{
  char warning[OVK__PRECOND_INFO];
  M->ordered = M->A->ordered;
  OVK_TRY(precond_add_up(M, mine, warning));
  M->resets = M->A->resets;
  memset(M->ready, 0, sizeof M->ready);
  if (warning[0]) ovk__notify(M->ctx, "preconditioner '%s': %s", M->ops->name, warning);
  return OVK_OK;
}

static ovk_err setup_first(ovk_precond *M)
{
  OVK_TRY(ovk__agree_same(M->ctx, "preconditioners", ovk_spec_text(M->spec)));
  const ovk_err err = precond_call_setup(M, &M->state);
  M->set_up = !err;
  return setup_take_stock(M, err);
}

/* Runs the setup of M, logs its time and returns its result. */
static ovk_err setup_carry_out(ovk_precond *M, ovk_err (*set)(ovk_precond *M), double start)
{
  const ovk__used used = OVK_USE(M, M->A);
  const ovk_err err = set(M);
  ovk__log_add(&M->ctx->log, OVK_EVENT_PRECOND_SETUP, start);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk__precond_set_up(ovk_precond *M, double start)
{
  return setup_carry_out(M, setup_first, start);
}

static ovk_err precond_factor(ovk_precond *M)
{
  OVK_CHECK(M->ops->factor, M->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner '%s' has no factors M = L L^T", M->ops->name);
  OVK_RETURN_USERS(M->ctx, M->ops->factor(M->state), "the preconditioner's factor");
}

/* Factorizes M, and keeps the result. */
static ovk_err setup_factor(ovk_precond *M)
{
  char warning[OVK__PRECOND_INFO];
  M->tried_to_factor = true;
  const ovk_err err = precond_add_up(M, precond_factor(M), warning);
  M->factored.err = OVK_OK;
  ovk__keep_error(M->ctx, err, &M->factored);
  return err;
}

bool ovk__precond_has_factors(const ovk_precond *M)
{
  return M->ops->factor && (!M->ops->has_own_factors || M->ops->has_own_factors(M->state));
}

ovk_err ovk_precond_factor(ovk_precond *M)
{
  if (!M) return OVK_ERR_ARG;
  if (!M->tried_to_factor) return setup_carry_out(M, setup_factor, ovk__log_now(&M->ctx->log));
  return ovk__kept_error_of(M->ctx, &M->factored);
}

/* Updates by the preconditioner's own function. */
static ovk_err precond_update_in_place(ovk_precond *M)
{
  const unsigned before = M->ctx->message_count;
  const ovk_err mine = M->ops->update(M->A, M->state);
  const ovk_err err =
      setup_take_stock(M, ovk__user_failed(M->ctx, before, mine, "the preconditioner's update"));
  M->unusable = err != OVK_OK;
  return err;
}

/* Updates by a second setup; after a failure on any rank the old state stays on all. */
static ovk_err precond_replace(ovk_precond *M)
{
  void *state;
  const ovk_err mine = precond_call_setup(M, &state);
  const ovk_err err = ovk__agree(M->ctx, mine);
  if (err && mine) return err;
  ovk__precond_tear_down(M, err ? state : M->state);
  if (err) return err;
  M->state = state;
  return setup_take_stock(M, OVK_OK);
}

static ovk_err precond_update(ovk_precond *M)
{
  const bool factored = M->tried_to_factor;
  OVK_TRY(M->ops->update ? precond_update_in_place(M) : precond_replace(M));
  M->tried_to_factor = false;
  M->pace.updated = true;
  M->pace.compared = false;
  const ovk_err err = factored ? setup_factor(M) : OVK_OK;
  const bool none = err == OVK_ERR_INDEFINITE || err == OVK_ERR_UNSUPPORTED;
  return none ? OVK_OK : err; /* ovk_precond_factor() reports that */
}

static ovk_err setup_check_update(const ovk_precond *M)
{
  OVK_CHECK_UNUSED(M, "the preconditioner");
  return ovk__mat_check_ready(M->A);
}

ovk_err ovk_precond_update(ovk_precond *M)
{
  if (!M) return OVK_ERR_ARG;
  const double start = ovk__log_now(&M->ctx->log);
  OVK_TRY(ovk__agree(M->ctx, setup_check_update(M)));
  return setup_carry_out(M, precond_update, start);
}

ovk_err ovk__precond_put_in_order(ovk_precond *M)
{
  OVK_TRY(ovk__mat_put_in_order(M->A));
  if (M->ordered == M->A->ordered) return OVK_OK;
  return setup_carry_out(M, precond_update, ovk__log_now(&M->ctx->log));
}
