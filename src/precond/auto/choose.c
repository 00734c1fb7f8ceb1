/* SPDX-License-Identifier: BSD-2-Clause */
/* For symmetric positive definite matrices the iterations with jacobi are estimated by a few steps
 * from a smooth vector, and the iterations with the others relative to them. If this cannot decide
 * between ic and amg, ic is set up and tried: its setup is short compared with that of amg. */
#include "precond/auto/choose.h"
#include "core/context/agree.h"
#include "precond/auto/model.h"
#include "precond/auto/trial.h"

#include <math.h>
#include <stdio.h>

/* Steps with jacobi: few, as they must be a small part of a solve. */
enum { SMOOTH_STEPS = 4 };

/* If these steps lower the Rayleigh quotient by less than this factor, the smooth vector is nearly
 * an eigenvector. Steps from random numbers then show the other ones. */
static const double EIGENVECTOR = 1.5;

enum { RANDOM_STEPS = 32 };

/* Digits that a solve gains, and the iterations that amg needs for them, which depend little on the
 * matrix. */
static const double DIGITS = 8, AMG_ITERATIONS = 12;

/* If A is not symmetric each iteration has two products and applications. Iterations with jacobi
 * where the symmetric part of A is not positive definite, so that steps cannot estimate them. */
static const double GENERAL_ITERATIONS = 50, GENERAL_PRODUCTS = 2;

/* amg refuses larger skewnesses than about this. */
static const double MOST_SKEWNESS = 0.6;

/* With fewer rows coarse levels gain nothing. */
static const double FEW_ROWS = 4096;

/* ic is tried if amg would be faster than ic with so many times the estimated iterations; the
 * factor is larger if couplings differ. The steps of the trial may take this part of the time of
 * amg. */
static const double DOUBT = 4, TRIAL_PART = 0.15;

enum { LEAST_TRIAL = 8, MOST_TRIAL = 12, MOST_JUMP_TRIAL = 32 };

/* The contrast of coefficients that jump: residuals then stagnate after some steps. */
static const double JUMPS = 0.5;

/* The state of the choice. */
typedef struct chooser {
  const ovk_mat *A;
  int solves;
  ovk__auto_features features;
  double seconds[OVK__AUTO_KINDS]; /* predicted for setup and solves; negative: no candidate */
} chooser;

static void chooser_predict(chooser *c, ovk__auto_kind kind, double iterations)
{
  const ovk__auto_cost cost = ovk__auto_cost_of(&c->features, kind);
  c->seconds[kind] = cost.setup + c->solves * iterations * cost.iteration;
}

/* Leaves one candidate, without predictions. */
static void choose_only(ovk__auto_kind kind, const char *why, ovk__auto_choice *out)
{
  *out = (ovk__auto_choice){.order = {kind}, .n = 1};
  snprintf(out->why, sizeof out->why, "%s, because %s", ovk__auto_name(kind), why);
}

/* out->order <- the candidates, the least time first. */
static void choose_sort(const chooser *c, ovk__auto_choice *out)
{
  out->n = 0;
  for (int kind = 0; kind < OVK__AUTO_KINDS; kind++) {
    if (c->seconds[kind] < 0) continue;
    int k = out->n++;
    for (; k > 0 && c->seconds[out->order[k - 1]] > c->seconds[kind]; k--) {
      out->order[k] = out->order[k - 1];
    }
    out->order[k] = (ovk__auto_kind)kind;
  }
}

static void choose_explain(const chooser *c, ovk__auto_choice *out)
{
  char *text = out->why;
  const size_t size = sizeof out->why;
  size_t used = 0;
  for (int k = 0; k < out->n && used < size; k++) {
    const char *name = ovk__auto_name(out->order[k]);
    const double ms = 1e3 * c->seconds[out->order[k]];
    used +=
        (size_t)(k ? snprintf(text + used, size - used, ", %s %.3g ms", name, ms)
                   : snprintf(text, size, "%s, predicted to take %.3g ms for setup and %d solve%s",
                              name, ms, c->solves, c->solves == 1 ? "" : "s"));
  }
}

