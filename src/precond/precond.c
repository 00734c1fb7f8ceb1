/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the preconditioners: finds one by its spec and checks its arguments. */
#include "core/abi_struct.h"
#include "core/context/agree.h"
#include "core/registry.h"
#include "matrix/vector/vec_impl.h"
#include "precond/precond_impl.h"
#include "precond/precond_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVK_DECLARE_PRECOND(ops) extern const ovk_precond_ops ops;
OVK_PRECOND_LIST(OVK_DECLARE_PRECOND)
#undef OVK_DECLARE_PRECOND

static const void *const preconds[] = {
#define OVK_PRECOND_ENTRY(ops) &ops,
    OVK_PRECOND_LIST(OVK_PRECOND_ENTRY)
#undef OVK_PRECOND_ENTRY
};

static ovk_choice precond_choice(const void *ops)
{
  const ovk_precond_ops *p = ops;
  return (ovk_choice){.name = p->name,
                      .summary = p->summary,
                      .keys = p->keys,
                      .aliases = p->aliases,
                      .columns = p->apply_many != NULL};
}

#define OVK_HYPRE "of libovkhypre: link that library and call ovk_hypre_register(ctx) first"
static const char *const absent[][2] = {
    {"boomeramg", "it is a preconditioner " OVK_HYPRE},
    {NULL},
};
#undef OVK_HYPRE

static const ovk__kind kind = {.name = "preconditioner",
                               .builtins = preconds,
                               .nbuiltins = sizeof preconds / sizeof *preconds,
                               .choice = precond_choice,
                               .size = sizeof(ovk_precond_ops),
                               .absent = absent};

bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

/* *own <- a user's table, checked */
static ovk_err precond_take_ops(ovk_ctx *ctx, const ovk_precond_ops *ops, ovk_precond_ops *own)
{
  *own = (ovk_precond_ops){0};
  if (ops) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_precond_ops, inverse_diagonal, ops, own));
  OVK_CHECK(own->apply, ctx, OVK_ERR_ARG, "a preconditioner needs an apply function");
  const int factors =
      (own->factor != NULL) + (own->apply_left != NULL) + (own->apply_right != NULL);
  OVK_CHECK(factors == 0 || factors == 3, ctx, OVK_ERR_ARG,
            "a preconditioner needs factor, apply_left and apply_right together, or none of them");
  OVK_CHECK(factors || !own->apply_split, ctx, OVK_ERR_ARG,
            "a preconditioner with apply_split needs factors");
  return OVK_OK;
}

ovk_err ovk_precond_register(ovk_ctx *ctx, const ovk_precond_ops *ops, void *user)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk_precond_ops own;
  OVK_TRY(precond_take_ops(ctx, ops, &own));
  return ovk__registry_add(ctx, &kind, &own, user);
}

static void tear_down(const ovk_precond *M, void *state)
{
  if (M->ops->setup && M->ops->destroy) M->ops->destroy(state);
}

static void precond_free(void *self)
{
  ovk_precond *M = self;
  if (M->set_up) tear_down(M, M->state);
  ovk_spec_destroy(&M->spec);
  ovk__release(M->A);
  free(M->column);
  free(M);
}

