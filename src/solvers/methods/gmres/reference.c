/* SPDX-License-Identifier: BSD-2-Clause */
/* Gram-Schmidt processes to compare ortho=dcgs2 with: classical in two passes, two reductions a
 * column, and modified, a reduction for each inner product (Saad and Schultz 1986). */
#include "core/math/hypot.h"
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

/* The second pass leaves less than this of (w, w) only if w is rounding errors; with modified
 * Gram-Schmidt, w is that if its norm is below this fraction of that of B v_j. */
static const double DEPENDENT = 0.25, ROUNDING = 1e-14;

/* w <- w - V c for k vectors */
static void cgs2_subtract(ovk_solver *S, ovk__gmres *G, int k, double *c, ovk_vec *w)
{
  for (int i = 0; i < k; i++) G->c[i] = -c[i];
  OVK_TIMED(S, OVK_EVENT_VECTOR, ovk__basis_add(rows(S), k, G->basis, G->c, w->array));
}

/* A pass of classical Gram-Schmidt: s <- V^T w, ww <- (w, w) before, w <- w - V s. */
static ovk_err cgs2_pass(ovk_solver *S, ovk__gmres *G, int k, ovk_vec *w, double *ww)
{
  ovk__gmres_dots(S, G, k, w, NULL);
  OVK_TRY(ovk__op_reduce(S, OVK__GMRES_DOTS, G->dots));
  *ww = G->dots[OVK__BASIS_UU];
  if (!ovk__gmres_finite(G, k)) {
    ovk__gmres_diagnose(S, G, k - 1, G->V[k - 1], w);
    return OVK_OK;
  }
  for (int i = 0; i < k; i++) G->s[i] = G->dots[ovk__basis_vu(i)];
  cgs2_subtract(S, G, k, G->s, w);
  return OVK_OK;
}

/* Column j of H without its last entry, which is *norm. */
static ovk_err cgs2_column(ovk_solver *S, ovk__gmres *G, int j, ovk_vec *w, double *h, double *norm,
                           bool *dependent)
{
  double ww, rest;
  OVK_TRY(cgs2_pass(S, G, j + 1, w, &ww));
  if (S->reason) return OVK_OK;
  for (int i = 0; i <= j; i++) h[i] = G->s[i];
  OVK_TRY(cgs2_pass(S, G, j + 1, w, &ww));
  if (S->reason) return OVK_OK;
  rest = ww;
  for (int i = 0; i <= j; i++) {
    h[i] += G->s[i];
    rest -= G->s[i] * G->s[i];
  }
  *norm = sqrt(fmax(rest, 0));
  *dependent = !(rest > DEPENDENT * ww);
  return OVK_OK;
}

static ovk_err mgs_dot(ovk_solver *S, ovk__gmres *G, const ovk_vec *v, const ovk_vec *w,
                       double *total)
{
  const double *x = v->array;
  OVK_TIMED(S, OVK_EVENT_VECTOR,
            ovk__basis_dots(rows(S), 0, G->basis, x, w->array, G->lanes, G->dots));
  if (S->marks) G->dots[OVK__BASIS_UZ] = ovk__mark_dot(S, x, w->array);
  return ovk__op_reduce_scalar(S, OVK__GMRES_DOT, G->dots[OVK__BASIS_UZ], total);
}

static ovk_err mgs_column(ovk_solver *S, ovk__gmres *G, int j, ovk_vec *w, double *h, double *norm,
                          bool *dependent)
{
  double size = 0, ww = 0;
  for (int i = 0; i <= j + 1; i++) {
    const ovk_vec *v = i <= j ? G->V[i] : w;
    OVK_TRY(mgs_dot(S, G, v, w, &ww));
    G->dots[OVK__BASIS_UU] = G->dots[OVK__BASIS_UZ] = ww;
    if (!ovk__gmres_finite(G, 0)) {
      ovk__gmres_diagnose(S, G, j, G->V[j], w);
      return OVK_OK;
    }
    if (i > j) break;
    h[i] = ww;
    size = ovk__hypot(size, ww);
    const double c = -ww;
    const ovk__basis one = {.v = &G->v[i]};
    OVK_TIMED(S, OVK_EVENT_VECTOR, ovk__basis_add(rows(S), 1, one, &c, w->array));
  }
  *norm = sqrt(ww);
  *dependent = !(*norm > ROUNDING * size);
  return OVK_OK;
}

/* *square <- (V_0, V_0); if it is not finite, the cause is diagnosed. */
static ovk_err reference_find_square(ovk_solver *S, ovk__gmres *G, double *square)
{
  ovk__gmres_dots(S, G, 0, G->V[0], NULL);
  OVK_TRY(ovk__op_reduce(S, OVK__GMRES_DOTS, G->dots));
  *square = ovk__gmres_finite(G, 0) ? G->dots[OVK__BASIS_UU] : NAN;
  if (!ovk__gmres_finite(G, 0)) ovk__gmres_diagnose(S, G, 0, G->V[0], NULL);
  return OVK_OK;
}

ovk_err ovk__gmres_reference_cycle(ovk_solver *S, ovk__gmres *G)
{
  double norm, square = S->rr; /* known in the first cycle: the norm that is tested */
  bool dependent = false;
  if (G->cycles > 0) OVK_TRY(reference_find_square(S, G, &square));
  if (!isfinite(square)) return OVK_OK;
  ovk__gmres_start(S, G, square);
  norm = G->start_norm;
  for (int j = 0; !G->ended; j++) {
    ovk_vec *w = G->V[j + 1];
    double *h = G->P.H + ovk__hessenberg_at(&G->P, 0, j);
    ovk__scale(rows(S), 1 / norm, G->V[j]->array);
    G->inverse[j] = 1;
    ovk__gmres_image(S, G, j, G->V[j], w, ovk_poll_none());
    OVK_TRY((S->settings.ortho == OVK__MGS ? mgs_column : cgs2_column)(S, G, j, w, h, &norm,
                                                                       &dependent));
    if (S->reason) return OVK_OK;
    h[j + 1] = norm;
    OVK_TRY(ovk__gmres_take_column(S, G, j, dependent));
  }
  return OVK_OK;
}
