/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the classic methods, for parts that are marks. */
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/kernels/updates/updates.h"
#include "solvers/ops/marks.h"

/* r <- b - r */
typedef struct mark_difference {
  const double *b;
  double *r;
} mark_difference;

static void mark_subtract_rows(void *arg, ovk_lidx first, ovk_lidx n)
{
  const mark_difference *u = arg;
  double bb;
  (void)ovk__residual(n, u->b + first, u->r + first, &bb);
}

double ovk__mark_residual(ovk_solver *S, const double *b, double *r, double *bb)
{
  mark_difference both = {b, r};
  const ovk__row_update update = {mark_subtract_rows, NULL, &both};
  const ovk__pair pairs[] = {ovk__pair_of(b, b), ovk__pair_of(r, r)};
  double parts[2];
  ovk__mark_sweep(S, &update, 2, pairs, parts);
  *bb = parts[0];
  return parts[1];
}

/* r <- r - alpha s */
typedef struct mark_step {
  double alpha;
  const double *s;
  double *r;
  ovk__diagonal D;
  bool of_z;
} mark_step;

static void mark_step_rows(void *arg, ovk_lidx first, ovk_lidx n)
{
  const mark_step *u = arg;
  ovk__axpy(n, -u->alpha, u->s + first, u->r + first, ovk_poll_none());
}

static bool mark_step_and_add(void *arg, ovk_lidx first, ovk_lidx n, ovk__exact_sum *const *sums)
{
  const mark_step *u = arg;
  return ovk__cg_update_r_exact(n, u->alpha, u->s + first, ovk__diagonal_from(u->D, first), u->of_z,
                                u->r + first, sums);
}

double ovk__mark_axpy_norm(ovk_solver *S, double alpha, const double *s, double *r)
{
  mark_step step = {.alpha = alpha, .s = s, .r = r};
  const ovk__row_update update = {mark_step_rows, NULL, &step};
  const ovk__pair pair = ovk__pair_of(r, r);
  double rr;
  ovk__mark_sweep(S, &update, 1, &pair, &rr);
  return rr;
}

double ovk__mark_update_r(ovk_solver *S, double alpha, const double *s, bool of_z, double *r,
                          double *rz)
{
  mark_step step = {alpha, s, r, S->D, of_z};
  const ovk__row_update update = {mark_step_rows, mark_step_and_add, &step};
  const ovk__pair pairs[] = {{.x = r, .y = r, .scale_x = of_z, .scale_y = of_z},
                             {.x = r, .y = r, .scale_y = true}};
  double parts[2];
  ovk__mark_sweep(S, &update, 2, pairs, parts);
  *rz = parts[1];
  return parts[0];
}
