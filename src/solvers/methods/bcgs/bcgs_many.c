/* SPDX-License-Identifier: BSD-2-Clause */
/* BiCGStab (bcgs.c) for several right-hand sides at once. Each column has its own process, and
 * restarts it by itself. One that has to restart in the first half of a step waits for the next
 * step with alpha = omega = 0. */
#include "solvers/kernels/many/bcgs_many.h"
#include "solvers/kernels/many/updates_many.h"
#include "solvers/many/ops_many.h"
#include "solvers/methods/bcgs/bcgs_scalars.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <string.h>

enum { FIRST, SECOND, AGAIN };
enum { WORK_R, WORK_Q, WORK_P, WORK_V, WORK_T, WORK_Y, WORK_Z, WORK_VECTORS };

/* The coefficients of a step, and the columns that restart after it: q = p = r. */
typedef struct steps {
  double alpha[OVK__WIDEST], omega[OVK__WIDEST], beta[OVK__WIDEST], omega_p[OVK__WIDEST];
  bool restarts[OVK__WIDEST];
} steps;

static ovk__bcgs_scalars *bcgs_many_scalars(ovk__many *B, int c)
{
  return B->lane[c]->own;
}

/* w = B u; between as in bcgs.c */
static void bcgs_many_apply(ovk__many *B, const double *u, double *between, double *w)
{
  double ignored[2][OVK__WIDEST];
  if (B->S->settings.left) {
    ovk__many_op_product(B, u, between, ovk_poll_none());
    ovk__many_op_apply(B, between, w, ignored[0], ignored[1]);
  } else {
    ovk__many_op_apply_other(B, u, between, ovk_poll_none());
    ovk__many_op_product(B, between, w, ovk_poll_none());
  }
}

static bool bcgs_many_finite(ovk__lane_values *sums, int n, int c)
{
  bool finite = true;
  for (int k = 0; k < n; k++) finite = finite && isfinite(sums[k][c]);
  return finite;
}

/* A quantity of column c has vanished: it restarts, or leaves if a new q would not help. */
static void bcgs_many_recover(ovk__many *B, int c, bool progress, steps *step)
{
  ovk__bcgs_scalars *k = bcgs_many_scalars(B, c);
  if (k->fresh && !progress) {
    B->lane[c]->end = OVK__COLUMN_LEFT;
    return;
  }
  ovk__bcgs_refresh(k);
  step->restarts[c] = true;
}

/* alpha = rho / sigma */
static void bcgs_many_first_half(ovk__many *B, ovk__lane_values first[OVK__BCGS_FIRST_SUMS],
                                 steps *step)
{
  memset(step, 0, sizeof *step);
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) continue;
    ovk__bcgs_scalars *k = bcgs_many_scalars(B, c);
    k->sigma = first[OVK__BCGS_QV][c];
    if (!bcgs_many_finite(first, OVK__BCGS_FIRST_SUMS, c)) {
      B->lane[c]->end = OVK__COLUMN_LEFT;
    } else if (ovk__bcgs_restart_needed(k->fresh, k->sigma, k->qq, first[OVK__BCGS_VV][c])) {
      bcgs_many_recover(B, c, false, step);
    } else {
      step->alpha[c] = k->alpha = k->rho / k->sigma;
    }
  }
}

/* Whether column c makes the whole step. */
static bool bcgs_many_steps(const ovk__many *B, int c, const steps *step)
{
  return ovk__many_runs(B, c) && !step->restarts[c];
}

/* omega = (t, s) / (t, t); rho_old <- rho, and rho and (r, r) of the new r; returns whether any has
 * lost too many digits. */
static bool bcgs_many_second_half(ovk__many *B, ovk__lane_values sums[OVK__BCGS_SUMS], steps *step,
                                  double rho_old[OVK__WIDEST], bool lost[OVK__WIDEST])
{
  bool any = false;
  for (int c = 0; c < B->width; c++) {
    double own[OVK__BCGS_SUMS];
    lost[c] = false;
    if (!bcgs_many_steps(B, c, step)) continue;
    ovk__bcgs_scalars *k = bcgs_many_scalars(B, c);
    if (!bcgs_many_finite(sums, OVK__BCGS_SUMS, c)) {
      B->lane[c]->end = OVK__COLUMN_LEFT;
      continue;
    }
    for (int v = 0; v < OVK__BCGS_SUMS; v++) own[v] = sums[v][c];
    step->omega[c] = k->omega = own[OVK__TT] > 0 ? own[OVK__TS] / own[OVK__TT] : 0;
    rho_old[c] = k->rho;
    lost[c] = ovk__bcgs_predict(k, own);
    any = any || lost[c];
  }
  return any;
}

/* (q, r) and (r, r) of the columns where they are lost */
static ovk_err bcgs_many_recompute(ovk__many *B, const bool lost[OVK__WIDEST])
{
  ovk_solver *S = B->S;
  ovk__lane_values again[OVK__BCGS_AGAIN_SUMS];
  OVK_SWEEP(S, ovk__many_dots(rows(S), B->width, B->work[WORK_Q], B->work[WORK_R],
                              again[OVK__BCGS_QR], again[OVK__BCGS_RR]));
  OVK_TRY(ovk__many_op_reduce(B, AGAIN, again));
  for (int c = 0; c < B->width; c++) {
    if (!lost[c]) continue;
    bcgs_many_scalars(B, c)->rr = again[OVK__BCGS_RR][c];
    bcgs_many_scalars(B, c)->rho = again[OVK__BCGS_QR][c];
  }
  return OVK_OK;
}

