/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined BiCGStab: each of the two reductions of an iteration is overlapped with a
 * preconditioner and a product. Source: Cools and Vanroose, "The communication-hiding pipelined
 * BiCGStab method for the parallel solution of large unsymmetric linear systems" (2017), with
 * residual replacement when the recurrences have drifted too far (bcgs_residual_gap.h). The paper's
 * r~_0 is q; its q_i and y_i are r and w after the half step. If q is inaccurate
 * (shadow_residual.h), the process restarts. If a quantity vanishes, bcgs takes over from x. */
#include "solvers/convergence/convergence.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/kernels/updates/updates_pipebcgs.h"
#include "solvers/methods/bcgs/bcgs_residual_gap.h"
#include "solvers/methods/bcgs/shadow_residual.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/ops_overlapped.h"
#include "solvers/state/work.h"

#include <math.h>

enum { FULL, HALF };

/* p is M^-1 times the p of BiCGStab. */
typedef struct vectors {
  OVK__PB_LETTERS(OVK__VECTOR, OVK__VECTOR)
} vectors;

static ovk__pb_arrays pipebcgs_arrays(const vectors *v)
{
  return (ovk__pb_arrays){OVK__PB_LETTERS(OVK__ARRAY_OF, OVK__ARRAY_OF)};
}

static void pipebcgs_mark_full(ovk_solver *S, const ovk__pb_arrays *a,
                               double full[OVK__PB_FULL_SUMS])
{
  const ovk__pair pairs[OVK__PB_FULL_SUMS] = {[OVK__PB_QR] = ovk__pair_of(a->q, a->r),
                                              [OVK__PB_QW] = ovk__pair_of(a->q, a->w),
                                              [OVK__PB_RR] = ovk__pair_of(a->r, a->r),
                                              [OVK__PB_WW] = ovk__pair_of(a->w, a->w),
                                              [OVK__PB_XX] = ovk__pair_of(a->x, a->x)};
  OVK_SWEEP(S, ovk__mark_pairs(S, OVK__PB_FULL_SUMS, pairs, full));
}

static void pipebcgs_mark_half(ovk_solver *S, const ovk__pb_arrays *a,
                               double half[OVK__PB_HALF_SUMS])
{
  const ovk__pair pairs[OVK__PB_HALF_SUMS] = {
      [OVK__PB_YR] = ovk__pair_of(a->w, a->r),      [OVK__PB_YY] = ovk__pair_of(a->w, a->w),
      [OVK__PB_RR_HALF] = ovk__pair_of(a->r, a->r), [OVK__PB_QS] = ovk__pair_of(a->q, a->s),
      [OVK__PB_QZ] = ovk__pair_of(a->q, a->z),      [OVK__PB_SS] = ovk__pair_of(a->s, a->s),
      [OVK__PB_ZZ] = ovk__pair_of(a->z, a->z),      [OVK__PB_PP] = ovk__pair_of(a->p, a->p)};
  OVK_SWEEP(S, ovk__mark_pairs(S, OVK__PB_HALF_SUMS, pairs, half));
}

/* The inner products of r, w and x; cw = M^-1 w for a diagonal M. */
static void pipebcgs_dots(ovk_solver *S, const vectors *V, double full[OVK__PB_FULL_SUMS])
{
  const ovk__pb_arrays a = pipebcgs_arrays(V);
  OVK_SWEEP(S, ovk__pipebcgs_sums(rows(S), S->D, &a, full));
  if (S->marks) pipebcgs_mark_full(S, &a, full);
}

/* q = r; cr = M^-1 r; w = A cr; the others are 0. */
static void pipebcgs_setup(ovk_solver *S, const vectors *V, double full[OVK__PB_FULL_SUMS])
{
  ovk_vec *const zero[] = {V->v, V->p, V->s, V->z, V->cs, V->cz};
  for (size_t k = 0; k < sizeof zero / sizeof *zero; k++) (void)ovk_vec_fill(zero[k], 0);
  ovk__op_record_error(S, ovk_vec_copy(V->r, V->q));
  ovk__op_apply(S, V->r, V->cr, ovk_poll_none());
  ovk__op_product(S, V->cr, V->w, ovk_poll_none());
  pipebcgs_dots(S, V, full);
}

