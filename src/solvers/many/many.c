/* SPDX-License-Identifier: BSD-2-Clause */
/* The begin and the end of blocks of columns, and the decisions about each column. */
#include "solvers/many/many.h"
#include "solvers/convergence/convergence.h"
#include "solvers/convergence/result.h"
#include "solvers/many/columns.h"
#include "solvers/many/ops_many.h"
#include "solvers/ops/scale.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The squares of columns whose x has NaN or Inf become NaN: A may have no entry for it. */
static void many_check_finite(const ovk__many *B, double *squares)
{
  const int w = B->width;
  const int64_t values = (int64_t)B->S->A->layout.local * w;
  int64_t wrong = 0;
  for (int64_t k = 0; k < values; k++) wrong += !(fabs(B->x[k]) <= DBL_MAX);
  for (int64_t k = 0; wrong > 0 && k < values; k++) {
    if (!(fabs(B->x[k]) <= DBL_MAX)) squares[k % w] = NAN;
  }
}

/* r <- b - A x in work[OVK__WORK_R], and the squares. */
static ovk_err many_residual(ovk__many *B, bool x_is_zero, ovk__lane_values s[SQUARES])
{
  double *r = B->work[OVK__WORK_R], *Ax = B->work[1], *z = B->work[2];
  const bool plain = B->S->opts.norm == OVK_NORM_UNPRECONDITIONED;
  ovk__many_gather(B, B->rhs, r);
  if (!plain) ovk__many_op_norm_of(B, r, z, s[B_TEST]);
  if (x_is_zero) {
    memset(Ax, 0, (size_t)B->width * (size_t)B->S->A->layout.local * sizeof *Ax);
  } else {
    ovk__many_op_product(B, B->x, Ax, ovk_poll_none());
  }
  ovk__many_op_residual(B, Ax, r, s[B_PLAIN], s[R_PLAIN]);
  if (!plain) ovk__many_op_norm_of(B, r, z, s[R_TEST]);
  if (!x_is_zero) many_check_finite(B, s[R_PLAIN]);
  if (plain) memcpy(s[B_TEST], s[B_PLAIN], sizeof *s);
  if (plain) memcpy(s[R_TEST], s[R_PLAIN], sizeof *s);
  return ovk__many_op_reduce(B, OVK__MANY_SQUARES, s);
}

/* "auto" has taken A for definite, and that has failed, as in solve.c. */
static bool many_guess_failed(const ovk_solver *S)
{
  return S->selection.spd_assumed && S->counts.iterations >= S->A->layout.global;
}

void ovk__many_judge(ovk__column *column)
{
  const ovk_solver *S = &column->solve;
  if (!S->reason) return;
  const bool usual = S->reason > 0 || (S->reason == OVK_REASON_MAXIT && !many_guess_failed(S));
  column->end = usual ? OVK__COLUMN_ENDED : OVK__COLUMN_LEFT;
}

/* The start of a column whose squares are b and r. */
static ovk_err many_start(ovk__many *B, ovk__column *column, const ovk__square *b,
                          const ovk__square *r)
{
  column->solve = *B->S;
  column->end = OVK__COLUMN_RUNS;
  if (!ovk__scale_fits(b, r) || r->test < 0) {
    column->end = OVK__COLUMN_LEFT; /* b is 0, something is not finite, or has to be scaled */
    return OVK_OK;
  }
  OVK_TRY(ovk__convergence_start(&column->solve, b, r));
  ovk__many_judge(column);
  return OVK_OK;
}

