/* SPDX-License-Identifier: BSD-2-Clause */
/* Deep-pipelined PCG, p(l)-CG: a reduction is completed l iterations after its begin. Source:
 * Cornelis, Cools, Vanroose, "The communication-hiding conjugate gradient method with deep
 * pipelines" (2018), in the stable form of Cools, Cornelis, Vanroose (2019), where all P_k(B) v
 * have three-term recurrences. Here two inner products an iteration give the new entries of T
 * (lanczos.h), and the vectors are unpreconditioned, so that v_j is r_j / zeta_j: (v_j, v_j) is
 * part of the reduction begun when v_j is computed. So ||r_j|| is the norm of the other methods,
 * and is known l iterations later, when the vectors for x_j+l exist; x stays at x_j until then. An
 * exit costs 2 l more products than iterations.
 *
 * The extreme eigenvalues are estimated when a solver is created (precond/spectrum.h). The first
 * iteration is a blocking Lanczos step (blocking_lanczos.c): a right-hand side close to an
 * eigenvector has a small delta_0, which the pipeline would compute to a few digits only. One more
 * inner product, whose value T predicts, detects the loss of orthogonality of the v. Then, and if a
 * pivot of T is not positive, x stays at the last good iterate, and blocking steps continue from
 * there without a restart of CG. If the pipeline was not twice as long as the blocking steps before
 * it, the next blocking steps are twice as many. */
#include "solvers/convergence/convergence.h"
#include "solvers/methods/pipelcg/pipelcg_state.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/ops_overlapped.h"
#include "solvers/state/method_options.h"

#include <math.h>

/* Blocking steps: before the first pipeline if no eigenvalue bounds are known; and the maximum. */
enum { STARTUP_STEPS = 10, MAX_STEPS = 1 << 20 };

/* The allowed error of (P_l(B) v_m-1, v_m), relative to ||P_l(B) v||: orthogonalizing v again
 * changes r by some hundred times that error, which must be a fraction of the tolerance.
 * Orthogonality is lost by a constant factor an iteration: a bound above MOST_DRIFT would gain few
 * iterations, one below LEAST_DRIFT would be within rounding. */
static const double SHARE = 1e-3, MOST_DRIFT = 1e-10, LEAST_DRIFT = 1e-12;

/* Work vectors; after them two for each level k >= 1, then the ring buffer of 3 l + 2 vectors v. */
enum { WORK_W, WORK_Z, WORK_Z_OLD, WORK_M, WORK_P, WORK_MP, WORK_Y, WORK_LEVELS };
enum { RING_VECTORS = 2, LEVEL_VECTORS = 2, RING_VECTORS_PER_DEPTH = 3 };

/* How a pipeline has ended. */
typedef enum ending { RUNNING, FINISHED, SPOILED, DRIFTED, NOT_FINITE } ending;

/* Assigns the vectors of S->work; w is r = b - A x. */
static void pipelcg_setup(ovk_solver *S, ovk__pipelcg_state *d)
{
  const int l = S->settings.depth;
  ovk_vec **work = S->work, **levels = work + WORK_LEVELS;
  *d = (ovk__pipelcg_state){.T = {.depth = l, .zeta = {1}},
                            .least_rr = S->norms.rr,
                            .ring_size = RING_VECTORS_PER_DEPTH * l + RING_VECTORS,
                            .w = work[WORK_W],
                            .z = work[WORK_Z],
                            .z_old = work[WORK_Z_OLD],
                            .m = work[WORK_M],
                            .p = work[WORK_P],
                            .P = work[WORK_MP],
                            .y = work[WORK_Y],
                            .ring = levels + (ptrdiff_t)LEVEL_VECTORS * l};
  for (int k = 1; k <= l; k++) {
    ovk_vec **const of_level = levels + (ptrdiff_t)LEVEL_VECTORS * (k - 1);
    d->now[k] = of_level[0];
    d->old[k] = of_level[1];
  }
  (void)ovk_vec_fill(d->p, 0);
  (void)ovk_vec_fill(d->P, 0);
  (void)ovk_vec_fill(ovk__pipelcg_v(d, -1), 0);
}

/* Tests the norm of r_m = zeta_m v_m of x_m, and the orthogonality of v_m. `size` is ||P_l(B)
 * v_m-1||. */
