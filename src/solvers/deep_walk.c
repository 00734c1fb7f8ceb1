/* SPDX-License-Identifier: BSD-2-Clause */
/* The iterations of the deep method with blocking sums: Lanczos' recurrence, which the pipeline
 * falls back on. Apart from it because here A and C are judged: every inner product is of vectors
 * that have just been made. One sum an iteration has them all: v_j is normalised, and its residual
 * looked at, when it has already been multiplied.
 *
 * CG would do in exact arithmetic, but its r are less orthogonal to the last ones than the v of
 * Lanczos, and the pipeline amplifies that. Where it has lost orthogonality, v is made orthogonal
 * to the last 2 l + 1 ones here; what that takes from v it takes from r, not from b - A x, and so
 * it stops when the sum of it comes near the tolerance. */
#include "solvers/deep_state.h"
#include "solvers/step_impl.h"
#include "solvers/stop.h"
#include "solvers/updates.h"

#include <math.h>

/* The part of the tolerance that making orthogonal may cost. */
static const double LOSS = 0.1;

/* How many older v the next is made orthogonal to. */
static int count_older(const ovk__deep_state *d)
{
  const int kept = d->j - d->oldest, wanted = 2 * d->T.depth + 1;
  if (!d->clean) return 0;
  return kept < wanted ? kept : wanted;
}

/* gamma_j, and the parts of A z along older v, from inner products with them: those v are not quite
 * orthogonal to each other. */
static void find_parts(ovk__deep_state *d, int older, double *sums)
{
  const double norm = sqrt(sums[OVK__WALK_WZ]);
  double *c = sums + OVK__WALK_OLDER, *g = sums + OVK__WALK_GRAM;
  double gamma = sums[OVK__WALK_ZAZ] / sums[OVK__WALK_WZ];
  for (int q = 0; q < older; q++) {
    c[q] /= norm;
    g[q] /= norm;
  }
  if (older) gamma -= c[0] * g[0];
  for (int q = older - 1; q >= 0; q--) c[q] -= gamma * g[q] + (q ? c[0] * d->gram[q - 1] : 0);
  for (int q = 0; q < OVK__MAX_OLDER; q++) d->gram[q] = g[q];
  d->T.gamma[ovk__lanczos_at(d->j)] = gamma;
}

/* Multiplies z, and sums up everything; afterwards v_j, z and the parts of A z are normal. */
static ovk_err multiply(ovk_solver *S, ovk__deep_state *d, int older, double *sums)
{
  const ovk_poll none = ovk_poll_none();
  (void)ovk__step_mult(S, d->z, d->m, none);
  if (older) ovk__step_apply(S, d->m, d->y, none);
  ovk__deep_sum_arrival(S, d, sums);
  const double start = MPI_Wtime();
  sums[OVK__WALK_ZAZ] = ovk__deep_dot(rows(S), d->z->array, d->m->array);
  for (int q = 0; q < older; q++) {
    const double *v = ovk__deep_v(d, d->j - 1 - q)->array;
    sums[OVK__WALK_OLDER + q] = ovk__deep_dot(rows(S), d->y->array, v);
    sums[OVK__WALK_GRAM + q] = ovk__deep_dot(rows(S), d->z->array, v);
  }
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
  OVK_TRY(ovk__step_begin(S, OVK__WALK_NORM, sums));
  OVK_TRY(ovk__step_wait(S, OVK__WALK_NORM, sums));
  OVK_TRY(ovk__deep_arrive(S, d, sums));
  find_parts(d, older, sums);
  return OVK_OK;
}

/* Is (p, A p) of the next p not positive? Then w, z, m become r, C^-1 r, A C^-1 r for a second
 * look, and all else is lost. */
static bool judge(ovk_solver *S, ovk__deep_state *d, double curvature, double norm)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j)];
  ovk__scale_add(rows(S), zeta, ovk__deep_v(d, d->j)->array, 0, d->w->array);
  ovk__scale_add(rows(S), 0, d->w->array, zeta, d->z->array);
  ovk__scale_add(rows(S), 0, d->w->array, zeta / norm, d->m->array);
  return ovk__stop_recurred_curvature(S, curvature, d->z, d->m, ovk__lanczos_beta(&d->T, d->j),
                                      d->p, d->y);
}

