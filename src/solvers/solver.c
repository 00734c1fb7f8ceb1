/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting up and freeing a solver: the method, its reductions and its work vectors. */
#include "backends/open.h"
#include "base/mem.h"
#include "base/memory_limit.h"
#include "base/sized.h"
#include "precond/spectrum.h"
#include "solvers/auto/choice.h"
#include "solvers/auto/matrix_class.h"
#include "solvers/nullspace.h"
#include "solvers/options.h"
#include "solvers/state/projection.h"
#include "solvers/state/state.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

const char *ovk_reason_text(ovk_reason reason)
{
  switch (reason) {
#define OVK_REASON_TEXT(name, value, text)                                                         \
  case name:                                                                                       \
    return text;
    OVK_REASON_LIST(OVK_REASON_TEXT)
#undef OVK_REASON_TEXT
  }
  return "unknown";
}

static void take_method(ovk_solver *S, const ovk__method *method, ovk__settings settings)
{
  S->method = S->active = method;
  S->settings = settings;
  S->vectors = method->vectors + settings.depth * method->vectors_per_depth +
               ovk__basis_vectors(&settings) * method->vectors_per_restart;
  ovk__method_spec(method, &settings, S->method_text);
}

/* Whether the method does what the options ask for; chooses its side. */
static ovk_err check_method(ovk_ctx *ctx, const ovk__method *method, ovk__settings *settings,
                            ovk_norm norm, bool pcg)
{
  OVK_CHECK(!pcg || method->A == OVK__A_DEFINITE, ctx, OVK_ERR_ARG,
            "ovk_pcg_solve() is for conjugate gradients: ovk_solve() takes the method '%s'",
            method->name);
  return ovk__side_choose(ctx, method, norm, settings);
}

/* Frees what belongs to the method. */
static void leave_method(ovk_solver *S)
{
  for (int k = 0; k < 2 * OVK__MAX_SUMS; k++) {
    ovk_reduction_destroy(&S->all_sums[k / OVK__MAX_SUMS][k % OVK__MAX_SUMS]);
  }
  if (S->method && S->method->close) S->method->close(S);
  S->own = NULL;
  for (int k = 0; S->work && k < S->vectors; k++) ovk_vec_destroy(&S->work[k]);
  free(S->work);
  S->work = NULL;
}

static void destroy(void *self)
{
  ovk_solver *S = self;
  leave_method(S);
  ovk_reduction_destroy(&S->start);
  ovk__nullspace_destroy(S);
  ovk__halo_destroy(&S->pair_halo);
  for (int k = 0; k < 3; k++) ovk_vec_destroy(&S->check[k]);
  ovk__release(S->M);
  ovk__release(S->A);
  free(S->backend);
  free(S);
}

/* The part of creation that is not collective. */
static ovk_err make(ovk_ctx *ctx, const ovk_mat *A, const ovk_precond *M, const ovk_pcg_opts *opts,
                    bool pcg, ovk_solver **out)
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
  S->object = ovk__object_new(ctx, destroy);
  S->A = ovk__hold(A);
  S->opts = ovk_pcg_opts_default();
  if (opts) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_pcg_opts, monitor_arg, opts, &S->opts));
  OVK_TRY(ovk__options_check(ctx, &S->opts));
  OVK_TRY(ovk__nullspace_check(ctx, A, &S->opts));
  const char *name = S->opts.method ? S->opts.method : ctx->env.method;
  const ovk__method *method;
  ovk__settings settings;
  ovk_err err = ovk__method_read(ctx, name ? name : "auto", &method, &settings);
  if (!err) err = check_method(ctx, method, &settings, S->opts.norm, pcg);
  if (err) return S->opts.method || !name ? err : ovk__env_name_variable(ctx, err, "OVK_METHOD");
  S->opts.spd = S->opts.spd || pcg;
  take_method(S, method, settings);
  return OVK_OK;
}

static ovk_err set_up_precond(ovk_solver *S, ovk_precond *M)
{
  if (M) {
    S->M = ovk__hold(M);
  } else {
    OVK_TRY(ovk_precond_create(S->A, "none", &S->M));
  }
  return ovk__precond_kind_of(S->M, &S->C);
}

