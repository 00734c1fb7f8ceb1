/* SPDX-License-Identifier: BSD-2-Clause */
/* For symmetric positive definite matrices the iterations with jacobi are estimated by a few steps
 * from a smooth vector, and those with ic relative to them. Steps from random numbers then check
 * the estimate, with jacobi or ic, whichever of the two seems faster, where that may change the
 * choice. */
#include "core/context/agree.h"
#include "precond/auto/chooser.h"
#include "precond/auto/iterations.h"
#include "precond/auto/trial.h"

#include <math.h>

/* From a smooth vector: few, as they must be a small part of a solve. */
enum { SMOOTH_STEPS = 4 };

/* Digits that a solve gains. */
static const double DIGITS = 8;

/* The steps of a trial may take this part of the time of the candidate that would be taken, with
 * jacobi, or of amg, with ic. */
static const double JACOBI_PART = 0.1, IC_PART = 0.15;

/* Steps with jacobi: with fewer the first rate is still that of the large eigenvalues. */
enum { LEAST_JACOBI = 16, MOST_JACOBI = OVK__AUTO_STEPS };

/* Steps with ic, and with either where coefficients jump: residuals then stagnate after some. Those
 * with jacobi need a larger contrast, as residuals of elasticity, which has 1.2 to 1.7, also do. */
enum { LEAST_IC = 8, MOST_IC = 12, JUMP_STEPS = 32 };
static const double IC_JUMPS = 0.5, JACOBI_JUMPS = 1.6, POINTS_JUMPS = 2.5;

/* ic or jacobi is in doubt if amg would be faster than it with so many times the estimated
 * iterations; the factor is larger if couplings differ. */
static const double DOUBT = 4;

/* The rest of the state of the choice. */
typedef struct estimate {
  double iterations; /* with jacobi */
  double gain;       /* the iterations with jacobi over those with ic */
  double ic_bound;   /* the most iterations with ic */
  bool constant;     /* the constant vector is nearly an eigenvector */
  bool unknown;      /* and the other small eigenvalues are unknown */
} estimate;

static void definite_predict(ovk__chooser *c, const estimate *e)
{
  ovk__chooser_predict(c, OVK__AUTO_JACOBI, e->iterations);
  ovk__chooser_predict(c, OVK__AUTO_IC, e->iterations / e->gain);
  if (ovk__chooser_takes_amg(c)) {
    ovk__chooser_predict(c, OVK__AUTO_AMG, OVK__AUTO_AMG_ITERATIONS);
  }
}

/* The first estimate, from a smooth vector. */
static ovk_err definite_estimate(const ovk__chooser *c, const ovk__auto_candidate *jacobi,
                                 estimate *e, bool *definite)
{
  const ovk__auto_features *A = &c->features;
  ovk__auto_trial t;
  OVK_TRY(ovk__auto_trial_smooth(c->A, jacobi, SMOOTH_STEPS, &t));
  *definite = t.definite;
  *e = (estimate){.gain = ovk__auto_gain(A),
                  .ic_bound = ovk__auto_ic_bound(A),
                  .constant = t.constant,
                  .unknown = t.unknown};
  e->iterations = t.unknown ? ovk__auto_jacobi_bound(t.lambda_min, t.lambda_max)
                            : ovk__auto_jacobi_iterations(A, t.lambda_min, t.lambda_max);
  if (!t.constant) {
    e->iterations = fmax(e->iterations, ovk__auto_extent_iterations(A, t.quotient, SMOOTH_STEPS,
                                                                    t.lambda_min, t.lambda_max));
  }
  return OVK_OK;
}

/* The iterations of a solve by the rate of a trial from random numbers. */
static double definite_iterations(const ovk__auto_trial *t)
{
  return t->definite && t->rate > 0 ? DIGITS / t->rate : INFINITY;
}

/* Whether amg may be faster than a candidate, which has at least so many iterations and at most so
 * many: if not, that need not be tried. */
static bool definite_doubts(const ovk__chooser *c, ovk__auto_kind kind, double iterations,
                            double most)
{
  const ovk__auto_cost cost = ovk__auto_cost_of(&c->features, kind);
  const double worst = fmin(DOUBT * (1 + c->features.contrast) * iterations, most);
  const double amg = c->seconds[OVK__AUTO_AMG];
  return amg >= 0 && cost.setup + c->solves * worst * cost.iteration > amg;
}

