/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking Lanczos steps of the deep method, with which it starts and to which the pipeline falls
 * back. Breakdowns of A and M are decided here, as every inner product is of vectors that have just
 * been computed. One reduction an iteration has all of them: v_j is normalized, and its residual
 * tested, after it has been multiplied.
 *
 * CG would be equivalent in exact arithmetic, but its r are less orthogonal to the previous ones
 * than the v of Lanczos, and the pipeline amplifies that. After the pipeline has lost
 * orthogonality, v is orthogonalized here against the last 2 l + 1 vectors. That changes r but not
 * b - A x; so it ends when the sum of these changes comes near the tolerance. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/kernels/updates/updates.h"
#include "solvers/methods/pipelcg/pipelcg_state.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

/* The fraction of the tolerance by which orthogonalizing may change r in all. */
static const double LOSS = 0.1;

/* The number of older v that the next is orthogonalized against. */
static int lanczos_count_older(const ovk__pipelcg_state *d)
{
  const int kept = d->j - d->oldest, wanted = 2 * d->T.depth + 1;
  if (!d->orthogonalise) return 0;
  return kept < wanted ? kept : wanted;
}

/* gamma_j, and the components of A z along older v, from inner products with them; corrected for
 * the older v not being exactly orthogonal to each other. */
static void lanczos_find_components(ovk__pipelcg_state *d, int older, double *sums)
{
  const double norm = sqrt(sums[OVK__BLOCKING_WZ]);
  double *c = sums + OVK__BLOCKING_OLDER, *g = sums + OVK__BLOCKING_GRAM;
  double gamma = sums[OVK__BLOCKING_ZAZ] / sums[OVK__BLOCKING_WZ];
  for (int q = 0; q < older; q++) {
    c[q] /= norm;
    g[q] /= norm;
  }
  if (older) gamma -= c[0] * g[0];
  for (int q = older - 1; q >= 0; q--) c[q] -= gamma * g[q] + (q ? c[0] * d->gram[q - 1] : 0);
  for (int q = 0; q < OVK__MAX_OLDER; q++) d->gram[q] = g[q];
  d->T.gamma[ovk__lanczos_at(d->j)] = gamma;
}

/* Multiplies z and reduces all inner products; afterwards v_j, z and the components of A z are
 * normalized. */
static ovk_err lanczos_multiply(ovk_solver *S, ovk__pipelcg_state *d, int older, double *sums)
{
  const ovk_poll none = ovk_poll_none();
  ovk__op_product(S, d->z, d->m, none);
  if (older) ovk__op_apply(S, d->m, d->y, none);
  ovk__pipelcg_sum_normalize(S, d, sums);
  const double start = ovk__op_now(S);
  sums[OVK__BLOCKING_ZAZ] = ovk__pipelcg_dot(rows(S), d->z->array, d->m->array);
  for (int q = 0; q < older; q++) {
    const double *v = ovk__pipelcg_v(d, d->j - 1 - q)->array;
    sums[OVK__BLOCKING_OLDER + q] = ovk__pipelcg_dot(rows(S), d->y->array, v);
    sums[OVK__BLOCKING_GRAM + q] = ovk__pipelcg_dot(rows(S), d->z->array, v);
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  OVK_TRY(ovk__op_reduce(S, OVK__BLOCKING_NORM, sums));
  OVK_TRY(ovk__pipelcg_normalize(S, d, sums));
  lanczos_find_components(d, older, sums);
  return OVK_OK;
}

/* If (p, A p) of the next p is not positive, w, z, m are set to r, M^-1 r, A M^-1 r to recompute
 * it, and the Lanczos state is lost. Returns whether the method must end. */
static bool lanczos_check_curvature(ovk_solver *S, ovk__pipelcg_state *d, double curvature,
                                    double norm)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j)];
  ovk__scale_add(rows(S), zeta, ovk__pipelcg_v(d, d->j)->array, 0, d->w->array);
  ovk__scale_add(rows(S), 0, d->w->array, zeta, d->z->array);
  ovk__scale_add(rows(S), 0, d->w->array, zeta / norm, d->m->array);
  return ovk__breakdown_recurred_curvature(S, curvature, d->z, d->m, ovk__lanczos_beta(&d->T, d->j),
                                           d->p, d->y);
}