/* r = b - A x (OVK__REPLACE_ALL only); cr = M^-1 r; w = A cr; s = A p; cs = M^-1 s; z = A cs;
 * cz = M^-1 z; v = A cz: with a v of the z before, s and z would part in the next step. */
static void pipebcgs_replace(ovk_solver *S, const vectors *V, ovk__replacement replacement,
                             double full[OVK__PB_FULL_SUMS])
{
  const ovk_poll none = ovk_poll_none();
  double bb;
  if (replacement == OVK__REPLACE_ALL) (void)ovk__op_residual(S, V->x, V->r, &bb);
  ovk__op_apply(S, V->r, V->cr, none);
  ovk__op_product(S, V->cr, V->w, none);
  ovk__op_product(S, V->p, V->s, none);
  ovk__op_apply(S, V->s, V->cs, none);
  ovk__op_product(S, V->cs, V->z, none);
  ovk__op_apply(S, V->z, V->cz, none);
  ovk__op_product(S, V->cz, V->v, none);
  pipebcgs_dots(S, V, full);
  S->counts.replacements++;
}

/* p, s, z, and the half step r = r - alpha s, w = w - alpha z; (y, r), (y, y), ... during cz = M^-1
 * z and v = A cz. */
static ovk_err pipebcgs_half_step(ovk_solver *S, const vectors *V, const ovk__bcgs_coeffs *k,
                                  double half[OVK__PB_HALF_SUMS])
{
  const ovk__pb_arrays a = pipebcgs_arrays(V);
  OVK_SWEEP(S, ovk__pipebcgs_half(rows(S), k, S->D, &a, half));
  if (S->marks) pipebcgs_mark_half(S, &a, half);
  OVK_TRY(ovk__op_begin(S, HALF, half));
  const ovk_poll poll = ovk__op_poll(S, HALF);
  ovk__op_apply_other(S, V->z, V->cz, poll); /* cz = M^-1 z */
  ovk__op_product(S, V->cz, V->v, poll);     /* v = A cz */
  return ovk__op_wait(S, HALF, half);
}

/* x = x + alpha p + omega cr; r = r - omega y; cr; w */
static void pipebcgs_full_step(ovk_solver *S, const vectors *V, const ovk__bcgs_coeffs *k,
                               double full[OVK__PB_FULL_SUMS])
{
  const ovk__pb_arrays a = pipebcgs_arrays(V);
  OVK_SWEEP(S, ovk__pipebcgs_full(rows(S), k, S->D, &a, full));
  if (S->marks) pipebcgs_mark_full(S, &a, full);
}

/* (q, r), (q, w), ... during cw = M^-1 w and t = A cw. */
static ovk_err pipebcgs_next_product(ovk_solver *S, const vectors *V,
                                     double full[OVK__PB_FULL_SUMS])
{
  OVK_TRY(ovk__op_begin(S, FULL, full));
  const ovk_poll poll = ovk__op_poll(S, FULL);
  ovk__op_apply_other(S, V->w, V->cw, poll); /* cw = M^-1 w */
  ovk__op_product(S, V->cw, V->t, poll);     /* t = A cw */
  return ovk__op_wait(S, FULL, full);
}

/* If vectors have been recomputed this often, and once in so many iterations, overlapping no longer
 * pays, and bcgs takes over. */
enum { OFTEN = 4, INTERVAL = 10 };

/* A total, and its factors. */
typedef struct total {
  double value;
  const char *name;
  const ovk_vec *u, *v;
} total;

/* Ends the solve if a total is not finite; z and s = A z are the newest vectors that can be the
 * cause. */
