/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting up, updating and freeing a solver. */
#include "backends/open.h"
#include "core/abi_struct.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "solvers/guesses/guesses.h"
#include "solvers/many/many.h"
#include "solvers/many/messages.h"
#include "solvers/method_change.h"
#include "solvers/nullspace/nullspace.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops.h"
#include "solvers/ops/scale.h"
#include "solvers/options.h"
#include "solvers/state/state.h"
#include "solvers/values.h"

#include <stdlib.h>
#include <string.h>

static ovk_err order_check_method(const ovk_solver *S)
{
  const ovk__method *m = S->method;
  OVK_CHECK(!m->instead, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': the method '%s' depends on the partition; '%s' does not", m->name,
            m->instead);
  OVK_CHECK(!S->settings.basis_float, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': with basis=float '%s' depends on the partition; without it does not",
            m->name);
  return OVK_OK;
}

/* An application of a diagonal M has no sums. */
static ovk_err order_check_precond(const ovk_solver *S, ovk__precond_kind kind)
{
  OVK_CHECK(
      S->M->ops->any_partition || kind != OVK__M_OTHER, S->ctx, OVK_ERR_UNSUPPORTED,
      "exact = 'all': the preconditioner '%s' depends on which rank has which rows; 'none', "
      "'jacobi', 'chebyshev' and 'amg' do not, and exact = 'sums' takes any for one partition",
      ovk_precond_name(S->M));
  const bool amg = strcmp(ovk_precond_name(S->M), "amg") == 0;
  OVK_CHECK(!amg || !S->M->A->keys, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': 'amg' makes aggregates in the order of row numbers, not of keys; "
            "'jacobi' and 'chebyshev' need no row numbers");
  return OVK_OK;
}

/* Puts A and the preconditioner in order (matrix/order.c), unless they depend on the partition:
 * then OVK_ERR_UNSUPPORTED, which names a remedy. Collective; errors are agreed. */
static ovk_err order_require(ovk_solver *S)
{
  ovk__precond_kind kind;
  OVK_TRY(ovk__precond_kind_of(S->M, &kind));
  ovk_err err = S->selection.automatic ? OVK_OK : order_check_method(S);
  if (!err) err = order_check_precond(S, kind);
  OVK_TRY(ovk__agree(S->ctx, err));
  OVK_TRY(ovk__mat_put_in_order(S->A));
  return ovk__precond_put_in_order(S->M);
}

/* Whether the method supports the options; chooses its side. */
static ovk_err solver_check_method(ovk_ctx *ctx, const ovk__method *method, ovk__settings *settings,
                                   const ovk_solver_opts *opts, bool pcg)
{
  OVK_CHECK(!pcg || method->A == OVK__A_DEFINITE, ctx, OVK_ERR_ARG,
            "ovk_pcg_solve() is for conjugate gradients: ovk_solve() takes the method '%s'",
            method->name);
  OVK_CHECK(
      !opts->guesses || method->A == OVK__A_DEFINITE || method == &ovk__method_auto, ctx,
      OVK_ERR_UNSUPPORTED,
      "guesses are made in the inner product of a positive definite A: the method '%s' has none",
      method->name);
  return ovk__side_choose(ctx, method, opts->norm, settings);
}

static void solver_destroy(void *self)
{
  ovk_solver *S = self;
  ovk__method_close(S);
  ovk__many_close(S);
  ovk__guesses_destroy(S);
  ovk__messages_destroy(S);
  for (int k = 0; k < 2; k++) ovk_vec_destroy(&S->columns.vecs[k]);
  ovk__dots_destroy(&S->start);
  ovk_reduction_destroy(&S->long_sum);
  ovk__nullspace_destroy(S);
  ovk__scale_destroy(S);
  ovk__halo_destroy(&S->pair_halo);
  ovk__marks_destroy(S);
  for (int k = 0; k < 3; k++) ovk_vec_destroy(&S->check[k]);
  ovk_vec_destroy(&S->best.x);
  ovk__release(S->M);
  ovk__release(S->A);
  free(S->backend);
  free(S);
}