/* Whether r stays close enough to b - A x if the components of A z along older v are removed. */
static bool lanczos_may_orthogonalize(const ovk_solver *S, ovk__pipelcg_state *d, int older,
                                      const double *sums)
{
  const double *c = sums + OVK__BLOCKING_OLDER;
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j + 1)];
  double removed = older ? fabs(c[0] - d->T.delta[ovk__lanczos_at(d->j - 1)]) : 0;
  for (int q = 1; q < older; q++) removed += fabs(c[q]);
  /* the norms of the older v are about that of v, also in the norm of the test */
  d->deviation += fabs(zeta) * removed * sqrt(sums[OVK__BLOCKING_TEST] / sums[OVK__BLOCKING_WZ]);
  return d->deviation <= LOSS * S->norms.tolerance;
}

/* Computes x_j+1 and w = delta_j v_j+1, where delta_j is not known yet and set to 1. */
static void lanczos_advance(ovk_solver *S, ovk__pipelcg_state *d, int older, const double *c,
                            double norm)
{
  const ovk_poll none = ovk_poll_none();
  const double start = ovk__op_now(S);
  const int j = d->j;
  ovk__lanczos *T = &d->T;
  const double alpha = ovk__lanczos_alpha(T, j), beta = ovk__lanczos_beta(T, j);
  const double zeta = T->zeta[ovk__lanczos_at(j)];
  const double *v = ovk__pipelcg_v(d, j)->array;
  ovk__pipelcg_advance(rows(S), zeta, d->z->array, beta, alpha, d->p->array, S->x->array);
  ovk__scale_add(rows(S), zeta, v, beta, d->P->array); /* P = r + beta P */
  /* w = A z - gamma v_j */
  ovk__combine(rows(S), 1 / norm, d->m->array, -T->gamma[ovk__lanczos_at(j)], v, d->w->array);
  if (!older && j > 0) { /* w = w - delta_j-1 v_j-1 */
    ovk__axpy(rows(S), -T->delta[ovk__lanczos_at(j - 1)], ovk__pipelcg_v(d, j - 1)->array,
              d->w->array, none);
  }
  for (int q = 0; q < older; q++) {
    ovk__axpy(rows(S), -c[q], ovk__pipelcg_v(d, j - 1 - q)->array, d->w->array, none);
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  d->j++;
  if (d->j - d->oldest >= d->ring_size) d->oldest = d->j - d->ring_size + 1;
  ovk__op_apply(S, d->w, d->z, none);
}

/* Whether M^-1 A z is NaN or Inf though A z is not; then ends the solve. */
static bool lanczos_diagnose_other(ovk_solver *S, const ovk__pipelcg_state *d, int older,
                                   const double *sums)
{
  double all = 0;
  for (int q = 0; q < older; q++) all += sums[OVK__BLOCKING_OLDER + q];
  if (isfinite(all) || !isfinite(sums[OVK__BLOCKING_ZAZ])) return false;
  const ovk__bad_sum sum = {"(M^-1 A p, A p)",
                            d->m,
                            d->y,
                            S->counts.iterations + 1,
                            {{d->y, "the preconditioner's output"}}};
  ovk__op_record_error(S, ovk__diagnose_value(S, &sum));
  return true;
}

static ovk_err lanczos_iterate_once(ovk_solver *S, ovk__pipelcg_state *d)
{
  const int j = d->j, at = ovk__lanczos_at(j), older = lanczos_count_older(d);
  double sums[OVK__BLOCKING_SUMS];
  ovk__lanczos *T = &d->T;
  OVK_TRY(lanczos_multiply(S, d, older, sums));
  if (S->reason || d->failed || lanczos_diagnose_other(S, d, older, sums)) return OVK_OK;
  const double norm = sqrt(sums[OVK__BLOCKING_WZ]), zeta = T->zeta[at];
  T->delta[at] = 1;
  (void)ovk__lanczos_pivot(T, j);
  d->failed = lanczos_check_curvature(S, d, T->eta[at] * zeta * zeta, norm);
  if (d->failed) return OVK_OK;
  if (d->orthogonalise && !lanczos_may_orthogonalize(S, d, older, sums))
    return ovk__pipelcg_cg_fallback(S, d);
  lanczos_advance(S, d, older, sums + OVK__BLOCKING_OLDER, norm);
  return OVK_OK;
}

ovk_err ovk__pipelcg_blocking_lanczos(ovk_solver *S, ovk__pipelcg_state *d, int goal)
{
  ovk__op_apply(S, d->w, d->z, ovk_poll_none());
  while (!S->reason && !d->failed && d->j < goal) OVK_TRY(lanczos_iterate_once(S, d));
  return OVK_OK;
}