/* Whether a trial of ic may change the choice: if it is faster than amg in the worst case, it is
 * not needed. */
static bool choose_doubts_ic(const chooser *c, double iterations)
{
  const ovk__auto_features *A = &c->features;
  const ovk__auto_cost ic = ovk__auto_cost_of(A, OVK__AUTO_IC);
  const double worst = fmin(DOUBT * (1 + A->contrast) * iterations, ovk__auto_ic_bound(A));
  const double amg = c->seconds[OVK__AUTO_AMG];
  return amg >= 0 && c->seconds[OVK__AUTO_IC] < c->seconds[OVK__AUTO_JACOBI] &&
         ic.setup + c->solves * worst * ic.iteration > amg;
}

/* The iterations of a solve by the rate of a trial from random numbers. */
static double choose_iterations(const ovk__auto_trial *t)
{
  return t->definite && t->rate > 0 ? DIGITS / t->rate : INFINITY;
}

/* Sets ic up in *M, tries it, and predicts its time from that, and the time of jacobi, with at
 * least `iterations`. If its setup fails, it is set up again in its turn. */
static ovk_err choose_try_ic(chooser *c, double iterations, ovk__auto_candidate *M)
{
  const ovk__auto_cost ic = ovk__auto_cost_of(&c->features, OVK__AUTO_IC);
  const double enough = TRIAL_PART * c->seconds[OVK__AUTO_AMG] / ic.iteration;
  const int most = c->features.contrast > JUMPS ? MOST_JUMP_TRIAL : MOST_TRIAL;
  const int steps = (int)fmin(fmax(enough, LEAST_TRIAL), most);
  const double bound = ovk__auto_ic_bound(&c->features);
  ovk__auto_trial t;
  if (ovk__auto_candidate_create(c->A, OVK__AUTO_IC, M)) {
    ovk__clear_message(c->A->ctx);
    return OVK_OK;
  }
  OVK_TRY(ovk__auto_trial_random(c->A, M, steps, &t));
  const double ic_iterations = fmin(choose_iterations(&t), bound);
  chooser_predict(c, OVK__AUTO_IC, ic_iterations);
  chooser_predict(c, OVK__AUTO_JACOBI,
                  fmax(iterations, ic_iterations * ovk__auto_gain(&c->features)));
  return OVK_OK;
}

/* *iterations <- those with jacobi, from the trial of it with a smooth vector. */
static ovk_err choose_estimate_jacobi(const chooser *c, const ovk__auto_candidate *jacobi,
                                      const ovk__auto_trial *smooth, double *iterations)
{
  const double a = smooth->lambda_min, b = smooth->lambda_max;
  ovk__auto_trial t;
  *iterations = ovk__auto_jacobi_iterations(&c->features, a, b);
  if (smooth->quotient >= EIGENVECTOR * a || *iterations <= RANDOM_STEPS) return OVK_OK;
  OVK_TRY(ovk__auto_trial_random(c->A, jacobi, RANDOM_STEPS, &t));
  *iterations = fmin(ovk__auto_jacobi_bound(a, b), choose_iterations(&t));
  return OVK_OK;
}

/* A is symmetric with a positive diagonal; *M is jacobi at first, and the preconditioner that is
 * set up at the end. */