/* The part of creation that is not collective. */
static ovk_err solver_create_parts(ovk_ctx *ctx, ovk_mat *A, ovk_precond *M,
                                   const ovk_solver_opts *opts, bool pcg, ovk_solver **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK_HANDLE(ctx, A);
  if (M) OVK_CHECK_HANDLE(ctx, M);
  OVK_TRY(ovk__mat_check_ready(A));
  if (M) OVK_TRY(ovk__layout_check(ctx, &A->layout, "A", &M->A->layout, "the preconditioner"));
  ovk_solver *S = calloc(1, sizeof *S);
  OVK_CHECK(S, ctx, OVK_ERR_MEMORY, "no memory for a solver");
  *out = S;
  S->object = ovk__object_new(ctx, solver_destroy);
  S->A = ovk__hold(A);
  S->opts = ovk_solver_opts_default();
  if (opts) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_solver_opts, monitor_arg, opts, &S->opts));
  OVK_TRY(ovk__options_check(ctx, &S->opts));
  OVK_TRY(ovk__options_exact(S));
  OVK_TRY(ovk__nullspace_check(ctx, A, &S->opts));
  const char *name = S->opts.method ? S->opts.method : ctx->env.method;
  const ovk__method *method;
  ovk__settings settings;
  ovk_err err = ovk__method_read(ctx, name ? name : "auto", &method, &settings);
  if (!err) err = solver_check_method(ctx, method, &settings, &S->opts, pcg);
  if (err) return S->opts.method || !name ? err : ovk__env_name_variable(ctx, err, "OVK_METHOD");
  S->selection.automatic = method == &ovk__method_auto;
  if (S->selection.automatic && pcg) S->opts.spd = true;
  ovk__method_set(S, method, settings);
  return OVK_OK;
}

static ovk_err solver_setup_precond(ovk_solver *S, ovk_precond *M)
{
  if (M) {
    S->M = ovk__hold(M);
  } else {
    OVK_TRY(ovk_precond_create(S->A, "none", &S->M));
  }
  return OVK_OK;
}

/* The values of the longest reduction of an iteration; all use one backend. */
static int solver_longest_sum(const ovk_solver *S)
{
  int most = 1;
  for (int k = 0; k < OVK__MAX_SUMS; k++) {
    const int count = ovk__sum_values(&S->method->sums[k], &S->settings);
    if (count > most) most = count;
  }
  return ovk__dots_values(S, most, true);
}

static ovk_err solver_setup(ovk_solver *S, ovk_precond *M)
{
  OVK_TRY(ovk__options_compare(S, M ? "a preconditioner" : "no preconditioner"));
  OVK_TRY(solver_setup_precond(S, M));
  if (S->exact_all) OVK_TRY(order_require(S));
  OVK_TRY(ovk__backend_open(S->ctx, S->opts.backend, ovk__is_silent(S), solver_longest_sum(S),
                            &S->opened));
  OVK_TRY(ovk__dots_create(S, OVK__START_SUMS, true, &S->start));
  OVK_TRY(ovk__dots_create_long(S));
  S->backend = ovk__copy_text(ovk_reduction_spec(S->start->reduction));
  OVK_CHECK_ALL(S->backend, S->ctx, OVK_ERR_MEMORY, "no memory for a text");
  OVK_TRY(ovk__nullspace_create(S));
  OVK_TRY(ovk__guesses_create(S));
  return ovk__values_derive(S);
}

ovk_err ovk__solver_create(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, bool pcg,
                           ovk_solver **out)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, M);
  if (!ctx) return OVK_ERR_ARG;
  ovk_err err = ovk__agree(ctx, solver_create_parts(ctx, A, M, opts, pcg, out));
  ovk_solver *S = err ? NULL : *out;
  const ovk__used used = OVK_USE(S, A, M, M ? M->A : NULL);
  if (!err) err = solver_setup(S, M);
  if (err && out) ovk_solver_destroy(out);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_solver_create(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, ovk_solver **out)
{
  return ovk__solver_create(A, M, opts, false, out);
}

static ovk_err solver_update_values(ovk_solver *S, bool with_precond)
{
  if (!S) return OVK_ERR_ARG;
  const ovk_err idle = ovk__solver_check_idle(S);
  OVK_TRY(ovk__agree(S->ctx, idle ? idle : ovk__mat_check_ready(S->A)));
  const ovk__used used = OVK_USE(S, S->A);
  ovk_err err = with_precond ? ovk_precond_update(S->M) : OVK_OK;
  const ovk__used updated = OVK_USE(S->M, S->M->A);
  if (!err) err = ovk__values_derive(S);
  ovk__end_use(&updated);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_solver_update(ovk_solver *S)
{
  return solver_update_values(S, true);
}

ovk_err ovk_solver_update_matrix(ovk_solver *S)
{
  return solver_update_values(S, false);
}

void ovk_solver_destroy(ovk_solver **solver)
{
  OVK_GIVE_UP(solver);
}

const char *ovk_solver_method(const ovk_solver *solver)
{
  return solver ? solver->selection.text : "";
}

const char *ovk_solver_method_why(const ovk_solver *solver)
{
  return solver ? solver->selection.why : "";
}

const char *ovk_solver_backend(const ovk_solver *solver)
{
  return solver ? solver->backend : "";
}
