/* SPDX-License-Identifier: BSD-2-Clause */
/* The Chebyshev iteration (chebyshev.c) for several right-hand sides at once. Each column has its
 * own interval. A correction restarts the recurrence of its column, and costs one product. */
#include "solvers/many/ops_many.h"
#include "solvers/methods/chebyshev/chebyshev.h"

enum { RR };
enum { WORK_R, WORK_P, WORK_S, WORK_Z, WORK_VECTORS };
enum { SQUARE, RESTARTS, SCALARS };

/* Starts the intervals; without an estimate of the spectrum all columns leave. */
static void chebyshev_many_start(ovk__many *B)
{
  const ovk_solver *S = B->S;
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) continue;
    if (S->values.lambda_max > 0) {
      ovk__chebyshev_start(S, B->lane[c]->solve.norms.rr, B->lane[c]->own);
    } else {
      B->lane[c]->end = OVK__COLUMN_LEFT;
    }
  }
}

/* Tests the columns, and sets RESTARTS in those whose interval is corrected. */
static ovk_err chebyshev_many_test(ovk__many *B)
{
  for (int c = 0; c < B->width; c++) {
    const double rr = B->scalar[SQUARE][c];
    B->scalar[RESTARTS][c] = 0;
    if (ovk__many_runs(B, c)) OVK_TRY(ovk__many_test(B, c, rr));
    if (!ovk__many_runs(B, c) || !ovk__interval_correct(B->lane[c]->own, rr)) continue;
    B->scalar[RESTARTS][c] = 1;
    if (ovk__interval_failed(B->lane[c]->own)) B->lane[c]->end = OVK__COLUMN_LEFT;
  }
  return OVK_OK;
}

/* p = M^-1 r in the columns that restart; returns whether any does. */
static bool chebyshev_many_restart(ovk__many *B)
{
  bool which[OVK__WIDEST], any = false;
  double ignored[2][OVK__WIDEST];
  for (int c = 0; c < B->width; c++) {
    which[c] = B->scalar[RESTARTS][c] != 0;
    any = any || which[c];
  }
  if (!any) return false;
  ovk__many_op_apply(B, B->work[WORK_R], B->work[WORK_Z], ignored[0], ignored[1]);
  ovk__many_op_take(B, which, B->work[WORK_Z], B->work[WORK_P]);
  return true;
}

/* alpha of this step, and beta of the next one, for which the intervals advance. */
static void chebyshev_many_coefficients(ovk__many *B, double alpha[OVK__WIDEST],
                                        double beta[OVK__WIDEST])
{
  for (int c = 0; c < B->width; c++) {
    ovk__interval *I = ovk__many_runs(B, c) ? B->lane[c]->own : NULL;
    alpha[c] = I ? I->alpha : 0;
    beta[c] = I ? ovk__interval_advance(I) : 0;
  }
}

/* Counts an iteration of the columns, which is not tested. */
static void chebyshev_many_count(ovk__many *B)
{
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) B->S->counts.iterations = ++B->lane[c]->solve.counts.iterations;
  }
}

static ovk_err chebyshev_many_iterate(ovk__many *B)
{
  double *x = B->x, *r = B->work[WORK_R], *p = B->work[WORK_P], *s = B->work[WORK_S],
         *z = B->work[WORK_Z];
  double alpha[OVK__WIDEST], beta[OVK__WIDEST], *square = B->scalar[SQUARE];
  const bool plain = B->S->opts.norm == OVK_NORM_UNPRECONDITIONED;
  const ovk_poll none = ovk_poll_none();

  chebyshev_many_start(B);
  ovk__many_op_apply(B, r, p, alpha, beta); /* p = M^-1 r */
  if (!ovk__many_settle(B)) return OVK_OK;
  for (bool summing = false;;) {
    ovk__many_op_product(B, p, s, summing ? ovk__many_op_poll(B, RR) : none); /* s = A p */
    if (summing) {
      OVK_TRY(ovk__many_op_wait(B, RR, B->scalar + SQUARE)); /* end (r, r) */
      OVK_TRY(chebyshev_many_test(B));
      if (!ovk__many_settle(B)) return OVK_OK;
      summing = false;
      if (chebyshev_many_restart(B)) continue;
    }
    chebyshev_many_coefficients(B, alpha, beta);
    ovk__many_op_axpy_norm(B, alpha, s, r, square); /* r = r - alpha s */
    summing = ovk__chebyshev_norm_is_due(B->S);
    const bool needs_z = summing && !plain;
    if (needs_z) ovk__many_op_norm_of(B, r, z, square); /* M z = r; another norm of r */
    if (summing) {
      OVK_TRY(ovk__many_op_begin(B, RR, B->scalar + SQUARE)); /* begin (r, r) */
    } else {
      chebyshev_many_count(B);
    }
    const ovk_poll poll = summing ? ovk__many_op_poll(B, RR) : none;
    if (!needs_z) ovk__many_op_apply_other(B, r, z, poll); /* M z = r */
    ovk__many_op_update_x_p(B, alpha, r, z, beta, p, x);   /* x = x + alpha p; p = z + beta p */
  }
}

const ovk__many_form ovk__many_chebyshev = {
    .vectors = WORK_VECTORS,
    .sums = {[RR] = 1},
    .scalars = SCALARS,
    .own = sizeof(ovk__interval),
    .iterate = chebyshev_many_iterate,
};
