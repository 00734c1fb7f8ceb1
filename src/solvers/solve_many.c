/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with several right-hand sides: blocks of columns together where the method has a form for
 * that, and columns one by one. */
#include "core/abi_struct.h"
#include "core/context/agree.h"
#include "solvers/convergence/advice.h"
#include "solvers/convergence/pace.h"
#include "solvers/convergence/result.h"
#include "solvers/guesses/guesses.h"
#include "solvers/many/columns.h"
#include "solvers/many/many.h"
#include "solvers/many/messages.h"
#include "solvers/solve.h"

/* The arguments of one solve with several right-hand sides. */
typedef struct many_call {
  ovk_solver *S;
  const ovk_multivec *b;
  ovk_multivec *x;
  ovk_result *results; /* the caller's; NULL: not wanted */
  size_t size;         /* of one of them */
  bool monitored;      /* a rank has a monitor: others need not have one */
} many_call;

static ovk_err many_check(ovk_ctx *ctx, const ovk_solver *solver, const ovk_multivec *B,
                          const ovk_multivec *X)
{
  OVK_CHECK_HANDLE(ctx, solver);
  OVK_TRY(ovk__solver_check_idle(solver));
  OVK_CHECK_HANDLE(ctx, B);
  OVK_CHECK_HANDLE(ctx, X);
  OVK_TRY(ovk__precond_check_ready(solver->M));
  OVK_TRY(ovk__mat_check_ready(solver->A));
  return ovk__multivec_check_pair(ctx, &solver->A->layout, B, "B", X, "X");
}

static void many_give_result(const many_call *call, int column, const ovk_result *own)
{
  if (!call->results) return;
  OVK_GIVE_SIZED(ovk_result, seconds, own, (char *)call->results + (size_t)column * call->size);
}

/* A solver without exact parts of sums, monitor, null spaces and scaled numbers may have columns
 * together. */
static const ovk__many_form *many_form_of(const many_call *call)
{
  const ovk_solver *S = call->S;
  if (S->exact_all || call->monitored || S->opts.true_residual_every || S->null.count ||
      S->left_null.count || S->scale.A || S->scale.M || S->values.no_factors ||
      S->A->state == OVK__MAT_SHELL) {
    return NULL;
  }
  return ovk__many_form_of(S);
}

/* S->columns.vecs <- b and x of a column. Collective. */
static ovk_err many_copy(const many_call *call, int column)
{
  ovk_solver *S = call->S;
  for (int k = 0; k < 2; k++) {
    if (!S->columns.vecs[k]) OVK_TRY(ovk_mat_create_vec(S->A, &S->columns.vecs[k]));
  }
  ovk_vec *b = S->columns.vecs[0], *x = S->columns.vecs[1];
  const ovk_lidx n = S->A->layout.local;
  const ovk__strided from = ovk__many_column(call->b, column),
                     to = ovk__many_column(call->x, column);
  for (int64_t i = 0; i < n; i++) {
    b->array[i] = from.first[i * from.step];
    x->array[i] = to.first[i * to.step];
  }
  return OVK_OK;
}

static void many_copy_back(const many_call *call, int column, const ovk_vec *x)
{
  const ovk__strided to = ovk__many_column(call->x, column);
  for (int64_t i = 0; i < call->S->A->layout.local; i++) to.first[i * to.step] = x->array[i];
}

/* Solves for one column, from its x. `before`: the iterations that have led to that x, or NULL. */
static ovk_err many_solve_alone(const many_call *call, int column, const ovk_result *before)
{
  ovk_solver *S = call->S;
  ovk_result own = OVK_RESULT;
  const int maxit = S->opts.maxit;
  OVK_TRY(many_copy(call, column));
  ovk_vec *b = S->columns.vecs[0], *x = S->columns.vecs[1];
  bool x_is_zero = ovk__solve_is_zero(x);
  OVK_TRY(ovk__agree_flag(S->ctx, OVK_OK, &x_is_zero));
  if (before) S->opts.maxit = maxit - before->iterations;
  S->columns.watched = column;
  const ovk_err err = ovk__solve_checked(S, b, x, x_is_zero, &own);
  S->columns.watched = 0;
  S->opts.maxit = maxit;
  many_copy_back(call, column, x);
  if (before) {
    own.iterations += before->iterations;
    own.restarts += before->restarts;
    own.replacements += before->replacements;
    own.fingerprint = 31 * own.fingerprint + before->fingerprint;
  }
  many_give_result(call, column, &own);
  OVK_TRY(err);
  return ovk__agree(S->ctx, own.reason < 0 ? ovk__messages_keep(S, column, S->message) : OVK_OK);
}

/* Improves the initial guesses of a block from the last solutions, if there are any. */
static ovk_err many_guess(const many_call *call, int first, int n, bool *x_is_zero)
{
  ovk_solver *S = call->S;
  const bool all_zero = *x_is_zero;
  for (int c = first; S->guesses && c < first + n; c++) {
    bool zero = all_zero;
    OVK_TRY(many_copy(call, c));
    OVK_TRY(ovk__guesses_start(S, S->columns.vecs[0], S->columns.vecs[1], &zero));
    many_copy_back(call, c, S->columns.vecs[1]);
    *x_is_zero = *x_is_zero && zero;
  }
  return OVK_OK;
}

