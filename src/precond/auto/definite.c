/* SPDX-License-Identifier: BSD-2-Clause */
/* For symmetric positive definite matrices the iterations with jacobi are estimated by a few steps
 * from a smooth vector, and the iterations with the others relative to them. Before another one is
 * taken, steps with jacobi from random numbers show whether it would soon be done. If the estimates
 * cannot decide between ic and amg, ic is set up and tried: its setup is short compared with that
 * of amg. */
#include "core/context/agree.h"
#include "precond/auto/chooser.h"
#include "precond/auto/trial.h"

#include <math.h>

/* Steps with jacobi: few, as they must be a small part of a solve. */
enum { SMOOTH_STEPS = 4 };

/* Digits that a solve gains. */
static const double DIGITS = 8;

/* The steps of a trial may take this part of the time of the candidate that would be taken, with
 * jacobi, or of amg, with ic. */
static const double CHECK_PART = 0.1, TRIAL_PART = 0.15;

/* Steps with jacobi from random numbers. With fewer the first rate is still that of the large
 * eigenvalues. */
enum { LEAST_CHECK = 16, MOST_CHECK = OVK__AUTO_STEPS };

/* Steps with ic, and with either where coefficients jump: residuals then stagnate after some. Those
 * with jacobi need a larger contrast, as residuals of elasticity, which has 1.2 to 1.5, also do. */
enum { LEAST_TRIAL = 8, MOST_TRIAL = 12, MOST_JUMP_TRIAL = 32 };
static const double JUMPS = 0.5, LARGE_JUMPS = 1.6;

/* ic or jacobi is tried if amg would be faster than it with so many times the estimated iterations;
 * the factor is larger if couplings differ. */
static const double DOUBT = 4;

/* The rest of the state of the choice. */
typedef struct estimate {
  double iterations; /* with jacobi */
  bool constant;     /* the constant vector is nearly an eigenvector */
  bool unknown;      /* and the other small eigenvalues are unknown */
} estimate;

static void definite_predict(ovk__chooser *c, const estimate *e)
{
  ovk__chooser_predict(c, OVK__AUTO_JACOBI, e->iterations);
  ovk__chooser_predict(c, OVK__AUTO_IC, e->iterations / ovk__auto_gain(&c->features));
  if (ovk__chooser_takes_amg(c)) {
    ovk__chooser_predict(c, OVK__AUTO_AMG, OVK__AUTO_AMG_ITERATIONS);
  }
}

/* The iterations of a solve by the rate of a trial from random numbers. */
static double definite_iterations(const ovk__auto_trial *t)
{
  return t->definite && t->rate > 0 ? DIGITS / t->rate : INFINITY;
}

/* The steps with jacobi that take the allowed part of the least time of the others; 0 if jacobi is
 * taken anyway or they would be too few. */
static int definite_count_checks(const ovk__chooser *c)
{
  const double ic = ovk__chooser_compared(c, OVK__AUTO_IC),
               amg = ovk__chooser_compared(c, OVK__AUTO_AMG), other = amg >= 0 ? fmin(ic, amg) : ic;
  const double step = ovk__auto_cost_of(&c->features, OVK__AUTO_JACOBI).iteration;
  if (!(c->seconds[OVK__AUTO_JACOBI] > other) || !(step > 0)) return 0;
  const double steps = fmin(CHECK_PART * other / step, MOST_CHECK);
  return steps >= LEAST_CHECK ? (int)steps : 0;
}

/* Corrects the estimate by steps with jacobi if another candidate would be taken: spectra with few
 * small or large eigenvalues have a larger condition number than iterations show. */
static ovk_err definite_check_jacobi(ovk__chooser *c, const ovk__auto_candidate *jacobi,
                                     estimate *e)
{
  const int steps = definite_count_checks(c);
  ovk__auto_trial t;
  if (steps == 0) return OVK_OK;
  OVK_TRY(ovk__auto_trial_random(c->A, jacobi, LEAST_CHECK, steps, e->constant, &t));
  const double seen = definite_iterations(&t);
  if (t.settled || e->unknown) e->iterations = fmin(e->iterations, seen);
  definite_predict(c, e);
  return OVK_OK;
}

/* Whether a trial of ic or jacobi may change the choice, for its estimated iterations and a bound:
 * if it is faster than amg in the worst case, it is not needed. */