static ovk_err set_up_factors(ovk_solver *S)
{
  if (!S->method->needs_factors) return OVK_OK;
  const ovk_err err = ovk_precond_factor(S->M);
  if (err == OVK_ERR_UNSUPPORTED && !S->M->ops->factor) {
    return OVK_FAIL(S->ctx, err,
                    "method '%s' needs a preconditioner with factors C = L L^T: '%s' has none",
                    S->method->name, ovk_precond_name(S->M));
  }
  if (err != OVK_ERR_INDEFINITE) return err;
  S->no_factors =
      true; /* a numerical property: reported as the reason of a solve, not as an error */
  snprintf(S->no_factors_why, sizeof S->no_factors_why, "%s", S->ctx->message);
  return OVK_OK;
}

static ovk_err create_sums(ovk_solver *S, const ovk__method *method, ovk_reduction **sums)
{
  for (int k = 0; k < OVK__MAX_SUMS; k++) {
    const ovk__sum_shape shape = method->sums[k];
    const int values = ovk__sum_values(&shape, &S->settings);
    const int others = ovk__projection_values(S, &shape) + shape.status;
    if (!values || shape.depth > S->settings.depth) continue;
    OVK_TRY(ovk__reduction_create(S->ctx, &S->opened, values + others, &sums[k]));
  }
  return OVK_OK;
}

static ovk_err set_up_sums(ovk_solver *S)
{
  ovk_ctx *ctx = S->ctx;
  const ovk__method *fallback = S->method->fallback;
  OVK_TRY(create_sums(S, S->method, S->all_sums[0]));
  if (fallback) OVK_TRY(create_sums(S, fallback, S->all_sums[1]));
  OVK_TRY(ovk__reduction_create(ctx, &S->opened, 5, &S->start));
  S->backend = ovk__copy_text(ovk_reduction_spec(S->start));
  OVK_CHECK_ALL(S->backend, ctx, OVK_ERR_MEMORY, "no memory for a text");
  return OVK_OK;
}

static ovk_err set_up_vectors(ovk_solver *S)
{
  char what[64];
  const double each = (double)S->vectors * sizeof(double);
  snprintf(what, sizeof what, "%d work vectors of %lld rows", S->vectors,
           (long long)ovk_mat_size(S->A));
  OVK_TRY(ovk__memory_check(S->ctx, what, each * ovk_mat_local_size(S->A),
                            each * (double)ovk_mat_size(S->A)));
  S->work = calloc((size_t)S->vectors, sizeof *S->work);
  OVK_CHECK_ALL(S->work, S->ctx, OVK_ERR_MEMORY, "no memory for %d vectors", S->vectors);
  for (int k = 0; k < S->vectors; k++) OVK_TRY(ovk_mat_create_vec(S->A, &S->work[k]));
  if (S->method->open) OVK_TRY(ovk__agree(S->ctx, S->method->open(S)));
  return ovk__options_make_vectors(S);
}

/* Replaces "auto" by the method chosen in a trial. */
static ovk_err choose_method(ovk_solver *S)
{
  ovk__costs costs;
  ovk__candidate best;
  int n;
  const ovk__method *const *methods = ovk__methods(&n);
  OVK_TRY(ovk__trial(S, &costs));
  if (!S->opts.spd) OVK_TRY(ovk__matrix_class_of(S, &costs.A, &costs.class_why));
  for (;; costs.no_factors = true) {
    best = ovk__choose(S, methods, n, &costs);
    OVK_TRY(ovk__choice_agree(S, best));
    /* a kind with factors may have none for this spec */
    if (!best.method->needs_factors || ovk_precond_factor(S->M) != OVK_ERR_UNSUPPORTED) break;
  }
  ovk__settings settings = {.depth = best.depth};
  OVK_TRY(check_method(S->ctx, best.method, &settings, S->opts.norm, false));
  take_method(S, best.method, settings);
  S->class_guessed = !S->opts.spd && costs.A == OVK__A_DEFINITE;
  return OVK_OK;
}

ovk_err ovk__solver_reconsider(ovk_solver *S, bool *changed)
{
  *changed = false;
  if (!S->class_guessed) return OVK_OK;
  OVK_TRY(ovk__precond_is_positive(S, changed));
  if (!*changed) return OVK_OK;
  S->class_guessed = false;
  S->unusable = true;
  leave_method(S);
  take_method(S, &ovk__minres, (ovk__settings){0});
  S->sums = S->all_sums[0];
  snprintf(S->method_why, sizeof S->method_why,
           "minres, as A has turned out not to be positive definite");
  OVK_TRY(create_sums(S, S->method, S->all_sums[0]));
  OVK_TRY(set_up_vectors(S));
  S->unusable = false;
  return OVK_OK;
}

