/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a solver: defaults, checks, and changes between solves. */
#include "solvers/options.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/exact/exact.h"
#include "solvers/guesses/guesses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ovk_solver_opts ovk_solver_opts_default(void)
{
  return (ovk_solver_opts)OVK_SOLVER_OPTS;
}

ovk_err ovk__options_check(ovk_ctx *ctx, const ovk_solver_opts *o)
{
  OVK_CHECK(o->dtol != 0, ctx, OVK_ERR_ARG,
            "options are not initialized (dtol = 0): start from OVK_SOLVER_OPTS or "
            "ovk_solver_opts_default()");
  OVK_CHECK(o->rtol >= 0 && o->rtol < 1, ctx, OVK_ERR_ARG, "rtol = %g: must be >= 0 and < 1",
            o->rtol);
  OVK_CHECK(o->atol >= 0 && isfinite(o->atol), ctx, OVK_ERR_ARG,
            "atol = %g: must be >= 0 and finite", o->atol);
  OVK_CHECK(o->dtol > 1, ctx, OVK_ERR_ARG, "dtol = %g: must be > 1", o->dtol);
  OVK_CHECK(o->maxit >= 0, ctx, OVK_ERR_ARG, "maxit = %d: must be >= 0", o->maxit);
  OVK_CHECK(o->poll_rows >= 0, ctx, OVK_ERR_ARG,
            "poll_rows = %d: must be >= 1, or 0 for the default", o->poll_rows);
  OVK_CHECK(o->true_residual_every >= 0, ctx, OVK_ERR_ARG,
            "true_residual_every = %d: must be >= 1, or 0 for never", o->true_residual_every);
  OVK_CHECK(o->norm >= OVK_NORM_UNPRECONDITIONED && o->norm <= OVK_NORM_NATURAL, ctx, OVK_ERR_ARG,
            "norm = %d: must be one of OVK_NORM_...", (int)o->norm);
  OVK_CHECK(o->guesses >= 0 && o->guesses <= OVK__MOST_GUESSES, ctx, OVK_ERR_ARG,
            "guesses = %d: must be 0 to %d", o->guesses, OVK__MOST_GUESSES);
  return OVK_OK;
}

static ovk_err options_read_exact(ovk_solver *S, const char *text)
{
  const int most = OVK__EXACT_MOST_PARTS / 2;
  S->exact_all = text && strcmp(text, "all") == 0;
  S->exact = S->exact_all || (text && strcmp(text, "sums") == 0);
  OVK_CHECK(S->exact || !text || strcmp(text, "off") == 0, S->ctx, OVK_ERR_ARG,
            "exact = '%s': must be 'off', 'sums' or 'all'", text);
  OVK_CHECK(!S->exact || S->ctx->size <= most, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = '%s' is for at most %d ranks, not %d", text, most, S->ctx->size);
  return OVK_OK;
}

ovk_err ovk__options_exact(ovk_solver *S)
{
  if (S->opts.exact) return options_read_exact(S, S->opts.exact);
  const ovk_err err = options_read_exact(S, S->ctx->env.exact);
  return ovk__env_name_variable(S->ctx, err, "OVK_EXACT");
}

/* Prints x in 15 digits, or in 17 if 15 do not give back x. */
enum { NUMBER = 32 };
static void options_print_number(double x, char text[NUMBER])
{
  snprintf(text, NUMBER, "%.15g", x);
  if (strtod(text, NULL) != x) snprintf(text, NUMBER, "%.17g", x);
}

/* A hash of all that options_report() prints. */
static uint64_t options_hash(const ovk_solver *S, const char *others)
{
  const ovk_solver_opts *o = &S->opts;
  const double reals[] = {o->rtol, o->atol, o->dtol};
  const int integers[] = {
      o->maxit,      o->true_residual_every,  (int)o->norm,       o->null_constant,
      o->null_count, o->left_null_constant,   o->left_null_count, o->spd,
      o->symmetric,  S->exact + S->exact_all, o->guesses};
  uint64_t hash = ovk__mix(ovk__hash_text(S->selection.text) + ovk__hash_text(others));
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
    uint64_t bits;
    memcpy(&bits, &reals[k], sizeof bits);
    hash = ovk__mix(hash + bits);
  }
  for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
    hash = ovk__mix(hash + (uint64_t)integers[k]);
  }
  return hash;
}