static ovk_err many_keep(const many_call *call, int column, const ovk_result *own)
{
  ovk_solver *S = call->S;
  if (!S->guesses || own->reason <= 0) return OVK_OK;
  OVK_TRY(many_copy(call, column));
  return ovk__guesses_keep(S, S->columns.vecs[0], S->columns.vecs[1]);
}

/* A column whose end is confirmed. */
static ovk_err many_report(const many_call *call, ovk__column *column, const ovk_result *own)
{
  ovk_solver *S = call->S, *solve = &column->solve;
  if (own->reason < 0) {
    if (ovk__advice_is_worth_spmvs(solve)) OVK_TRY(many_copy(call, column->index));
    solve->b = S->columns.vecs[0];
    solve->x = S->columns.vecs[1];
    ovk__advise(solve);
    S->values.traits = solve->values.traits;
  }
  ovk__pace_compare(solve);
  OVK_TRY(many_keep(call, column->index, own));
  many_give_result(call, column->index, own);
  return ovk__agree(S->ctx, own->reason < 0 ? ovk__messages_keep(S, column->index, solve->message)
                                            : OVK_OK);
}

/* The share of one column in the seconds of n. */
static ovk_seconds many_share(ovk_seconds all, int n)
{
  return (ovk_seconds){all.solve / n,         all.mult / n,   all.halo_wait / n,
                       all.precond / n,       all.vector / n, all.reduction_begin / n,
                       all.reduction_wait / n};
}

/* The columns of a block that has ended; those by themselves last, as they may change S. */
static ovk_err many_end_block(const many_call *call, ovk__many *B, const ovk_seconds *seconds)
{
  ovk_result own[OVK__WIDEST];
  const int n = B->n;
  ovk__column_end end[OVK__WIDEST];
  const int first = B->columns[0].index;
  for (int c = 0; c < n; c++) {
    ovk__column *column = &B->columns[c];
    end[c] = column->end;
    own[c] = ovk__result_of(&column->solve);
    own[c].reductions_per_iteration = B->form->reductions_per_iteration;
    own[c].vectors = B->size.vectors;
    own[c].seconds = many_share(*seconds, n);
    if (end[c] == OVK__COLUMN_ENDED) OVK_TRY(many_report(call, column, &own[c]));
  }
  for (int c = 0; c < n; c++) {
    if (end[c] == OVK__COLUMN_ENDED) continue;
    OVK_TRY(many_solve_alone(call, first + c, end[c] == OVK__COLUMN_CONTINUES ? &own[c] : NULL));
  }
  return OVK_OK;
}

static ovk_err many_solve_block(const many_call *call, const ovk__many_form *form, int first, int n,
                                bool x_is_zero)
{
  ovk_solver *S = call->S;
  const ovk_seconds since = ovk__result_clocks(S->ctx);
  const double start = ovk__log_now(&S->ctx->log);
  OVK_TRY(many_guess(call, first, n, &x_is_zero));
  OVK_TRY(ovk__many_open(S, form, n));
  ovk__many *B = S->columns.block;
  OVK_TRY(ovk__many_load(B, call->b, call->x, first, n, x_is_zero));
  OVK_TRY(form->iterate(B));
  OVK_TRY(ovk__many_finish(B));
  ovk__log_add(&S->ctx->log, OVK_EVENT_SOLVE, start);
  const ovk_seconds seconds = ovk__result_elapsed(S->ctx, &since);
  return many_end_block(call, B, &seconds);
}

/* "auto" may choose another method between two blocks. */
static ovk_err many_solve(const many_call *call, bool x_is_zero)
{
  ovk_solver *S = call->S;
  OVK_TRY(ovk__messages_begin(S, call->b->columns));
  for (int first = 0, n; first < call->b->columns; first += n) {
    const ovk__many_form *form = many_form_of(call);
    n = call->b->columns - first;
    if (n > OVK__WIDEST) n = OVK__WIDEST;
    if (n == 1 || !form) n = 1, form = NULL;
    OVK_TRY(form ? many_solve_block(call, form, first, n, x_is_zero)
                 : many_solve_alone(call, first, NULL));
  }
  return OVK_OK;
}

ovk_err ovk_solver_solve_many(ovk_solver *S, const ovk_multivec *B, ovk_multivec *X,
                              ovk_result *results)
{
  ovk_ctx *ctx = OVK_ANY_CTX(S, B, X);
  if (!ctx) return OVK_ERR_ARG;
  const ovk_err mine = many_check(ctx, S, B, X);
  bool x_is_zero = !mine && ovk__many_is_zero(X), unmonitored = !mine && !S->opts.monitor;
  OVK_TRY(ovk__agree_flag(ctx, mine, &x_is_zero));
  OVK_TRY(ovk__agree_flag(ctx, OVK_OK, &unmonitored));
  const many_call call = {
      S, B, X, results, results && results->size ? results->size : sizeof *results, !unmonitored};
  ovk_result none = OVK_RESULT;
  ovk__result_forget_end(&none);
  for (int j = 0; j < B->columns; j++) many_give_result(&call, j, &none);
  const ovk__used used = OVK_USE(S, S->A, S->M, S->M->A, B, X);
  const ovk_err err = many_solve(&call, x_is_zero);
  if (!err) ovk__messages_report(S);
  ovk__end_use(&used);
  return err;
}
