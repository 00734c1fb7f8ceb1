/* SPDX-License-Identifier: BSD-2-Clause */
/* Flexible conjugate gradients, for a positive definite C that changes from one application to the
 * next: each direction is made A-orthogonal to the last m explicitly. Source: Notay, "Flexible
 * conjugate gradients" (2000), here with all inner products in one sum, as s = A p follows from
 * w = A z like p from z:
 *   c_k = (z, s_k) / sigma_k, p = z - sum of c_k p_k, s = w - sum of c_k s_k,
 *   sigma = (p, s) = (z, w) - sum of c_k (z, s_k), alpha = (z, r) / sigma,
 * since the p_k are orthogonal to r. */
#include "base/check.h"
#include "solvers/kernels/updates_basis.h"
#include "solvers/steps/step_impl.h"
#include "solvers/stopping/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUMS };
enum { WORK_R, WORK_Z, WORK_W, DIRECTIONS };
enum { GAMMA, DELTA, RR, COUNT }; /* and (z, s_k) behind */
enum { MOST_KEPT = 100 };

/* Where sigma is less than this fraction of (z, w), it has lost ten digits, and z becomes p. */
static const double LOST = 1e-10;

/* The last directions, the oldest first. */
typedef struct flexible {
  int m, n;         /* most of them, and how many there are */
  ovk_vec **P, **S; /* m + 1 each, of S->work: the kept ones and the next */
  void **p, **s;
  double *sigma, *c; /* of the kept ones */
  double *sums;      /* COUNT + m */
  double *dots, *lanes;
} flexible;

static ovk_err open(ovk_solver *S)
{
  const int m = S->settings.restart;
  const size_t number = (size_t)m + 1;
  flexible *F = calloc(1, sizeof *F);
  S->own = F;
  if (F) {
    F->m = m;
    F->p = calloc(2 * number, sizeof *F->p);
    F->sums = calloc(3 * number + COUNT + (size_t)ovk__basis_vu(m) + ovk__basis_lanes(m),
                     sizeof *F->sums);
  }
  OVK_CHECK(F && F->p && F->sums, S->ctx, OVK_ERR_MEMORY, "no memory for %d directions", m);
  F->s = F->p + number;
  F->sigma = F->sums + COUNT + number;
  F->c = F->sigma + number;
  F->dots = F->c + number;
  F->lanes = F->dots + ovk__basis_vu(m);
  return OVK_OK;
}

static void close(ovk_solver *S)
{
  flexible *F = S->own;
  if (!F) return;
  free(F->sums);
  free(F->p);
  free(F);
  S->own = NULL;
}

/* The places of the vectors are those of their iterations in turn. */
static void place(const ovk_solver *S, flexible *F, int iteration)
{
  F->P = S->work + DIRECTIONS;
  F->S = F->P + F->m + 1;
  for (int k = 0; k < F->n; k++) {
    const int at = (iteration - F->n + k) % (F->m + 1);
    F->p[k] = F->P[at]->array;
    F->s[k] = F->S[at]->array;
  }
}

/* (z, s_k) */
static void find_dots(ovk_solver *S, flexible *F, const ovk_vec *z)
{
  const double start = MPI_Wtime();
  const ovk__basis images = {.v = F->s};
  ovk__basis_dots(rows(S), F->n, images, z->array, NULL, F->lanes, F->dots);
  for (int k = 0; k < F->m; k++) F->sums[COUNT + k] = k < F->n ? F->dots[ovk__basis_vu(k)] : 0;
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
}

/* p = z - sum of c_k p_k; s = w - sum of c_k s_k; x = x + alpha p; r = r - alpha s; (r, r) */
static double follow(ovk_solver *S, flexible *F, int iteration, double alpha)
{
  const double start = MPI_Wtime();
  const int at = iteration % (F->m + 1);
  const double rr = ovk__basis_direction(
      rows(S), F->n, F->p, F->s, F->c, alpha, S->work[WORK_Z]->array, S->work[WORK_W]->array,
      F->P[at]->array, F->S[at]->array, S->x->array, S->work[WORK_R]->array);
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
  return rr;
}