/* The least seconds of the candidates besides jacobi, as they are compared. */
static double definite_others(const ovk__chooser *c)
{
  const double ic = ovk__chooser_compared(c, OVK__AUTO_IC);
  const double amg = ovk__chooser_compared(c, OVK__AUTO_AMG);
  return amg >= 0 ? fmin(ic, amg) : ic;
}

/* The most steps of a trial of jacobi that would not be taken: those in the allowed part of the
 * time of the others; 0 if they would be too few. */
static int definite_count_steps(const ovk__chooser *c)
{
  const double step = ovk__auto_cost_of(&c->features, OVK__AUTO_JACOBI).iteration;
  const double steps = fmin(JACOBI_PART * definite_others(c) / step, MOST_JACOBI);
  return steps >= LEAST_JACOBI ? (int)steps : 0;
}

/* Corrects the estimate by steps with jacobi. Downward if another candidate would be taken: spectra
 * with few small or large eigenvalues have a larger condition number than iterations show. Upward
 * if jacobi would be taken and couplings differ: the smooth vector does not see the small
 * eigenvalues of stiff parts, with which residuals stagnate. */
static ovk_err definite_try_jacobi(ovk__chooser *c, const ovk__auto_candidate *jacobi, estimate *e)
{
  const double most = e->ic_bound * e->gain;
  const bool taken = !(c->seconds[OVK__AUTO_JACOBI] > definite_others(c));
  const double jumps = c->features.points ? POINTS_JUMPS : JACOBI_JUMPS;
  const bool doubted = taken && c->features.contrast > jumps &&
                       definite_doubts(c, OVK__AUTO_JACOBI, e->iterations, most);
  const int steps = doubted ? JUMP_STEPS : taken ? 0 : definite_count_steps(c);
  ovk__auto_trial t;
  if (steps == 0) return OVK_OK;
  OVK_TRY(ovk__auto_trial_random(c->A, jacobi, LEAST_JACOBI, steps, e->constant, &t));
  const double seen = definite_iterations(&t);
  if (doubted) {
    e->iterations = fmax(e->iterations, fmin(seen, most));
  } else if (t.settled || e->unknown) {
    e->iterations = fmin(e->iterations, seen);
  }
  definite_predict(c, e);
  return OVK_OK;
}

/* Sets ic up in *M, tries it, and predicts its time from that, and the time of jacobi, with at
 * least the iterations of the estimate. Its setup is short compared with that of amg; if it fails,
 * ic is set up again in its turn. */
static ovk_err definite_try_ic(ovk__chooser *c, const estimate *e, ovk__auto_candidate *M)
{
  const ovk__auto_cost ic = ovk__auto_cost_of(&c->features, OVK__AUTO_IC);
  const double enough = IC_PART * c->seconds[OVK__AUTO_AMG] / ic.iteration;
  const int most = c->features.contrast > IC_JUMPS ? JUMP_STEPS : MOST_IC;
  const int steps = (int)fmin(fmax(enough, LEAST_IC), most);
  ovk__auto_trial t;
  ovk__auto_candidate_free(M);
  if (ovk__auto_candidate_create(c->A, OVK__AUTO_IC, M)) {
    ovk__clear_message(c->A->ctx);
    return OVK_OK;
  }
  OVK_TRY(ovk__auto_trial_random(c->A, M, LEAST_IC / 2, steps, e->constant, &t));
  double iterations = definite_iterations(&t);
  if (!t.settled) iterations = fmax(iterations, e->iterations / e->gain);
  iterations = fmin(iterations, e->ic_bound);
  ovk__chooser_predict(c, OVK__AUTO_IC, iterations);
  ovk__chooser_predict(c, OVK__AUTO_JACOBI, fmax(e->iterations, iterations * e->gain));
  return OVK_OK;
}

ovk_err ovk__chooser_predict_definite(ovk__chooser *c, ovk__auto_candidate *M, bool *definite)
{
  estimate e;
  OVK_TRY(definite_estimate(c, M, &e, definite));
  if (!*definite) return OVK_OK;
  definite_predict(c, &e);
  OVK_TRY(definite_try_jacobi(c, M, &e));
  if (c->seconds[OVK__AUTO_IC] < c->seconds[OVK__AUTO_JACOBI] &&
      definite_doubts(c, OVK__AUTO_IC, e.iterations / e.gain, e.ic_bound)) {
    return definite_try_ic(c, &e, M);
  }
  return OVK_OK;
}