static ovk_err choose_definite(chooser *c, ovk__auto_candidate *M, ovk__auto_choice *out)
{
  const ovk__auto_features *A = &c->features;
  ovk__auto_trial t;
  OVK_TRY(ovk__auto_trial_smooth(c->A, M, SMOOTH_STEPS, &t));
  if (!t.definite) {
    choose_only(OVK__AUTO_JACOBI, "A is not positive definite", out);
    return OVK_OK;
  }
  double iterations;
  OVK_TRY(choose_estimate_jacobi(c, M, &t, &iterations));
  const double ic_iterations = iterations / ovk__auto_gain(A);
  chooser_predict(c, OVK__AUTO_JACOBI, iterations);
  chooser_predict(c, OVK__AUTO_IC, ic_iterations);
  if (A->global >= FEW_ROWS) chooser_predict(c, OVK__AUTO_AMG, AMG_ITERATIONS);
  if (choose_doubts_ic(c, ic_iterations)) {
    ovk__auto_candidate_free(M);
    OVK_TRY(choose_try_ic(c, iterations, M));
  }
  choose_sort(c, out);
  choose_explain(c, out);
  return OVK_OK;
}

/* For a nonsymmetric A. *M is jacobi. */
static ovk_err choose_general(chooser *c, const ovk__auto_candidate *M, bool positive,
                              ovk__auto_choice *out)
{
  const ovk__auto_features *A = &c->features;
  double a = 0, b = 0, iterations = GENERAL_ITERATIONS;
  if (positive) OVK_TRY(ovk__auto_trial_symmetric_part(c->A, M, &a, &b));
  if (a > 0) iterations = ovk__auto_general_iterations(ovk__auto_jacobi_iterations(A, a, b));
  chooser_predict(c, OVK__AUTO_JACOBI, GENERAL_PRODUCTS * iterations);
  chooser_predict(c, OVK__AUTO_ILU, GENERAL_PRODUCTS * iterations / ovk__auto_general_gain(A));
  if (a > 0 && A->global >= FEW_ROWS && A->skewness <= MOST_SKEWNESS) {
    chooser_predict(c, OVK__AUTO_AMG, GENERAL_PRODUCTS * AMG_ITERATIONS);
  }
  choose_sort(c, out);
  choose_explain(c, out);
  return OVK_OK;
}

/* Whether jacobi is positive on all ranks. */
static ovk_err choose_check_sign(const ovk_mat *A, const ovk__auto_candidate *jacobi,
                                 bool *positive)
{
  const double *inverse = jacobi->ops->inverse_diagonal(jacobi->state);
  *positive = true;
  for (ovk_lidx i = 0; i < A->layout.local; i++) *positive = *positive && inverse[i] > 0;
  return ovk__agree_flag(A->ctx, OVK_OK, positive);
}

/* Chooses for an assembled matrix. *M is jacobi. */
static ovk_err choose_assembled(chooser *c, ovk__auto_candidate *M, ovk__auto_choice *out)
{
  bool positive;
  OVK_TRY(choose_check_sign(c->A, M, &positive));
  if (!c->features.symmetric) return choose_general(c, M, positive, out);
  if (!positive) {
    choose_only(OVK__AUTO_JACOBI, "the diagonal of A is not positive", out);
  } else {
    return choose_definite(c, M, out);
  }
  return OVK_OK;
}

ovk_err ovk__auto_choose(const ovk_mat *A, int solves, ovk__auto_choice *out,
                         ovk__auto_candidate *M)
{
  chooser c = {.A = A, .solves = solves, .seconds = {-1, -1, -1, -1, -1}};
  *M = (ovk__auto_candidate){0};
  if (A->state == OVK__MAT_SHELL) {
    choose_only(OVK__AUTO_JACOBI, "A is a matrix-free operator", out);
    return OVK_OK;
  }
  OVK_TRY(ovk__auto_features_read(A, &c.features));
  const ovk_err err = ovk__auto_candidate_create(A, OVK__AUTO_JACOBI, M);
  if (!err) return choose_assembled(&c, M, out);
  if (err != OVK_ERR_ARG) return err;
  ovk__clear_message(A->ctx);
  choose_only(c.features.symmetric ? OVK__AUTO_NONE : OVK__AUTO_ILU,
              "the diagonal of A has no inverse", out);
  return OVK_OK;
}