/* A Ritz value below this fraction of the largest is 0 but for rounding. */
static const double ZERO = OVK__SPECTRUM_STEPS * DBL_EPSILON;

/* The ends of the spectrum, for all solves. If A or C fails or is not positive definite they stay
 * unknown: a solve finds that again and reports it in more detail. */
static void find_spectrum(ovk_solver *S)
{
  double lambda_min, lambda_max;
  const bool singular = S->null.count > 0;
  if (ovk__spectrum(S->A, singular ? ovk__nullspace_action : ovk__precond_action,
                    singular ? (void *)S : (void *)S->M, S->work, &lambda_min, &lambda_max)) {
    return;
  }
  if (!(lambda_min > ZERO * lambda_max)) return;
  S->lambda_min = lambda_min;
  S->lambda_max = lambda_max;
}

static ovk_err set_up(ovk_solver *S, ovk_precond *M)
{
  OVK_TRY(ovk__options_compare(S, M ? "a preconditioner" : "no preconditioner"));
  OVK_TRY(set_up_precond(S, M));
  OVK_TRY(ovk__backend_open(S->ctx, S->opts.backend, ovk__is_silent(S), &S->opened));
  OVK_TRY(ovk__nullspace_create(S));
  if (S->method == &ovk__pcg_auto) OVK_TRY(choose_method(S));
  if (S->method->makes_pairs) OVK_TRY(ovk__mat_pair_halo(S->A, &S->pair_halo));
  OVK_TRY(set_up_factors(S));
  OVK_TRY(set_up_sums(S));
  OVK_TRY(set_up_vectors(S));
  if (S->method->needs_spectrum) find_spectrum(S);
  return OVK_OK;
}

ovk_err ovk__solver_create(const ovk_mat *A, ovk_precond *M, const ovk_pcg_opts *opts, bool pcg,
                           ovk_solver **out)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, M);
  if (!ctx) return OVK_ERR_ARG;
  ovk_err err = ovk__agree(ctx, make(ctx, A, M, opts, pcg, out));
  ovk_solver *S = err ? NULL : *out;
  const ovk__used used = OVK_USE(S, A, M, M ? M->A : NULL);
  if (!err) err = set_up(S, M);
  if (err && out) ovk_solver_destroy(out);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_solver_create(const ovk_mat *A, ovk_precond *M, const ovk_pcg_opts *opts,
                          ovk_solver **out)
{
  return ovk__solver_create(A, M, opts, false, out);
}

/* What was found for the old values is forgotten. */
static void forget_values(ovk_solver *S)
{
  S->no_factors = S->traits.measured = false;
  S->no_factors_why[0] = '\0';
  S->lambda_min = S->lambda_max = 0;
}

/* Finds anew what depends on the values, with the preconditioner already updated or kept. */
static ovk_err take_values(ovk_solver *S)
{
  forget_values(S);
  OVK_TRY(ovk__precond_kind_of(S->M, &S->C));
  OVK_TRY(ovk__nullspace_verify(S));
  OVK_TRY(set_up_factors(S));
  if (S->method->needs_spectrum) find_spectrum(S);
  return OVK_OK;
}

static ovk_err update(ovk_solver *S, bool with_precond)
{
  if (!S) return OVK_ERR_ARG;
  const ovk_err idle = ovk__solver_check_idle(S);
  OVK_TRY(ovk__agree(S->ctx, idle ? idle : ovk__mat_check_ready(S->A)));
  const ovk__used used = OVK_USE(S, S->A);
  ovk_err err = with_precond ? ovk_precond_update(S->M) : OVK_OK;
  const ovk__used updated = OVK_USE(S->M, S->M->A);
  if (!err) err = take_values(S);
  ovk__end_use(&updated);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_solver_update(ovk_solver *S)
{
  return update(S, true);
}

ovk_err ovk_solver_update_matrix(ovk_solver *S)
{
  return update(S, false);
}

void ovk_solver_destroy(ovk_solver **solver)
{
  if (!solver) return;
  ovk_solver *given = *solver;
  *solver = NULL;
  ovk__release(given);
}

const char *ovk_solver_method(const ovk_solver *solver)
{
  return solver ? solver->method_text : "";
}

const char *ovk_solver_method_why(const ovk_solver *solver)
{
  return solver ? solver->method_why : "";
}

const char *ovk_solver_backend(const ovk_solver *solver)
{
  return solver ? solver->backend : "";
}