/* *out <- one without a spec and functions */
static ovk_err precond_make(ovk_mat *A, ovk_precond **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_TRY(ovk__mat_check_ready(A));
  ovk_precond *M = calloc(1, sizeof *M);
  OVK_CHECK(M, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  *M = (ovk_precond){.object = ovk__object_new(ctx, precond_free), .A = ovk__hold(A)};
  *out = M;
  return OVK_OK;
}

static ovk_err make_of_spec(ovk_mat *A, const char *text, ovk_precond **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY(precond_make(A, out));
  OVK_CHECK(text, ctx, OVK_ERR_ARG, "spec is NULL");
  const void *ops;
  OVK_TRY(ovk__registry_parse(ctx, &kind, text, &(*out)->spec, &ops, &(*out)->user));
  (*out)->ops = ops;
  return OVK_OK;
}

static ovk_err make_of_ops(ovk_mat *A, const ovk_precond_ops *ops, void *user, ovk_precond **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY(precond_make(A, out));
  ovk_precond *M = *out;
  OVK_TRY(precond_take_ops(ctx, ops, &M->own_ops));
  OVK_CHECK(M->own_ops.name && M->own_ops.name[0], ctx, OVK_ERR_ARG,
            "a preconditioner needs a name");
  M->ops = &M->own_ops;
  M->user = user;
  return ovk_spec_parse(ctx, M->ops->name, &M->spec);
}

/* *state <- that of a preconditioner that is set up again. */
static ovk_err precond_set_up(const ovk_precond *M, void **state)
{
  *state = M->user;
  if (!M->ops->setup) return OVK_OK;
  const unsigned before = M->ctx->message_count;
  const ovk_err err = M->ops->setup(M->A, M->spec, M->user, state);
  return ovk__user_failed(M->ctx, before, err, "the preconditioner's setup");
}

/* The text of this rank; `get` may be NULL. */
static const char *precond_text(const ovk_precond *M, const char *(*get)(void *state))
{
  const char *text = get ? get(M->state) : NULL;
  return text ? text : "";
}

/* shared <- the text of the lowest rank that has one */
static ovk_err share_text(const ovk_precond *M, const char *(*get)(void *state),
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
  if (sums[INFOS]) OVK_TRY(ovk__agree(M->ctx, share_text(M, ops->info, M->info)));
  if (sums[WARNINGS]) OVK_TRY(ovk__agree(M->ctx, share_text(M, ops->warning, warning)));
  return OVK_OK;
}

/* Agrees on the error of a setup, and takes note of its result. */
static ovk_err take_stock(ovk_precond *M, ovk_err mine)
{
  char warning[OVK__PRECOND_INFO];
  M->ordered = M->A->ordered;
  OVK_TRY(precond_add_up(M, mine, warning));
  M->resets = M->A->resets;
  memset(M->ready, 0, sizeof M->ready);
  if (warning[0]) ovk__notify(M->ctx, "preconditioner '%s': %s", M->ops->name, warning);
  return OVK_OK;
}

static ovk_err set_up_first(ovk_precond *M)
{
  OVK_TRY(ovk__agree_same(M->ctx, "preconditioners", ovk_spec_text(M->spec)));
  const ovk_err err = precond_set_up(M, &M->state);
  M->set_up = !err;
  return take_stock(M, err);
}

/* Runs the setup of M, logs its time and returns its result. */
static ovk_err carry_out(ovk_precond *M, ovk_err (*set)(ovk_precond *M), double start)
{
  const ovk__used used = OVK_USE(M, M->A);
  const ovk_err err = set(M);
  ovk__log_add(&M->ctx->log, OVK_EVENT_PRECOND_SETUP, start);
  ovk__end_use(&used);
  return err;
}

/* The rest of creating one, after this rank has made it, or failed to. */
static ovk_err precond_finish(ovk_ctx *ctx, ovk_err made, double start, ovk_precond **out)
{
  ovk_err err = ovk__agree(ctx, made);
  if (!err) err = carry_out(*out, set_up_first, start);
  if (err && out) ovk_precond_destroy(out);
  return err;
}

ovk_err ovk_precond_create(ovk_mat *A, const char *spec, ovk_precond **out)
{
  if (!A) return OVK_ERR_ARG;
  const double start = ovk__log_now(&A->ctx->log);
  return precond_finish(ovk_mat_ctx(A), make_of_spec(A, spec, out), start, out);
}

ovk_err ovk_precond_create_from_ops(ovk_mat *A, const ovk_precond_ops *ops, void *user,
                                    ovk_precond **out)
{
  if (!A) return OVK_ERR_ARG;
  const double start = ovk__log_now(&A->ctx->log);
  return precond_finish(ovk_mat_ctx(A), make_of_ops(A, ops, user, out), start, out);
}

void ovk_precond_destroy(ovk_precond **M)
{
  if (!M) return;
  ovk_precond *given = *M;
  *M = NULL;
  ovk__release(given);
}

const char *ovk_precond_name(const ovk_precond *M)
{
  return M ? M->ops->name : "";
}

int64_t ovk_precond_bytes(const ovk_precond *M)
{
  return M ? M->bytes : 0;
}

const char *ovk_precond_info(const ovk_precond *M)
{
  return M ? M->info : "";
}

void ovk_precond_view(const ovk_precond *M, void *file)
{
  if (M && M->set_up && M->ops->view && file) M->ops->view(M->state, file);
}

static ovk_err precond_factor(ovk_precond *M)
{
  OVK_CHECK(M->ops->factor, M->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner '%s' has no factors M = L L^T", M->ops->name);
  const unsigned before = M->ctx->message_count;
  const ovk_err err = M->ops->factor(M->state);
  return ovk__user_failed(M->ctx, before, err, "the preconditioner's factor");
}

/* Factorizes M, and keeps the result. */
static ovk_err factor_first(ovk_precond *M)
{
  char warning[OVK__PRECOND_INFO];
  M->tried_to_factor = true;
  M->factor_err = precond_add_up(M, precond_factor(M), warning);
  snprintf(M->factor_why, sizeof M->factor_why, "%s", M->factor_err ? M->ctx->message : "");
  return M->factor_err;
}

ovk_err ovk_precond_factor(ovk_precond *M)
{
  if (!M) return OVK_ERR_ARG;
  if (!M->tried_to_factor) return carry_out(M, factor_first, ovk__log_now(&M->ctx->log));
  if (M->factor_err) ovk__set_message(M->ctx, "%s", M->factor_why);
  return M->factor_err;
}

/* Updates by the preconditioner's own function. */
static ovk_err precond_update_in_place(ovk_precond *M)
{
  const unsigned before = M->ctx->message_count;
  const ovk_err mine = M->ops->update(M->A, M->state);
  const ovk_err err =
      take_stock(M, ovk__user_failed(M->ctx, before, mine, "the preconditioner's update"));
  M->unusable = err != OVK_OK;
  return err;
}

/* Updates by a second setup; after a failure on any rank the old state stays on all. */
static ovk_err precond_replace(ovk_precond *M)
{
  void *state;
  const ovk_err mine = precond_set_up(M, &state);
  const ovk_err err = ovk__agree(M->ctx, mine);
  if (err && mine) return err;
  tear_down(M, err ? state : M->state);
  if (err) return err;
  M->state = state;
  return take_stock(M, OVK_OK);
}

static ovk_err precond_update(ovk_precond *M)
{
  const bool factored = M->tried_to_factor;
  OVK_TRY(M->ops->update ? precond_update_in_place(M) : precond_replace(M));
  M->tried_to_factor = false;
  M->pace.updated = true;
  M->pace.compared = false;
  const ovk_err err = factored ? factor_first(M) : OVK_OK;
  const bool none = err == OVK_ERR_INDEFINITE || err == OVK_ERR_UNSUPPORTED;
  return none ? OVK_OK : err; /* ovk_precond_factor() reports that */
}

static ovk_err check_update(const ovk_precond *M)
{
  OVK_CHECK_UNUSED(M, "the preconditioner");
  return ovk__mat_check_ready(M->A);
}

ovk_err ovk_precond_update(ovk_precond *M)
{
  if (!M) return OVK_ERR_ARG;
  const double start = ovk__log_now(&M->ctx->log);
  OVK_TRY(ovk__agree(M->ctx, check_update(M)));
  return carry_out(M, precond_update, start);
}

ovk_err ovk__precond_put_in_order(ovk_precond *M)
{
  OVK_TRY(ovk__mat_put_in_order(M->A));
  if (M->ordered == M->A->ordered) return OVK_OK;
  return carry_out(M, precond_update, ovk__log_now(&M->ctx->log));
}

ovk_err ovk__precond_check_ready(const ovk_precond *M)
{
  OVK_CHECK(!M->unusable, M->ctx, OVK_ERR_STATE,
            "the last update of preconditioner '%s' failed: it cannot be used", M->ops->name);
  return OVK_OK;
}
