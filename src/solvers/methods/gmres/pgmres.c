/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined GMRES, p(1): the reduction of a column is overlapped with the preconditioner and
 * product of the next. Source of the pipelining: Ghysels, Ashby, Meerbergen and Vanroose, "Hiding
 * global communication latency in the GMRES algorithm on massively parallel machines" (2013). The
 * Gram-Schmidt process is that of delayed.c, whose second pass leaves no square root that can fail.
 *
 * z = B u is not computed but follows from q = B z. With the letters of delayed.c
 *   u_next = (z - V t) / alpha, so z_next = (q - B V t) / alpha,
 * where B v_i is V_i+2 h_i for i < j, and B v_j = (z - V H s) / alpha. So no images of the basis
 * are stored: z_next is a combination of q, z and V, in the sweep that makes u_next. Rounding
 * errors of z grow like the inverse of the residual polynomial, by ||r_0|| / ||r_j|| within a
 * cycle, as the part of x along v_j becomes smaller in turn; a cycle ends before they matter
 * (ENOUGH). */
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/state/method_options.h"

#include <math.h>

/* A cycle ends when it has reduced ||r|| by this factor. */
static const double ENOUGH = 1e-10;

/* The coefficients of z_next: c = H (t - t_j / alpha s), and a. */
static ovk__basis_step pgmres_find_step(ovk__gmres *G, int j, double alpha)
{
  const double a = G->t[j] / alpha;
  for (int i = 0; i < j; i++) G->h[i] = G->t[i] - a * G->s[i];
  ovk__hessenberg_multiply(&G->P, j, G->h, G->c);
  return (ovk__basis_step){.alpha = alpha, .a = a, .s = G->s, .t = G->t, .c = G->c};
}

/* v_j, u_next, z_next where `images` is set, and their inner products, in one sweep over the basis
 * where its rows stay in the cache. */
static void pgmres_extend(ovk_solver *S, ovk__gmres *G, int j, double alpha, bool images)
{
  const ovk__basis_step step = pgmres_find_step(G, j, alpha);
  ovk__gmres_clear_dots(G);
  OVK_SWEEP(S, ovk__basis_extend_dots(rows(S), j, G->v, &step, G->V[j]->array, G->z->array,
                                      images ? G->q->array : NULL, G->V[j + 1]->array, G->lanes,
                                      G->dots));
  if (S->marks) ovk__gmres_mark(S, G, j + 1, G->V[j + 1]->array, images ? G->z->array : NULL);
}

/* A total is NaN or Inf, and so are the vectors computed since: A and M are applied to u again. */
static void pgmres_diagnose(ovk_solver *S, ovk__gmres *G, int j, const ovk_vec *u)
{
  const bool start = j == 0 && G->cycles > 0;
  if (!start) ovk__gmres_image(S, G, j, u, G->q, ovk_poll_none());
  ovk__gmres_diagnose(S, G, j, u, start ? NULL : G->q);
}

static ovk_err pgmres_cycle(ovk_solver *S, ovk__gmres *G)
{
  ovk_vec *z = G->z, *q = G->q;
  double alpha;
  ovk__gmres_image(S, G, 0, G->V[0], z, ovk_poll_none()); /* z = B u */
  ovk__gmres_dots(S, G, 0, G->V[0], z);
  for (int j = 0;; j++) {
    ovk_vec *u = G->V[j];
    const bool more = j < G->restart - 1; /* z_next is needed */
    OVK_TRY(ovk__op_begin(S, OVK__GMRES_DOTS, G->dots));
    if (more) ovk__gmres_image(S, G, j, z, q, ovk__op_poll(S, OVK__GMRES_DOTS)); /* q = B z */
    OVK_TRY(ovk__op_wait(S, OVK__GMRES_DOTS, G->dots));
    if (!ovk__gmres_finite(G, j)) {
      pgmres_diagnose(S, G, j, u);
      return OVK_OK;
    }
    OVK_TRY(ovk__gmres_reorthogonalise(S, G, j, &alpha));
    if (G->ended || sqrt(S->norms.rr) < ENOUGH * G->start_norm) return OVK_OK;
    pgmres_extend(S, G, j, alpha, more);
  }
}

static ovk_err pgmres_iterate(ovk_solver *S)
{
  return ovk__gmres_iterate(S, false, pgmres_cycle);
}

/* The phases in the middle of a cycle of 30 columns. */
static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN},
    {.kind = OVK__PRECOND, .doubles = {0, 4, 0}, .polls = true},
    {.kind = OVK__PRODUCT, .polls = true},
    {.kind = OVK__WAIT},
    {.kind = OVK__UPDATE, .doubles = {22, 22, 22}, .dots = 32},
    {.kind = OVK__NO_PHASE},
};

static const ovk_option options[] = {OVK__DEPTH_OPTION(1, 1), OVK__RESTART_OPTION, OVK__SIDE_OPTION,
                                     OVK_OPTIONS_END};

const ovk__method ovk__method_pgmres = {
    .name = "pgmres",
    .aliases = "pipelined-gmres",
    .summary = "p(1)-GMRES of Ghysels and others; 1 reduction, overlapped with M and A",
    .A = OVK__A_ANY,
    .refused_norms = {OVK__RIGHT_REFUSES, OVK__LEFT_REFUSES},
    .keys = options,
    .vectors = OVK__PGMRES_VECTORS,
    .vectors_per_restart = 1,
    .sums = {[OVK__GMRES_DOTS] = {.count = OVK__GMRES_DOTS_SIZE,
                                  .per_restart = OVK__GMRES_DOTS_PER_RESTART,
                                  .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .blocking = 2. / 30, /* the last two of a cycle overlap with nothing */
    .open = ovk__gmres_open,
    .close = ovk__gmres_close,
    .fallback = &ovk__method_gmres,
    .complete = ovk__gmres_complete,
    .iterate = pgmres_iterate,
};
