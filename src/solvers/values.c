/* SPDX-License-Identifier: BSD-2-Clause */
/* The data that a solver derives from the values of A and M, in one table. Creating a solver
 * derives all of them, and an update derives all of them again. Nothing else in a solver depends on
 * values. The storage format does, but belongs to A: ovk_mat_assemble() chooses it again. */
#include "solvers/values.h"
#include "backends/open.h"
#include "precond/spectrum.h"
#include "solvers/auto/matrix_class.h"
#include "solvers/auto/select_method.h"
#include "solvers/guesses/guesses.h"
#include "solvers/method_change.h"
#include "solvers/nullspace/nullspace.h"
#include "solvers/ops/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static ovk_err values_forget_traits(ovk_solver *S)
{
  S->values.traits.measured = false;
  return OVK_OK;
}

static ovk_err values_find_precond_kind(ovk_solver *S)
{
  return ovk__precond_kind_of(S->M, &S->M_kind);
}

/* Methods for any A are right for all values, and the products of a shell may take long. */
static bool values_class_is_irrelevant(const ovk_solver *S)
{
  return S->work && S->A->state == OVK__MAT_SHELL && S->selection.A_class == OVK__A_ANY;
}

static ovk_err values_find_class(ovk_solver *S)
{
  if (S->selection.automatic && values_class_is_irrelevant(S)) return OVK_OK;
  S->selection.A_class = OVK__A_DEFINITE;
  S->selection.product_seconds = INFINITY;
  S->selection.A_class_why = S->opts.spd ? "the options declare A positive definite" : NULL;
  if (!S->selection.automatic || S->opts.spd) return OVK_OK;
  return ovk__matrix_class_of(S, &S->selection.A_class, &S->selection.A_class_why);
}

/* Whether the method in use needs factors that M lacks for these values. */
static bool values_lacks_factors(ovk_solver *S)
{
  return S->method->needs_factors && ovk_precond_factor(S->M) == OVK_ERR_UNSUPPORTED;
}

/* A rank alone waits for no other, except in a backend that delays it. */
static bool values_has_no_latency(const ovk_solver *S)
{
  return S->ctx->size == 1 && S->opened->chosen && !S->opened->inner;
}

/* The method that a trial finds to be the fastest of the class. */
static ovk_err values_choose_method(ovk_solver *S)
{
  ovk__costs costs;
  ovk__candidate best;
  int n;
  const ovk__method *const *methods = ovk__methods(&n);
  if (S->exact || values_has_no_latency(S)) {
    costs = (ovk__costs){.alone = !S->exact}; /* with exact sums, times differ from run to run */
  } else {
    OVK_TRY(ovk__autotune(S, &costs));
  }
  costs.A = S->selection.A_class;
  costs.class_why = S->selection.A_class_why;
  for (;; costs.no_factors = true) {
    best = ovk__select_method(S, methods, n, &costs);
    OVK_TRY(ovk__select_method_agree(S, best));
    /* a kind with factors may have none for this spec */
    if (!best.method->needs_factors || ovk_precond_factor(S->M) != OVK_ERR_UNSUPPORTED) break;
  }
  ovk__settings settings = {.depth = best.depth};
  OVK_TRY(ovk__side_choose(S->ctx, best.method, S->opts.norm, &settings));
  S->selection.chosen_for = S->selection.A_class;
  S->selection.spd_assumed = !S->opts.spd && S->selection.A_class == OVK__A_DEFINITE;
  if (S->selection.spd_assumed && !S->best.x) OVK_TRY(ovk_mat_create_vec(S->A, &S->best.x));
  return ovk__method_change(S, best.method, settings);
}

/* "auto" chooses again only if its method does not suit these values: a trial takes time, and
 * methods for the same class differ only in speed. */
static ovk_err values_find_method(ovk_solver *S)
{
  if (!S->selection.automatic) return S->work ? OVK_OK : ovk__method_open(S);
  if (S->work && S->selection.A_class == S->selection.chosen_for && !values_lacks_factors(S))
    return OVK_OK;
  return values_choose_method(S);
}