ovk_err ovk__many_load(ovk__many *B, const ovk_multivec *b, ovk_multivec *x, int first, int n,
                       bool x_is_zero)
{
  ovk__lane_values s[SQUARES] = {{0}};
  ovk__solve_reset(B->S, NULL, NULL);
  B->n = n;
  B->width = ovk__many_width(n);
  B->rhs = b;
  B->solution = x;
  for (int c = 0; c < OVK__WIDEST; c++) {
    B->lane[c] = c < n ? &B->columns[c] : NULL;
    B->columns[c].index = first + c;
    B->columns[c].solve.fingerprint = 0;
  }
  memset(B->scalar, 0, (size_t)B->size.scalars * sizeof *B->scalar);
  for (int k = 0; !B->form->overwrites && k < B->size.vectors; k++) {
    ovk__many_op_zero(B, B->work[k]);
  }
  ovk__many_gather(B, x, B->x);
  OVK_TRY(many_residual(B, x_is_zero, s));
  for (int c = 0; c < n; c++) {
    const ovk__square bb = {s[B_PLAIN][c], s[B_TEST][c]}, rr = {s[R_PLAIN][c], s[R_TEST][c]};
    OVK_TRY(many_start(B, &B->columns[c], &bb, &rr));
  }
  (void)ovk__many_settle(B);
  return OVK_OK;
}

ovk_err ovk__many_test(ovk__many *B, int c, double rr)
{
  ovk__column *column = B->lane[c];
  if (!isfinite(rr)) {
    column->end = OVK__COLUMN_LEFT;
    return OVK_OK;
  }
  OVK_TRY(ovk__convergence_test(&column->solve, rr, NULL, 0, NULL));
  B->S->counts.iterations = column->solve.counts.iterations;
  ovk__many_judge(column);
  return OVK_OK;
}

bool ovk__many_positive(ovk__many *B, int c, double value)
{
  if (value > 0 && isfinite(value)) return true;
  B->lane[c]->end = OVK__COLUMN_LEFT;
  return false;
}

bool ovk__many_settle(ovk__many *B)
{
  bool keeps_x[OVK__WIDEST] = {false}, freed[OVK__WIDEST] = {false};
  int running = 0;
  for (int c = 0; c < B->width; c++) {
    const ovk__column *column = B->lane[c];
    if (!column) continue;
    running += column->end == OVK__COLUMN_RUNS;
    freed[c] = column->end != OVK__COLUMN_RUNS;
    keeps_x[c] = column->end == OVK__COLUMN_ENDED || column->end == OVK__COLUMN_CONTINUES;
  }
  const int narrow = ovk__many_width(running);
  ovk__many_store(B, keeps_x, B->solution);
  if (running > 0 && narrow == B->width) ovk__many_clear(B, freed);
  for (int c = 0; c < B->width; c++) {
    if (freed[c]) B->lane[c] = NULL;
  }
  if (running > 0 && narrow < B->width) ovk__many_pack(B, narrow);
  return running > 0;
}

/* The end of a column with the recomputed residual r, as for a single solve. */
static ovk_err many_confirm(ovk__column *column, const ovk__square *r)
{
  ovk_solver *S = &column->solve;
  if (!isfinite(r->plain) || !isfinite(r->test)) {
    column->end = OVK__COLUMN_CONTINUES;
    return OVK_OK;
  }
  OVK_TRY(ovk__convergence_confirm(S, r));
  if (S->reason <= 0 && S->reason != OVK_REASON_MAXIT) column->end = OVK__COLUMN_CONTINUES;
  return OVK_OK;
}

ovk_err ovk__many_finish(ovk__many *B)
{
  ovk__lane_values s[SQUARES] = {{0}};
  int n = 0;
  for (int c = 0; c < OVK__WIDEST; c++) B->lane[c] = NULL;
  for (int k = 0; k < B->n; k++) {
    if (B->columns[k].end == OVK__COLUMN_ENDED) B->lane[n++] = &B->columns[k];
  }
  if (n == 0) return OVK_OK;
  B->width = ovk__many_width(n);
  ovk__many_gather(B, B->solution, B->x);
  OVK_TRY(many_residual(B, false, s));
  for (int c = 0; c < n; c++) {
    const ovk__square rr = {s[R_PLAIN][c], s[R_TEST][c]};
    OVK_TRY(many_confirm(B->lane[c], &rr));
  }
  return OVK_OK;
}