/* Whether r stays near enough to b - A x without the parts of A z along older v. */
static bool may_clean(const ovk_solver *S, ovk__deep_state *d, int older, const double *sums)
{
  const double *c = sums + OVK__WALK_OLDER;
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j + 1)];
  double parts = older ? fabs(c[0] - d->T.delta[ovk__lanczos_at(d->j - 1)]) : 0;
  for (int q = 1; q < older; q++) parts += fabs(c[q]);
  /* the norm of the others is about that of v */
  d->lost += fabs(zeta) * parts * sqrt(sums[OVK__WALK_WW] / sums[OVK__WALK_WZ]);
  return d->lost <= LOSS * S->tolerance;
}

/* x_j+1, and w = delta_j v_j+1, where delta_j is not known yet and taken for 1. */
static void move_on(ovk_solver *S, ovk__deep_state *d, int older, const double *c, double norm)
{
  const ovk_poll none = ovk_poll_none();
  const double start = MPI_Wtime();
  const int j = d->j;
  ovk__lanczos *T = &d->T;
  const double alpha = ovk__lanczos_alpha(T, j), beta = ovk__lanczos_beta(T, j);
  const double zeta = T->zeta[ovk__lanczos_at(j)];
  const double *v = ovk__deep_v(d, j)->array;
  ovk__deep_advance(rows(S), zeta, d->z->array, beta, alpha, d->p->array, S->x->array);
  ovk__scale_add(rows(S), zeta, v, beta, d->P->array); /* P = r + beta P */
  /* w = A z - gamma v_j */
  ovk__combine(rows(S), 1 / norm, d->m->array, -T->gamma[ovk__lanczos_at(j)], v, d->w->array);
  if (!older && j > 0) { /* w = w - delta_j-1 v_j-1 */
    ovk__axpy(rows(S), -T->delta[ovk__lanczos_at(j - 1)], ovk__deep_v(d, j - 1)->array, d->w->array,
              none);
  }
  for (int q = 0; q < older; q++) {
    ovk__axpy(rows(S), -c[q], ovk__deep_v(d, j - 1 - q)->array, d->w->array, none);
  }
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
  d->j++;
  if (d->j - d->oldest >= d->ring_size) d->oldest = d->j - d->ring_size + 1;
  ovk__step_apply(S, d->w, d->z, none);
}

/* C^-1 A z is NaN or Inf, though A z is not. */
static bool blame_other(ovk_solver *S, const ovk__deep_state *d, int older, const double *sums)
{
  double all = 0;
  for (int q = 0; q < older; q++) all += sums[OVK__WALK_OLDER + q];
  if (isfinite(all) || !isfinite(sums[OVK__WALK_ZAZ])) return false;
  ovk__stop_blame(S, &(ovk__suspicion){.sum = "(C^-1 A p, A p)",
                                       .u = d->m,
                                       .v = d->y,
                                       .iteration = S->iterations + 1,
                                       .n = 1,
                                       .suspects = {d->y},
                                       .names = {"the preconditioner's output"}});
  return true;
}

static ovk_err go_on(ovk_solver *S, ovk__deep_state *d)
{
  const int j = d->j, at = ovk__lanczos_at(j), older = count_older(d);
  double sums[OVK__WALK_SUMS];
  ovk__lanczos *T = &d->T;
  OVK_TRY(multiply(S, d, older, sums));
  if (S->reason || d->stuck || blame_other(S, d, older, sums)) return OVK_OK;
  const double norm = sqrt(sums[OVK__WALK_WZ]), zeta = T->zeta[at];
  T->delta[at] = 1;
  (void)ovk__lanczos_pivot(T, j);
  d->stuck = judge(S, d, T->eta[at] * zeta * zeta, norm);
  if (d->stuck) return OVK_OK;
  if (d->clean && !may_clean(S, d, older, sums)) return ovk__deep_settle(S, d);
  move_on(S, d, older, sums + OVK__WALK_OLDER, norm);
  return OVK_OK;
}

ovk_err ovk__deep_walk(ovk_solver *S, ovk__deep_state *d, int goal)
{
  ovk__step_apply(S, d->w, d->z, ovk_poll_none());
  while (!S->reason && !d->stuck && d->j < goal) OVK_TRY(go_on(S, d));
  return OVK_OK;
}
