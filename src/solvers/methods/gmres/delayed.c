/* SPDX-License-Identifier: BSD-2-Clause */
/* Classical Gram-Schmidt with delayed reorthogonalization: one reduction a column, and vectors
 * as orthogonal as after two passes. Sources: Swirydowicz, Langou, Ananthan, Yang and Thomas, "Low
 * synchronization Gram-Schmidt and generalized minimal residual algorithms" (2020); Bielich,
 * Langou, Thomas, Swirydowicz, Yamazaki and Boman, "Low-synch Gram-Schmidt with delayed
 * reorthogonalization for Krylov solvers" (2022).
 *
 * Before column j, v_0 ... v_j-1 are final, and u is made orthogonal to them once, not normalized.
 * One reduction has s = V^T u, (u, u), V^T z and (u, z), z = B u. It gives the second pass of u,
 *   v_j = (u - V s) / alpha, alpha^2 = (u, u) - (s, s),
 * with which column j - 1 of H is complete, h_j-1 + s and alpha below; and the first pass of the
 * next one: with t = (v_0 ... v_j)^T z
 *   h_j = (t - H s) / alpha, and u_next = B v_j - V h_j = (z - V t) / alpha.
 * A preconditioner that changes has applied M^-1 to u, not to v_j: then B Z_j = z / alpha, where
 * any Z_j will do, and h_j = t / alpha.
 *
 * With basis=float v_j is rounded as it is stored, and u, which is then one vector for all j, is
 * not: A V = V H holds to a float's rounding, and each restart has the true residual (Aliaga, Anzt,
 * Gruetzmacher, Quintana-Orti and Tomas, "Compressed basis GMRES on high-performance graphics
 * processing units", 2022). */
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

/* With basis=float ||r|| does not follow H further down than this: a cycle ends. */
static const double ENOUGH = 1e-6;

/* The second pass leaves less than this of (u, u) only if u is rounding errors. */
static const double DEPENDENT = 0.25;

/* alpha, s, and t; returns whether u depends on the basis. */
static bool dcgs2_read_totals(ovk__gmres *G, int j, double *alpha)
{
  const double *dots = G->dots, uu = dots[OVK__BASIS_UU];
  double ss = 0, st = 0;
  for (int i = 0; i < j; i++) {
    G->s[i] = dots[ovk__basis_vu(i)];
    G->t[i] = dots[ovk__basis_vz(i)];
    ss += G->s[i] * G->s[i];
    st += G->s[i] * G->t[i];
  }
  *alpha = sqrt(fmax(uu - ss, 0));
  if (!(uu - ss > DEPENDENT * uu)) return true;
  G->t[j] = (dots[OVK__BASIS_UZ] - st) / *alpha;
  return false;
}

/* The first pass of column j. */
static void dcgs2_first_pass(ovk__gmres *G, int j, double alpha)
{
  double *h = G->P.H + ovk__hessenberg_at(&G->P, 0, j);
  ovk__hessenberg_multiply(&G->P, j, G->s, G->h);
  for (int i = 0; i <= j; i++) h[i] = (G->t[i] - (G->flexible ? 0 : G->h[i])) / alpha;
  G->inverse[j] = 1 / alpha;
}

ovk_err ovk__gmres_reorthogonalise(ovk_solver *S, ovk__gmres *G, int j, double *alpha)
{
  const bool dependent = dcgs2_read_totals(G, j, alpha);
  if (j == 0) {
    ovk__gmres_start(S, G, G->dots[OVK__BASIS_UU]);
  } else {
    double *h = G->P.H + ovk__hessenberg_at(&G->P, 0, j - 1);
    for (int i = 0; i < j; i++) h[i] += G->s[i];
    h[j] = *alpha;
    OVK_TRY(ovk__gmres_take_column(S, G, j - 1, dependent));
  }
  if (!G->ended) dcgs2_first_pass(G, j, *alpha);
  return OVK_OK;
}

ovk_err ovk__gmres_delayed_cycle(ovk_solver *S, ovk__gmres *G)
{
  ovk_vec *z = G->z;
  double alpha;
  for (int j = 0;; j++) {
    ovk_vec *u = G->V[G->basis.single ? 0 : j], *image = j < G->restart ? z : NULL;
    if (image) ovk__gmres_image(S, G, j, u, z, ovk_poll_none()); /* z = B u */
    ovk__gmres_dots(S, G, j, u, image);
    OVK_TRY(ovk__op_reduce(S, OVK__GMRES_DOTS, G->dots));
    if (!ovk__gmres_finite(G, j)) {
      const bool start = j == 0 && G->cycles > 0;
      ovk__gmres_diagnose(S, G, j - !image, u, start ? NULL : image ? z : u);
      return OVK_OK;
    }
    OVK_TRY(ovk__gmres_reorthogonalise(S, G, j, &alpha));
    if (G->ended || (G->basis.single && sqrt(S->norms.rr) < ENOUGH * G->start_norm)) return OVK_OK;
    const ovk__basis_step step = {.alpha = alpha, .s = G->s, .t = G->t};
    OVK_SWEEP(S, ovk__basis_extend(rows(S), j, G->basis, &step, u->array, z->array,
                                   (G->basis.single ? u : G->V[j + 1])->array));
  }
}