static ovk_err pipelcg_test_norm(ovk_solver *S, ovk__pipelcg_state *d, int m, const double *sums,
                                 double size, ending *end)
{
  const double zeta = d->T.zeta[ovk__lanczos_at(m)];
  const int every = S->opts.true_residual_every;
  const ovk_vec *p = NULL;
  if (m <= d->tested) return OVK_OK;
  if (!isfinite(sums[OVK__VV_PIPELCG])) {
    *end = NOT_FINITE;
    return OVK_OK;
  }
  if (every && (S->counts.iterations + 1) % every == 0) {
    ovk__op_apply(S, d->y, S->check[1], ovk_poll_none());
    p = S->check[1];
  }
  d->j = d->tested = m;
  const double vv = S->opts.norm == OVK_NORM_NATURAL ? 1 : sums[OVK__VV_PIPELCG];
  S->monitor.precond_update = d->y;
  const ovk_err err = ovk__convergence_test(S, zeta * zeta * vv, d->z, 1, p);
  S->monitor.precond_update = NULL;
  OVK_TRY(err);
  const double right = S->D.d ? 1 : ovk__lanczos_expect(&d->T, m);
  const double allowed =
      fmin(MOST_DRIFT, fmax(LEAST_DRIFT, SHARE * S->norms.tolerance / sqrt(S->norms.rr)));
  const double drift = fabs(sums[OVK__CHECK_PIPELCG] - right) / (S->D.d ? 1 : size);
  if (S->reason) {
    *end = FINISHED;
  } else if (ovk__pipelcg_stalls(d, S->norms.rr)) {
    d->failed = true;
    *end = DRIFTED;
  } else if (!(drift <= allowed)) {
    *end = DRIFTED;
  }
  return OVK_OK;
}

/* x_m+1 <- x_m */
static void pipelcg_advance_x(ovk_solver *S, ovk__pipelcg_state *d, int m)
{
  OVK_SWEEP(S, ovk__pipelcg_advance(rows(S), d->T.zeta[ovk__lanczos_at(m)],
                                    ovk__pipelcg_v(d, m)->array, ovk__lanczos_beta(&d->T, m),
                                    ovk__lanczos_alpha(&d->T, m), d->P->array, d->y->array));
}

/* The pipeline, starting from v_j and v_j-1. Iteration i multiplies z_i with A, waits for the
 * reduction of iteration e = i - l, which gives gamma_e and delta_e, and computes v_e+1 and
 * z_i+1. */
static ovk_err pipelcg_pipeline(ovk_solver *S, ovk__pipelcg_state *d, ending *end)
{
  const int start = d->j, l = d->T.depth;
  double sums[OVK__PIPELCG_SUMS], size = 0;
  int i, e, m;
  OVK_TRY(ovk__pipelcg_begin_normalize(S, d));
  ovk__pipelcg_start_levels(S, d, ovk__op_poll(S, OVK__BLOCKING_NORM));
  OVK_TRY(ovk__pipelcg_end_normalize(S, d));
  if (S->reason || d->failed) return OVK_OK;
  OVK_TRY(ovk__op_drain(S)); /* reductions of the previous pipeline */
  d->safe_rr = S->norms.rr;
  (void)ovk_vec_fill(d->y, 0);
  for (i = start; i < start + l; i++) {
    const int k = i - start;
    ovk__pipelcg_fill_level(S, d, k, k ? ovk__op_poll(S, 0) : ovk_poll_none(), sums);
    OVK_TRY(ovk__op_begin(S, k, sums));
  }
  for (;; i++) {
    e = i - l;
    m = e - l + 1;
    const int k = (i - start) % l;
    const ovk_poll poll = ovk__op_poll(S, k);
    ovk__op_product(S, d->z, d->w, poll);     /* w = A z_i */
    ovk__op_apply_other(S, d->w, d->m, poll); /* m = M^-1 w */
    OVK_TRY(ovk__op_wait(S, k, sums));        /* (z_e+1, z_e+1), (z_e+1, y), (v_m, v_m) */
    OVK_TRY(pipelcg_test_norm(S, d, m, sums, size, end));
    if (*end) return OVK_OK;
    size = sqrt(sums[OVK__ZZ_PIPELCG]);
    if (!ovk__lanczos_extend(&d->T, start, e, sums[OVK__ZZ_PIPELCG], sums[OVK__ZY_PIPELCG])) break;
    ovk__pipelcg_move_on(S, d, e, m >= start ? m : -1, sums); /* x_m+1, v_e+1, z_i+1 */
    OVK_TRY(ovk__op_begin(S, k, sums));
  }
  for (*end = SPOILED; m < e; m++) { /* advances x to x_e, the last with a known residual */
    ending other = RUNNING;
    if (m >= start) pipelcg_advance_x(S, d, m);
    OVK_TRY(ovk__op_wait(S, (m + l - start) % l, sums));
    OVK_TRY(pipelcg_test_norm(S, d, m + 1, sums, size, &other));
    size = sqrt(sums[OVK__ZZ_PIPELCG]);
    if (other) {
      *end = other;
      break;
    }
  }
  return OVK_OK;
}

