/* SPDX-License-Identifier: BSD-2-Clause */
/* Lanczos steps for B = A M^-1, which is symmetric in (u, v) = u^T M^-1 v:
 * delta_j v_j+1 = B v_j - gamma_j v_j - delta_j-1 v_j-1. */
#include "precond/spectrum.h"
#include "core/context/agree.h"
#include "core/math/tridiagonal.h"
#include "matrix/vector/vec_exact.h"

#include <math.h>

/* Below this fraction of gamma_j, delta_j is rounding: the v span an invariant subspace. */
static const double INVARIANT = 1e-12;

/* v <- w / norm; z <- z / norm */
static void spectrum_normalize(double norm, const ovk_vec *w, ovk_vec *v, ovk_vec *z)
{
  for (ovk_lidx i = 0; i < v->layout.local; i++) {
    v->array[i] = w->array[i] / norm;
    z->array[i] /= norm;
  }
}

/* w <- w - gamma v - delta u */
static void spectrum_orthogonalize(double gamma, const ovk_vec *v, double delta, const ovk_vec *u,
                                   ovk_vec *w)
{
  for (ovk_lidx i = 0; i < w->layout.local; i++) {
    w->array[i] -= gamma * v->array[i] + delta * u->array[i];
  }
}

/* z <- M^-1 w; *norm <- ||w||, NaN if (w, M^-1 w) is negative */
static ovk_err spectrum_measure(ovk__operator solve, const void *M, const ovk_vec *w, ovk_vec *z,
                                double *norm)
{
  double square;
  OVK_TRY(ovk__agree(w->ctx, solve(M, w, z)));
  OVK_TRY(ovk__vec_exact_dot(w, z, &square));
  *norm = sqrt(square);
  return OVK_OK;
}

ovk_err ovk__spectrum(ovk__operator product, const void *A, ovk__operator solve, const void *M,
                      const int64_t *keys, ovk_vec *const work[OVK__SPECTRUM_VECTORS],
                      double *lambda_min, double *lambda_max)
{
  ovk_vec *v = work[0], *v_old = work[1], *w = work[2], *z = work[3];
  double gamma[OVK__SPECTRUM_STEPS], delta[OVK__SPECTRUM_STEPS], norm;
  int made = 0;
  *lambda_min = *lambda_max = 0;
  ovk__vec_fill_random(w, keys);
  OVK_TRY(ovk_vec_fill(v, 0));
  OVK_TRY(spectrum_measure(solve, M, w, z, &norm));
  for (int j = 0; j < OVK__SPECTRUM_STEPS; j++) {
    if (!(norm > 0) || !isfinite(norm)) return OVK_OK;
    ovk__vec_swap(&v, &v_old);
    spectrum_normalize(norm, w, v, z);
    OVK_TRY(ovk__agree(w->ctx, product(A, z, w))); /* w = B v */
    OVK_TRY(ovk__vec_exact_dot(w, z, &gamma[j]));
    spectrum_orthogonalize(gamma[j], v, j ? delta[j - 1] : 0, v_old, w);
    OVK_TRY(spectrum_measure(solve, M, w, z, &norm));
    delta[j] = norm;
    made = j + 1;
    if (norm <= INVARIANT * fabs(gamma[j])) break;
  }
  ovk__tridiagonal_ends(made, gamma, delta, lambda_min, lambda_max);
  return OVK_OK;
}
