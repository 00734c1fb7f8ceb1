/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of polynomial iterations. Each block of rows of a product is used while it is in the cache;
 * the data of the next rows are prefetched and arrive during their product. */
#include "precond/polynomial.h"
#include "core/base/cpu_dispatch.h"

void ovk__polynomial_start(ovk_lidx n, double alpha, const double *restrict inverse,
                           const double *restrict r, double *restrict p, double *restrict z,
                           ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx k = i; k < end; k++) p[k] = z[k] = alpha * (inverse[k] * r[k]);
    ovk_poll_call(poll);
  }
}

/* p <- beta p + alpha D^-1 (r - w); w <- z + p */
OVK_FOR_EACH_CPU
static void polynomial_advance_rows(void *arg, ovk_lidx first, ovk_lidx rows, double *w)
{
  const ovk__polynomial_step *s = arg;
  const double beta = s->beta, alpha = s->alpha;
  const double *inverse = s->inverse + first, *r = s->r + first, *z = s->z + first;
  double *restrict p = s->p + first, *restrict next = w;
  ovk__prefetch(inverse, OVK__FINISH_ROWS, sizeof *inverse, rows);
  ovk__prefetch(r, OVK__FINISH_ROWS, sizeof *r, rows);
  ovk__prefetch(p, OVK__FINISH_ROWS, sizeof *p, rows);
  for (ovk_lidx i = 0; i < rows; i++) {
    p[i] = beta * p[i] + alpha * (inverse[i] * (r[i] - next[i]));
    next[i] = z[i] + p[i];
  }
}

ovk_err ovk__polynomial_advance(const ovk_mat *A, ovk__polynomial_step *step, double *next,
                                ovk_poll poll)
{
  const ovk__finish finish = {polynomial_advance_rows, step};
  return ovk__mat_mult_finish(A, step->z, next, poll, &finish);
}

/* w <- r - w */
OVK_FOR_EACH_CPU
static void polynomial_subtract_rows(void *arg, ovk_lidx first, ovk_lidx rows, double *w)
{
  const double *r = *(const double *const *)arg + first;
  double *restrict out = w;
  ovk__prefetch(r, OVK__FINISH_ROWS, sizeof *r, rows);
  for (ovk_lidx i = 0; i < rows; i++) out[i] = r[i] - out[i];
}

ovk_err ovk__polynomial_residual(const ovk_mat *A, const double *r, const double *z, double *out,
                                 ovk_poll poll)
{
  const ovk__finish finish = {polynomial_subtract_rows, (void *)&r};
  return ovk__mat_mult_finish(A, z, out, poll, &finish);
}