/* pending_correction <- M^-1 y; p <- M^-1 P; w <- v_j. Reductions may still be active. */
static void pipelcg_leave_pipeline(ovk_solver *S, ovk__pipelcg_state *d, int newest)
{
  const ovk_poll none = ovk_poll_none();
  d->pending_correction = d->now[1];
  for (int q = 0; q < OVK__MAX_OLDER; q++) d->gram[q] = 0; /* not known */
  ovk__op_apply(S, d->y, d->pending_correction, none);
  ovk__op_apply(S, d->P, d->p, none);
  ovk__scale_add(rows(S), 1, ovk__pipelcg_v(d, d->j)->array, 0, d->w->array);
  const int oldest = newest - d->ring_size + 1;
  if (oldest > d->oldest) d->oldest = oldest;
}

static ovk_err pipelcg_iterate(ovk_solver *S)
{
  ovk__pipelcg_state d;
  double lambda_min = S->values.lambda_max > 0 ? S->values.lambda_min : INFINITY,
         lambda_max = S->values.lambda_max;
  pipelcg_setup(S, &d);
  for (int steps = lambda_max > 0 ? 1 : STARTUP_STEPS;;) {
    ending end = RUNNING;
    OVK_TRY(ovk__pipelcg_blocking_lanczos(
        S, &d, steps < S->opts.maxit - d.j ? d.j + steps : S->opts.maxit));
    if (S->reason || d.failed) return OVK_OK;
    d.orthogonalise = true;
    ovk__lanczos_widen(&d.T, d.j, &lambda_min, &lambda_max);
    if (!ovk__lanczos_shift(&d.T, lambda_min, lambda_max)) return OVK_OK;
    const int start = d.j;
    OVK_TRY(pipelcg_pipeline(S, &d, &end));
    if (end == RUNNING) return OVK_OK;
    pipelcg_leave_pipeline(S, &d, d.j + d.T.depth);
    if (S->reason || d.failed || end == NOT_FINITE) return ovk__pipelcg_add_pending(S, &d);
    S->counts.replacements++;
    const int usual = 2 * d.T.depth + 1;
    steps = steps < usual || d.j - start >= 2 * steps ? usual : 2 * steps;
    if (steps > MAX_STEPS) steps = MAX_STEPS;
  }
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT, .polls = true},
    {.kind = OVK__PRECOND, .polls = true},
    {.kind = OVK__WAIT},
    {.kind = OVK__UPDATE, .doubles = {12, 13, 14}, .per_depth = 3, .dots = 4},
    {.kind = OVK__BEGIN},
    {.kind = OVK__NO_PHASE},
};

static const ovk_option options[] = {OVK__DEPTH_OPTION(OVK__MAX_DEPTH, 2), OVK_OPTIONS_END};

const ovk__method ovk__method_pipelcg = {
    .name = "pipelcg",
    .aliases = "deep",
    .summary = "p(l)-CG of Cornelis, Cools and Vanroose; 1 reduction, completed l iterations later",
    .keys = options,
    .vectors = WORK_LEVELS + RING_VECTORS,
    .vectors_per_depth = LEVEL_VECTORS + RING_VECTORS_PER_DEPTH,
    .sums = {{.count = OVK__PIPELCG_SUMS, .status = true, .depth = 1},
             {.count = OVK__PIPELCG_SUMS, .status = true, .depth = 2},
             {.count = OVK__PIPELCG_SUMS, .status = true, .depth = 3},
             {.count = OVK__PIPELCG_SUMS, .status = true, .depth = 4},
             {.count = OVK__PIPELCG_SUMS, .status = true, .depth = 5},
             [OVK__BLOCKING_GAMMA] = {.count = 1},
             [OVK__BLOCKING_NORM] = {.count = OVK__BLOCKING_SUMS, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .blocking = 0.15,
    .fallback = &ovk__method_cg,
    .needs_spectrum = true,
    .instead = "pipecg",
    .iterate = pipelcg_iterate,
    .many = &ovk__many_cg,
};