/* Tests the columns; beta, or a restart. */
static ovk_err bcgs_many_test(ovk__many *B, ovk__lane_values sums[OVK__BCGS_SUMS],
                              const double rho_old[OVK__WIDEST], steps *step)
{
  for (int c = 0; c < B->width; c++) {
    if (!bcgs_many_steps(B, c, step)) continue;
    ovk__bcgs_scalars *k = bcgs_many_scalars(B, c);
    OVK_TRY(ovk__many_test(B, c, k->rr));
    if (!ovk__many_runs(B, c)) continue;
    double own[OVK__BCGS_SUMS];
    for (int v = 0; v < OVK__BCGS_SUMS; v++) own[v] = sums[v][c];
    if (ovk__bcgs_omega_vanished(own) || ovk__bcgs_rho_vanished(k)) {
      bcgs_many_recover(B, c, ovk__bcgs_progress(k), step);
    } else {
      step->beta[c] = k->rho / rho_old[c] * (k->alpha / k->omega);
      step->omega_p[c] = k->omega;
      k->fresh = false;
    }
  }
  return OVK_OK;
}

/* q = r in columns that restart; p = r + beta (p - omega v); y = M^-1 p for a diagonal M from the
 * right */
static void bcgs_many_update_p(ovk__many *B, const steps *step)
{
  ovk_solver *S = B->S;
  double **work = B->work;
  const ovk__diagonal D = S->settings.left ? (ovk__diagonal){0} : S->D;
  ovk__many_op_take(B, step->restarts, work[WORK_R], work[WORK_Q]);
  OVK_SWEEP(S, ovk__many_bcgs_direction(rows(S), B->width, step->beta, step->omega_p, work[WORK_R],
                                        work[WORK_V], D, work[WORK_P], work[WORK_Y]));
}

/* r = M^-1 (b - A x) with side=left; q = p = r */
static void bcgs_many_start(ovk__many *B)
{
  double **work = B->work, ignored[2][OVK__WIDEST];
  steps step = {0};
  if (B->S->settings.left) {
    ovk__many_op_apply(B, work[WORK_R], work[WORK_Q], ignored[0], ignored[1]);
    memcpy(work[WORK_R], work[WORK_Q],
           (size_t)B->width * (size_t)rows(B->S) * sizeof *work[WORK_R]);
  }
  ovk__many_op_zero(B, work[WORK_P]);
  ovk__many_op_zero(B, work[WORK_Q]);
  ovk__many_op_zero(B, work[WORK_V]);
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) continue;
    *bcgs_many_scalars(B, c) = (ovk__bcgs_scalars){.rr = B->lane[c]->solve.norms.rr};
    ovk__bcgs_refresh(bcgs_many_scalars(B, c));
    step.restarts[c] = true;
  }
  bcgs_many_update_p(B, &step);
}

static ovk_err bcgs_many_iterate(ovk__many *B)
{
  ovk_solver *S = B->S;
  const bool left = S->settings.left;
  double **work = B->work;
  double *r = work[WORK_R], *q = work[WORK_Q], *p = work[WORK_P], *v = work[WORK_V],
         *t = work[WORK_T], *y = work[WORK_Y], *z = work[WORK_Z];
  const double *dp = left ? p : y;
  ovk__lane_values first[OVK__BCGS_FIRST_SUMS], sums[OVK__BCGS_SUMS];
  double rho_old[OVK__WIDEST] = {0};
  bool lost[OVK__WIDEST];
  steps step;

  bcgs_many_start(B); /* q = p = r */
  while (ovk__many_settle(B)) {
    bcgs_many_apply(B, p, y, v); /* v = B p */
    OVK_SWEEP(S, ovk__many_dots(rows(S), B->width, q, v, first[OVK__BCGS_QV], first[OVK__BCGS_VV]));
    OVK_TRY(ovk__many_op_reduce(B, FIRST, first)); /* (q, v), (v, v) */
    bcgs_many_first_half(B, first, &step);
    /* s = r - alpha v; z = M^-1 s, or s */
    OVK_SWEEP(S, ovk__many_bcgs_half(rows(S), B->width, step.alpha, v,
                                     left ? ovk__diagonal_identity() : S->D, r, z));
    bcgs_many_apply(B, r, left ? y : z, t); /* t = B s */
    OVK_SWEEP(S, ovk__many_bcgs_sums(rows(S), B->width, r, t, q, *sums));
    OVK_TRY(ovk__many_op_reduce(B, SECOND, sums)); /* (t, s), (t, t), (s, s), (q, s), (q, t) */
    const bool any_lost = bcgs_many_second_half(B, sums, &step, rho_old, lost);
    OVK_SWEEP(S, /* x = x + alpha dp + omega ds; r = s - omega t */
              ovk__many_bcgs_full(rows(S), B->width, step.alpha, step.omega, dp, z, t, B->x, r));
    if (any_lost) OVK_TRY(bcgs_many_recompute(B, lost));
    OVK_TRY(bcgs_many_test(B, sums, rho_old, &step));
    bcgs_many_update_p(B, &step); /* p = r + beta (p - omega v) */
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_bcgs = {
    .vectors = WORK_VECTORS,
    .sums =
        {[FIRST] = OVK__BCGS_FIRST_SUMS, [SECOND] = OVK__BCGS_SUMS, [AGAIN] = OVK__BCGS_AGAIN_SUMS},
    .own = sizeof(ovk__bcgs_scalars),
    .reductions_per_iteration = 2,
    .iterate = bcgs_many_iterate,
};