static bool pipebcgs_is_bad(ovk_solver *S, const total *totals, int n, const ovk_vec *z,
                            const ovk_vec *s)
{
  for (int k = 0; k < n; k++) {
    if (isfinite(totals[k].value)) continue;
    const ovk__bad_sum bad = {totals[k].name,
                              totals[k].u,
                              totals[k].v,
                              S->counts.iterations + 1,
                              {{z, "the preconditioner's output"},
                               {s, "the product of A"},
                               {totals[k].u, "a vector of it"}}};
    ovk__op_record_error(S, ovk__diagnose_value(S, &bad));
    return true;
  }
  return false;
}

static bool pipebcgs_half_is_bad(ovk_solver *S, const vectors *V,
                                 const double half[OVK__PB_HALF_SUMS])
{
  const total totals[] = {{half[OVK__PB_PP], "(M^-1 p, M^-1 p)", V->p, V->p},
                          {half[OVK__PB_SS], "(A M^-1 p, A M^-1 p)", V->s, V->s},
                          {half[OVK__PB_QS], "(r~, A M^-1 p)", V->q, V->s},
                          {half[OVK__PB_ZZ], "(A M^-1 s, A M^-1 s)", V->z, V->z},
                          {half[OVK__PB_QZ], "(r~, A M^-1 s)", V->q, V->z},
                          {half[OVK__PB_RR_HALF], "(q, q)", V->r, V->r},
                          {half[OVK__PB_YY], "(y, y)", V->w, V->w},
                          {half[OVK__PB_YR], "(q, y)", V->r, V->w}};
  return pipebcgs_is_bad(S, totals, OVK__PB_HALF_SUMS, V->cw, V->t);
}

static bool pipebcgs_full_is_bad(ovk_solver *S, const vectors *V,
                                 const double full[OVK__PB_FULL_SUMS], bool first)
{
  const total totals[] = {{full[OVK__PB_RR], "(r, r)", V->r, V->r},
                          {full[OVK__PB_QR], "(r~, r)", V->q, V->r},
                          {full[OVK__PB_WW], "(A M^-1 r, A M^-1 r)", V->w, V->w},
                          {full[OVK__PB_QW], "(r~, A M^-1 r)", V->q, V->w},
                          {full[OVK__PB_XX], "(x, x)", V->x, V->x}};
  return pipebcgs_is_bad(S, totals, OVK__PB_FULL_SUMS, first ? V->cr : V->cz, first ? V->w : V->v);
}

/* Restarts from x with q = r. */
static void pipebcgs_restart(ovk_solver *S, const vectors *V, double full[OVK__PB_FULL_SUMS])
{
  double bb;
  (void)ovk__op_residual(S, V->x, V->r, &bb);
  pipebcgs_setup(S, V, full);
  S->counts.replacements++;
}

/* Whether overlapping still pays. */
static bool pipebcgs_overlap_pays(int replacements, int iterations)
{
  return replacements < OFTEN || INTERVAL * replacements <= iterations;
}