/* sigma and c from the totals. Before A is reported as indefinite (p, A p) is computed anew; what
 * is lost by rounding ends in a step along z. Collective. */
static double find_direction(ovk_solver *S, flexible *F, int iteration)
{
  const int at = iteration % (F->m + 1);
  double sigma = F->sums[DELTA];
  for (int k = 0; k < F->n; k++) {
    F->c[k] = F->sums[COUNT + k] / F->sigma[k];
    sigma -= F->c[k] * F->sums[COUNT + k];
  }
  if (sigma > LOST * F->sums[DELTA] || !isfinite(sigma)) return sigma;
  if (sigma <= 0) {
    (void)follow(S, F, iteration, 0);
    (void)ovk__stop_drifted_curvature(S, sigma, NULL, F->P[at], F->S[at]);
  }
  F->n = 0;
  return F->sums[DELTA];
}

/* Keeps the newest direction. */
static void keep(flexible *F, double sigma)
{
  if (F->n == F->m) {
    for (int k = 1; k < F->n; k++) F->sigma[k - 1] = F->sigma[k];
    F->n--;
  }
  F->sigma[F->n++] = sigma;
}

static ovk_err iterate(ovk_solver *S)
{
  flexible *F = S->own;
  ovk_vec *r = S->work[WORK_R], *z = S->work[WORK_Z], *w = S->work[WORK_W];
  const ovk_poll none = ovk_poll_none();
  double *sums = F->sums;

  F->n = 0;
  sums[RR] = 0;
  sums[GAMMA] = ovk__step_apply_first_dot(S, r, z); /* z = C^-1 r */
  for (int i = 0;; i++) {
    place(S, F, i);
    sums[DELTA] = ovk__step_mult(S, z, w, none); /* w = A z */
    find_dots(S, F, z);
    OVK_TRY(ovk__step_begin(S, SUMS, sums)); /* gamma = (r, z), delta = (z, w), (r, r), (z, s_k) */
    OVK_TRY(ovk__step_wait(S, SUMS, sums));
    if (i) OVK_TRY(ovk__stop_test(S, sums[RR], z, 0, NULL));
    if (S->reason || ovk__stop_gamma(S, sums[GAMMA], r, z, "(r, C^-1 r)") ||
        ovk__stop_curvature(S, sums[DELTA], NULL, z, w)) {
      return OVK_OK;
    }
    const double sigma = find_direction(S, F, i);
    if (S->reason ||
        ovk__stop_product(S, sigma, "(C^-1 r, A p)", F->S[(i + F->m) % (F->m + 1)], z, w)) {
      return OVK_OK;
    }
    sums[RR] = follow(S, F, i, sums[GAMMA] / sigma); /* p, s, x, r */
    keep(F, sigma);
    sums[GAMMA] = ovk__step_apply_dot(S, r, z); /* z = C^-1 r */
    sums[RR] = ovk__step_norm(S, sums[RR], sums[GAMMA], r, z);
  }
}

static ovk_err read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out)
{
  long m;
  OVK_TRY(ovk_spec_int(ctx, spec, "m", 1, MOST_KEPT, 1, &m));
  out->restart = (int)m;
  return OVK_OK;
}

static void write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC])
{
  snprintf(spec, OVK__METHOD_SPEC, "flexible-cg:m=%d", settings->restart);
}

/* With m = 1. */
static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},
    {.kind = OVK__UPDATE, .doubles = {2, 2, 2}, .dots = 1},
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {14, 14, 14}, .dots = 1},
    {.kind = OVK__PRECOND, .doubles = {3, 4, 2}},
    {.kind = OVK__NO_PHASE},
};

static const char *const keys[] = {"m", NULL};

const ovk__method ovk__flexible_cg = {
    .name = "flexible-cg",
    .summary =
        "flexible CG of Notay, for preconditioners that change: 1 blocking sum, m directions",
    .keys = keys,
    .read = read,
    .write = write,
    .vectors = DIRECTIONS + 2,
    .vectors_per_restart = 2,
    .sums = {[SUMS] = {.count = COUNT, .per_restart = 1, .status = true, .projects = 1 << WORK_R}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .open = open,
    .close = close,
    .iterate = iterate,
};