static bool definite_doubts(const ovk__chooser *c, ovk__auto_kind kind, double iterations,
                            double bound)
{
  const ovk__auto_cost cost = ovk__auto_cost_of(&c->features, kind);
  const double worst = fmin(DOUBT * (1 + c->features.contrast) * iterations, bound);
  const double amg = c->seconds[OVK__AUTO_AMG];
  return amg >= 0 && cost.setup + c->solves * worst * cost.iteration > amg;
}

/* Raises the estimate by steps with jacobi if that would be taken and couplings differ: the smooth
 * vector does not see the small eigenvalues of stiff parts, with which residuals stagnate. */
static ovk_err definite_doubt_jacobi(ovk__chooser *c, const ovk__auto_candidate *jacobi,
                                     estimate *e)
{
  const ovk__auto_features *A = &c->features;
  const double bound = ovk__auto_ic_bound(A) * ovk__auto_gain(A);
  ovk__auto_trial t;
  if (c->seconds[OVK__AUTO_JACOBI] > c->seconds[OVK__AUTO_IC] || A->contrast <= LARGE_JUMPS ||
      !definite_doubts(c, OVK__AUTO_JACOBI, e->iterations, bound)) {
    return OVK_OK;
  }
  OVK_TRY(ovk__auto_trial_random(c->A, jacobi, LEAST_CHECK, MOST_JUMP_TRIAL, e->constant, &t));
  e->iterations = fmax(e->iterations, fmin(definite_iterations(&t), bound));
  definite_predict(c, e);
  return OVK_OK;
}

/* The same for ic, if that is faster than jacobi. */
static bool definite_doubts_ic(const ovk__chooser *c, double iterations)
{
  return c->seconds[OVK__AUTO_IC] < c->seconds[OVK__AUTO_JACOBI] &&
         definite_doubts(c, OVK__AUTO_IC, iterations, ovk__auto_ic_bound(&c->features));
}

/* Sets ic up in *M, tries it, and predicts its time from that, and the time of jacobi, with at
 * least the iterations of the estimate. If its setup fails, it is set up again in its turn. */
static ovk_err definite_try_ic(ovk__chooser *c, const estimate *e, ovk__auto_candidate *M)
{
  const ovk__auto_cost ic = ovk__auto_cost_of(&c->features, OVK__AUTO_IC);
  const double enough = TRIAL_PART * c->seconds[OVK__AUTO_AMG] / ic.iteration;
  const int most = c->features.contrast > JUMPS ? MOST_JUMP_TRIAL : MOST_TRIAL;
  const int steps = (int)fmin(fmax(enough, LEAST_TRIAL), most);
  ovk__auto_trial t;
  if (ovk__auto_candidate_create(c->A, OVK__AUTO_IC, M)) {
    ovk__clear_message(c->A->ctx);
    return OVK_OK;
  }
  OVK_TRY(ovk__auto_trial_random(c->A, M, LEAST_TRIAL / 2, steps, e->constant, &t));
  const double gain = ovk__auto_gain(&c->features);
  double iterations = definite_iterations(&t);
  if (!t.settled) iterations = fmax(iterations, e->iterations / gain);
  iterations = fmin(iterations, ovk__auto_ic_bound(&c->features));
  ovk__chooser_predict(c, OVK__AUTO_IC, iterations);
  ovk__chooser_predict(c, OVK__AUTO_JACOBI, fmax(e->iterations, iterations * gain));
  return OVK_OK;
}

ovk_err ovk__chooser_predict_definite(ovk__chooser *c, ovk__auto_candidate *M, bool *definite)
{
  ovk__auto_trial t;
  OVK_TRY(ovk__auto_trial_smooth(c->A, M, SMOOTH_STEPS, &t));
  *definite = t.definite;
  if (!t.definite) return OVK_OK;
  const double a = t.lambda_min, b = t.lambda_max;
  estimate e = {ovk__auto_jacobi_iterations(&c->features, a, b), t.constant, t.unknown};
  if (e.unknown) e.iterations = ovk__auto_jacobi_bound(a, b);
  definite_predict(c, &e);
  OVK_TRY(definite_check_jacobi(c, M, &e));
  OVK_TRY(definite_doubt_jacobi(c, M, &e));
  if (!definite_doubts_ic(c, e.iterations / ovk__auto_gain(&c->features))) return OVK_OK;
  ovk__auto_candidate_free(M);
  return definite_try_ic(c, &e, M);
}