/* An error that has the options that differ. */
static ovk_err options_report(const ovk_solver *S, const char *others)
{
  const ovk_solver_opts *o = &S->opts;
  char text[380], rtol[NUMBER], atol[NUMBER], dtol[NUMBER];
  options_print_number(o->rtol, rtol);
  options_print_number(o->atol, atol);
  options_print_number(o->dtol, dtol);
  snprintf(text, sizeof text,
           "method %s\nrtol %s\natol %s\ndtol %s\nmaxit %d\ntrue_residual_every %d\nnorm %d\nnull "
           "space %d + %d\nleft null space %d + %d\nspd %d\nsymmetric %d\nexact %d\nguesses %d\n%s",
           S->selection.text, rtol, atol, dtol, o->maxit, o->true_residual_every, (int)o->norm,
           o->null_constant, o->null_count, o->left_null_constant, o->left_null_count, o->spd,
           o->symmetric, S->exact + S->exact_all, o->guesses, others);
  return ovk__agree_same(S->ctx, "solver options", text);
}

/* Texts are made only if they differ, as they take longer than a small solve. */
ovk_err ovk__options_compare(const ovk_solver *S, const char *others)
{
  bool same;
  OVK_TRY(ovk__agree_hash(S->ctx, options_hash(S, others), &same));
  return same ? OVK_OK : options_report(S, others);
}

ovk_err ovk__options_make_vectors(ovk_solver *S)
{
  const bool true_residual = S->opts.true_residual_every > 0;
  const bool norm = S->opts.norm != OVK_NORM_UNPRECONDITIONED;
  const bool needed[3] = {true_residual, true_residual, norm};
  for (int k = 0; k < 3; k++) {
    if (!needed[k] || S->check[k]) continue;
    OVK_TRY(ovk__vecs_create(S->ctx, &S->A->layout, 1, false, &S->check[k]));
    S->check[k]->ordered = S->A->ordered;
  }
  return OVK_OK;
}

/* Takes the options over if all ranks have the same valid ones; keeps the old ones otherwise. */
static ovk_err options_change(ovk_solver *S, const ovk_solver_opts *opts, const char *function)
{
  const ovk_solver_opts old = S->opts;
  const ovk_err idle = ovk__solver_check_idle(S);
  OVK_TRY(ovk__agree_in(function, S->ctx, idle ? idle : ovk__options_check(S->ctx, opts)));
  S->opts = *opts;
  ovk_err err = ovk__options_compare(S, "");
  if (!err) err = ovk__options_make_vectors(S);
  if (err) S->opts = old;
  return err;
}

ovk_err ovk_solver_set_tolerances(ovk_solver *S, double rtol, double atol, double dtol, int maxit)
{
  if (!S) return OVK_ERR_ARG;
  ovk_solver_opts opts = S->opts;
  opts.rtol = rtol;
  opts.atol = atol;
  opts.dtol = dtol;
  opts.maxit = maxit;
  return options_change(S, &opts, __func__);
}

ovk_err ovk_solver_set_monitor(ovk_solver *S, ovk_monitor_fn monitor, void *arg,
                               int true_residual_every)
{
  if (!S) return OVK_ERR_ARG;
  ovk_solver_opts opts = S->opts;
  opts.monitor = monitor;
  opts.monitor_arg = arg;
  opts.true_residual_every = true_residual_every;
  return options_change(S, &opts, __func__);
}
