/* SPDX-License-Identifier: BSD-2-Clause */
/* MINRES (minres.c) for several right-hand sides at once. Each column has its own rotations. The
 * pending xp p of a column that ends is added by the sweep before it leaves the block. */
#include "solvers/kernels/many/minres_many.h"
#include "solvers/many/ops_many.h"
#include "solvers/methods/minres/minres_process.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <string.h>

enum { SUMS };
enum { WORK_V, WORK_V_OLD, WORK_Z, WORK_U, WORK_P, WORK_P_OLD, WORK_E, WORK_VECTORS };

/* Completes a step of the column in lane c with its totals, except the first, and tests it; the
 * coefficients of the next one. A column for which minres.c needs more than its scalars leaves, at
 * its end also one whose x of least residual would be needed. */
static ovk_err minres_many_step(ovk__many *B, int c, const double sums[OVK__MINRES_SUMS],
                                bool first, ovk__minres_coeffs *step)
{
  ovk__column *column = B->lane[c];
  ovk__minres_process *q = column->own;
  bool goes_on = sums[OVK__VZ] >= 0, found;
  double rr;
  for (int k = 0; k < OVK__MINRES_SUMS; k++) goes_on = goes_on && isfinite(sums[k]);
  if (goes_on) ovk__minres_take_gamma(q, sums[OVK__VZ], first);
  if (goes_on && !first) {
    goes_on = ovk__minres_end_step(B->S, q, sums, step, &rr);
    if (goes_on) OVK_TRY(ovk__many_test(B, c, rr));
    if (!ovk__many_runs(B, c)) {
      if (column->solve.reason < 0 && q->null_rr > 0) column->end = OVK__COLUMN_LEFT;
      return OVK_OK;
    }
    goes_on = goes_on && !ovk__minres_watch(q, rr, column->solve.counts.iterations, &found);
  }
  if (!goes_on) {
    column->end = OVK__COLUMN_LEFT;
  } else if (q->gamma == 0) {
    column->end = OVK__COLUMN_ENDED;
  } else {
    ovk__minres_begin_step(q, sums, step);
  }
  return OVK_OK;
}

/* The same for all columns. */
static ovk_err minres_many_steps(ovk__many *B, ovk__lane_values *sums, bool first,
                                 ovk__lane_values steps[OVK__MINRES_COEFFS])
{
  for (int c = 0; c < B->width; c++) {
    ovk__minres_coeffs step = {.ee = 1};
    double own[OVK__MINRES_SUMS];
    for (int k = 0; k < OVK__MINRES_SUMS; k++) own[k] = sums[k][c];
    if (ovk__many_runs(B, c)) OVK_TRY(minres_many_step(B, c, own, first, &step));
    const double in_order[OVK__MINRES_COEFFS] = {step.xp, step.ee, step.ed, step.pz, step.pp,
                                                 step.po, step.vu, step.vv, step.vo};
    for (int k = 0; k < OVK__MINRES_COEFFS; k++) steps[k][c] = in_order[k];
  }
  return OVK_OK;
}

/* The arrays of a step with an even or an odd number: v and p have changed places with v_old and
 * p_old. */
static ovk__minres_arrays minres_many_arrays(const ovk__many *B, bool odd)
{
  double **work = B->work;
  return (ovk__minres_arrays){.u = work[WORK_U],
                              .v = work[odd ? WORK_V_OLD : WORK_V],
                              .p = work[odd ? WORK_P_OLD : WORK_P],
                              .z = work[WORK_Z],
                              .v_old = work[odd ? WORK_V : WORK_V_OLD],
                              .p_old = work[odd ? WORK_P : WORK_P_OLD],
                              .x = B->x,
                              .e = work[WORK_E],
                              .d_is_z = tests_z(B->S)};
}

/* The inner products of v, z and e. */
static void minres_many_add_up(ovk__many *B, const double *v, ovk__lane_values *sums)
{
  ovk_solver *S = B->S;
  OVK_SWEEP(S, ovk__many_dots_minres(rows(S), B->width, v, B->work[WORK_Z], B->work[WORK_E],
                                     tests_z(S), *sums));
}

/* z = M^-1 r, e = r or z, v_old = p = p_old = 0, and the sums. */
static void minres_many_setup(ovk__many *B, ovk__lane_values *sums)
{
  double *r = B->work[WORK_V], *z = B->work[WORK_Z];
  ovk__minres_coeffs unused;
  ovk__many_op_apply(B, r, z, sums[OVK__VZ], sums[OVK__DD]);
  memcpy(B->work[WORK_E], tests_z(B->S) ? z : r, (size_t)B->width * (size_t)rows(B->S) * sizeof *r);
  ovk__many_op_zero(B, B->work[WORK_V_OLD]);
  ovk__many_op_zero(B, B->work[WORK_P]);
  ovk__many_op_zero(B, B->work[WORK_P_OLD]);
  minres_many_add_up(B, r, sums);
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) ovk__minres_start(&B->lane[c]->solve, B->lane[c]->own, &unused);
  }
}

static ovk_err minres_many_iterate(ovk__many *B)
{
  ovk_solver *S = B->S;
  ovk__lane_values *sums = B->scalar, steps[OVK__MINRES_COEFFS];

  minres_many_setup(B, sums);
  for (int k = 0; ovk__many_settle(B); k++) {
    const ovk__minres_arrays a = minres_many_arrays(B, k % 2);
    ovk__many_op_mult(B, a.z, B->work[WORK_U], sums[OVK__UZ]); /* u = A z */
    OVK_TRY(ovk__many_op_reduce(B, SUMS, sums));               /* (v, z), (u, z), those of e */
    OVK_TRY(minres_many_steps(B, sums, k == 0, steps));
    OVK_SWEEP(S, /* x, e, p, v; z = M^-1 v and the sums for a diagonal M */
              ovk__many_update_minres(rows(S), B->width, *steps, S->D, &a, *sums));
    if (S->D.d) continue;
    ovk__many_op_apply_other(B, a.v_old, a.z, ovk_poll_none()); /* z = M^-1 v */
    minres_many_add_up(B, a.v_old, sums);
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_minres = {
    .vectors = WORK_VECTORS,
    .sums = {[SUMS] = OVK__MINRES_SUMS},
    .scalars = OVK__MINRES_SUMS,
    .own = sizeof(ovk__minres_process),
    .reductions_per_iteration = 1,
    .iterate = minres_many_iterate,
};
