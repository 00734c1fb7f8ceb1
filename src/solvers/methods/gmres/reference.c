/* SPDX-License-Identifier: BSD-2-Clause */
/* Gram-Schmidt processes whose columns are complete at once: classical, with a second pass for each
 * column or where one is needed, a reduction a pass; and modified, a reduction for each inner
 * product (Saad and Schultz 1986). */
#include "core/math/hypot.h"
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <float.h>
#include <math.h>

/* The second pass leaves less than this of (w, w) only if w is rounding errors; with modified
 * Gram-Schmidt, w is that if its norm is below this fraction of that of B v_j. */
static const double DEPENDENT = 0.25, ROUNDING = 1e-14;

/* With ortho=cgs a column has a second pass if V^T V - I would exceed LOSS: then the norm of a
 * residual V t is still that of t to four digits. A pass itself has errors of a few ROUNDED. */
static const double LOSS = 1e-4, ROUNDED = 4 * DBL_EPSILON;

/* w <- w - V c for k vectors */
static void cgs_subtract(ovk_solver *S, ovk__gmres *G, int k, double *c, ovk_vec *w)
{
  for (int i = 0; i < k; i++) G->c[i] = -c[i];
  OVK_SWEEP(S, ovk__basis_add(rows(S), k, G->basis, G->c, w->array));
}

/* A pass of classical Gram-Schmidt: s <- V^T w, ww <- (w, w) before, w <- w - V s. */
static ovk_err cgs_pass(ovk_solver *S, ovk__gmres *G, int k, ovk_vec *w, double *ww)
{
  ovk__gmres_dots(S, G, k, w, NULL);
  OVK_TRY(ovk__op_reduce(S, OVK__GMRES_DOTS, G->dots));
  *ww = G->dots[OVK__BASIS_UU];
  if (!ovk__gmres_finite(G, k)) {
    ovk__gmres_diagnose(S, G, k - 1, G->V[k - 1], w);
    return OVK_OK;
  }
  for (int i = 0; i < k; i++) G->s[i] = G->dots[ovk__basis_vu(i)];
  cgs_subtract(S, G, k, G->s, w);
  return OVK_OK;
}

/* Whether one pass that left `rest` of (w, w) is enough. Relative to that rest, a pass enlarges its
 * rounding errors and the loss of V: in the direction of w by the root of ww / rest, in its norm by
 * ww / rest. This is the selective reorthogonalization of Daniel, Gragg, Kaufman and Stewart
 * (1976), with the loss that a short basis can bear instead of a fixed ratio. */
static bool cgs_suffices(const ovk_solver *S, ovk__gmres *G, double ww, double rest)
{
  const double loss = (G->loss + ROUNDED) * (ww / rest);
  if (S->settings.ortho != OVK__CGS || !(rest > 0 && G->loss + loss <= LOSS)) return false;
  G->loss += loss;
  return true;
}

/* Column j of H without its last entry, which is *norm. */
static ovk_err cgs_column(ovk_solver *S, ovk__gmres *G, int j, ovk_vec *w, double *h, double *norm,
                          bool *dependent)
{
  double ww, rest = 0;
  for (int pass = 0; pass < 3; pass++) {
    OVK_TRY(cgs_pass(S, G, j + 1, w, &ww));
    if (S->reason) return OVK_OK;
    rest = ww;
    for (int i = 0; i <= j; i++) {
      h[i] = G->s[i] + (pass ? h[i] : 0);
      rest -= G->s[i] * G->s[i];
    }
    *dependent = pass > 0 && !(rest > DEPENDENT * ww);
    if (pass > 0 && !*dependent) G->loss *= 1 + sqrt((ww - rest) / rest);
    if (pass == 0 ? cgs_suffices(S, G, ww, rest) : !*dependent || G->loss == 0) break;
  }
  *norm = sqrt(fmax(rest, 0));
  return OVK_OK;
}

static ovk_err mgs_dot(ovk_solver *S, ovk__gmres *G, const ovk_vec *v, const ovk_vec *w,
                       double *total)
{
  const double *x = v->array;
  OVK_SWEEP(S, ovk__basis_dots(rows(S), 0, G->basis, x, w->array, G->lanes, G->dots));
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
    OVK_SWEEP(S, ovk__basis_add(rows(S), 1, one, &c, w->array));
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
  double norm, square = S->norms.rr; /* known in the first cycle: the norm that is tested */
  bool dependent = false;
  if (G->cycles > 0) OVK_TRY(reference_find_square(S, G, &square));
  if (!isfinite(square)) return OVK_OK;
  ovk__gmres_start(S, G, square);
  norm = G->start_norm;
  G->loss = 0;
  for (int j = 0; !G->ended; j++) {
    ovk_vec *w = G->V[j + 1];
    double *h = G->P.H + ovk__hessenberg_at(&G->P, 0, j);
    ovk__basis_scale(rows(S), 1 / norm, G->V[j]->array);
    G->inverse[j] = 1;
    ovk__gmres_image(S, G, j, G->V[j], w, ovk_poll_none());
    OVK_TRY((S->settings.ortho == OVK__MGS ? mgs_column : cgs_column)(S, G, j, w, h, &norm,
                                                                      &dependent));
    if (S->reason) return OVK_OK;
    h[j + 1] = norm;
    OVK_TRY(ovk__gmres_take_column(S, G, j, dependent));
  }
  return OVK_OK;
}