static ovk_err values_find_factors(ovk_solver *S)
{
  S->values.no_factors = false;
  S->values.no_factors_why[0] = '\0';
  if (!S->method->needs_factors) return OVK_OK;
  const ovk_err err = ovk_precond_factor(S->M);
  if (err == OVK_ERR_UNSUPPORTED && !S->M->ops->factor) {
    return OVK_FAIL(
        S->ctx, err,
        "method '%s' needs a preconditioner with factors M = L L^T: '%s' has none; 'groppcg' "
        "takes any preconditioner",
        S->method->name, ovk_precond_name(S->M));
  }
  if (err != OVK_ERR_INDEFINITE) return err;
  S->values.no_factors =
      true; /* a numerical property: reported as the reason of a solve, not as an error */
  snprintf(S->values.no_factors_why, sizeof S->values.no_factors_why, "%s", S->ctx->message);
  return OVK_OK;
}

/* A Ritz value below this fraction of the largest is 0 up to rounding. */
static const double ZERO = OVK__SPECTRUM_STEPS * DBL_EPSILON;

/* The ends of the spectrum, for all solves. If A or M fails or is not positive definite they stay
 * unknown: a solve finds that again and reports it in more detail. */
static ovk_err values_find_spectrum(ovk_solver *S)
{
  double lambda_min, lambda_max;
  const bool singular = S->null.count > 0;
  S->values.lambda_min = S->values.lambda_max = 0;
  if (!S->method->needs_spectrum) return OVK_OK;
  if (ovk__spectrum(ovk__scale_product, S, singular ? ovk__nullspace_action : ovk__scale_solve, S,
                    S->A->keys, S->work, &lambda_min, &lambda_max)) {
    return OVK_OK;
  }
  if (!(lambda_min > ZERO * lambda_max)) return OVK_OK;
  S->values.lambda_min = lambda_min;
  S->values.lambda_max = lambda_max;
  return OVK_OK;
}

/* Each entry uses those before it. */
static ovk_err (*const table[])(ovk_solver *S) = {
    values_forget_traits,     /* traits: of A and M, measured after a failed solve */
    values_find_precond_kind, /* M: whether the preconditioner is diagonal */
    ovk__nullspace_verify,    /* null_is_left; the null spaces are those of the values */
    values_find_class,        /* A_class: symmetry and, as far as it shows, definiteness */
    values_find_method,       /* the method of "auto"; chosen_for, spd_assumed */
    values_find_factors,      /* no_factors */
    ovk__scale_measure,       /* scale.A, scale.M */
    values_find_spectrum,     /* lambda_min, lambda_max */
    ovk__guesses_update,      /* guesses: the basis of the last solutions */
};

ovk_err ovk__values_derive(ovk_solver *S)
{
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) OVK_TRY(table[k](S));
  return OVK_OK;
}

ovk_err ovk__solver_reconsider(ovk_solver *S, bool *changed)
{
  bool positive;
  ovk__settings settings = {0};
  *changed = false;
  if (!S->selection.spd_assumed) return OVK_OK;
  OVK_TRY(ovk__precond_is_positive(S, &positive));
  const ovk__method *method = positive ? &ovk__method_minres : &ovk__method_bcgs;
  if (ovk__side_choose(S->ctx, method, S->opts.norm, &settings))
    return OVK_OK; /* has not the norm */
  *changed = true;
  S->selection.spd_assumed = false;
  S->values.no_factors = false; /* neither method needs them */
  S->selection.chosen_for = positive ? OVK__A_SYMMETRIC : OVK__A_ANY;
  snprintf(S->selection.why, sizeof S->selection.why, "%s, because A is not positive definite%s",
           method->name, positive ? "" : ", and M is not diagonal and positive");
  return ovk__method_change(S, method, settings);
}