static ovk_err pipebcgs_iterate(ovk_solver *S)
{
  vectors V;
  const int iterations = S->counts.iterations, replacements = S->counts.replacements;
  double half[OVK__PB_HALF_SUMS] = {0}, full[OVK__PB_FULL_SUMS];
  double rho = 0, qq = 0, omega_old = 0;
  ovk__bcgs_coeffs k;
  ovk__bcgs_residual_gap gap;
  bool fresh = true; /* q = r, and there is no p */

  OVK__WORK_NAME(S, vectors, &V);
  pipebcgs_setup(S, &V, full); /* q = r; cr = M^-1 r; w = A cr */
  while (pipebcgs_overlap_pays(S->counts.replacements - replacements,
                               S->counts.iterations - iterations)) {
    OVK_TRY(
        pipebcgs_next_product(S, &V, full)); /* (q, r), (q, w), ... during cw = M^-1 w; t = A cw */
    ovk__replacement replacement = OVK__REPLACE_NONE;
    if (!fresh && isfinite(full[OVK__PB_RR])) { /* r and x may be complete where w is not finite */
      OVK_TRY(ovk__convergence_test(S, full[OVK__PB_RR], V.cr, 0, NULL));
      if (S->reason) return OVK_OK;
    }
    if (pipebcgs_full_is_bad(S, &V, full, fresh)) return OVK_OK;
    if (fresh) {
      k = (ovk__bcgs_coeffs){0};
      qq = full[OVK__PB_RR];
      ovk__bcgs_residual_gap_start(&gap, full, sqrt(S->norms.plain_bb), S->norms.tolerance);
    } else {
      replacement = ovk__bcgs_residual_gap_update(&gap, half, full, &k, omega_old);
      if (ovk__bcgs_vanished(half[OVK__PB_YR], half[OVK__PB_YY], half[OVK__PB_RR_HALF])) break;
      k.beta = full[OVK__PB_QR] / rho * (k.alpha / k.omega);
    }
    rho = full[OVK__PB_QR];
    const double sigma = full[OVK__PB_QW] + /* (q, s) of the next s = w + beta (s - omega z) */
                         k.beta * (half[OVK__PB_QS] - k.omega * half[OVK__PB_QZ]);
    k.alpha = rho / sigma;
    bool restart = ovk__bcgs_restart_needed(fresh, rho, qq, full[OVK__PB_RR]) || !isfinite(k.alpha);
    if (!restart) {
      OVK_TRY(pipebcgs_half_step(S, &V, &k, half)); /* p, s, z; r, w; (y, r), ... during cz, v */
      if (pipebcgs_half_is_bad(S, &V, half)) return OVK_OK;
      restart = ovk__bcgs_restart_needed(fresh, sigma, qq, half[OVK__PB_SS]);
    }
    if (restart && fresh) break;
    fresh = restart;
    if (restart) {
      pipebcgs_restart(S, &V, full);
      continue;
    }
    omega_old = k.omega;
    k.omega = half[OVK__PB_YY] > 0 ? half[OVK__PB_YR] / half[OVK__PB_YY] : 0;
    pipebcgs_full_step(S, &V, &k, full); /* x, r, cr, w */
    if (replacement) pipebcgs_replace(S, &V, replacement, full);
  }
  return OVK_OK; /* without a reason: bcgs takes over from x */
}

static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN, .sum = FULL},
    {.kind = OVK__PRECOND, .sum = FULL, .polls = true},
    {.kind = OVK__PRODUCT, .sum = FULL, .polls = true},
    {.kind = OVK__WAIT, .sum = FULL},
    {.kind = OVK__UPDATE, .doubles = {15, 16, 19}, .dots = 8},
    {.kind = OVK__BEGIN, .sum = HALF},
    {.kind = OVK__PRECOND, .sum = HALF, .polls = true},
    {.kind = OVK__PRODUCT, .sum = HALF, .polls = true},
    {.kind = OVK__WAIT, .sum = HALF},
    {.kind = OVK__UPDATE, .doubles = {12, 13, 14}, .dots = 5},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_pipebcgs = {
    .name = "pipebcgs",
    .aliases = "pipelined-bicgstab",
    .summary = "BiCGStab of Cools and Vanroose; 2 reductions, each overlapped with M and A",
    .A = OVK__A_ANY,
    .refused_norms = {OVK__RIGHT_REFUSES},
    .vectors = OVK__WORK_COUNT(vectors),
    .sums = {[FULL] = {.count = OVK__PB_FULL_SUMS, .status = true},
             [HALF] = {.count = OVK__PB_HALF_SUMS}},
    .reductions_per_iteration = 2,
    .phases = phases,
    .fallback = &ovk__method_bcgs,
    .iterate = pipebcgs_iterate,
};
