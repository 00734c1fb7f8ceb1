/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of polynomial iterations. Each block of rows of a product is used while it is in the cache;
 * the data of the next rows are prefetched and arrive during their product. */
#include "precond/polynomial.h"
#include "core/base/columns.h"

/* The rows i of vectors of w columns, each with the number i of the diagonal. */
OVK_ALWAYS_INLINE void polynomial_start_of(int w, ovk_lidx from, ovk_lidx end, double alpha,
                                           const double *restrict inverse, const double *restrict r,
                                           double *restrict z)
{
  for (ptrdiff_t i = from; i < end; i++) {
    for (ptrdiff_t k = i * w; k < (i + 1) * w; k++) z[k] = alpha * (inverse[i] * r[k]);
  }
}

void ovk__polynomial_start(ovk_lidx n, int width, double alpha, const double *inverse,
                           const double *r, double *z, ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    if (width == 1) {
      polynomial_start_of(1, i, end, alpha, inverse, r, z);
    } else {
      OVK__FOR_WIDTH(width, polynomial_start_of, i, end, alpha, inverse, r, z);
    }
    ovk_poll_call(poll);
  }
}

/* p <- beta c + alpha D^-1 (r - w); w <- z + p. `last` and `ends` are those of the step. */
OVK_ALWAYS_INLINE void polynomial_advance_of(int w, ovk__last_correction last, bool ends,
                                             const ovk__polynomial_step *s, ovk_lidx first,
                                             ovk_lidx rows, double *restrict next)
{
  const double beta = s->beta, alpha = s->alpha, *restrict inverse = s->inverse + first;
  const ptrdiff_t at = (ptrdiff_t)first * w;
  const double *restrict r = s->r + at, *restrict z = s->z + at;
  double *restrict p = s->p + at;
  for (ptrdiff_t i = 0; i < rows; i++) {
    for (ptrdiff_t k = i * w; k < (i + 1) * w; k++) {
      double correction = alpha * (inverse[i] * (r[k] - next[k]));
      if (last != OVK__CORRECTION_NONE) {
        correction += beta * (last == OVK__CORRECTION_IS_Z ? z[k] : p[k]);
      }
      if (!ends) p[k] = correction;
      next[k] = z[k] + correction;
    }
  }
}

/* Prefetches the rows of a vector that are passed after these. */
OVK_ALWAYS_INLINE void polynomial_ask_ahead(int w, const double *v, ovk_lidx first, ovk_lidx rows)
{
  const int64_t ahead = w == 1 ? OVK__FINISH_ROWS : rows;
  ovk__prefetch(v + (ptrdiff_t)first * w, ahead * w, sizeof *v, (int64_t)rows * w);
}

/* Each case has its own loop, which moves no more than it needs. */
OVK_ALWAYS_INLINE void polynomial_advance_case(int w, bool ends, const ovk__polynomial_step *s,
                                               ovk_lidx first, ovk_lidx rows, double *next)
{
  switch (s->last) {
  case OVK__CORRECTION_NONE:
    polynomial_advance_of(w, OVK__CORRECTION_NONE, ends, s, first, rows, next);
    break;
  case OVK__CORRECTION_IS_Z:
    polynomial_advance_of(w, OVK__CORRECTION_IS_Z, ends, s, first, rows, next);
    break;
  case OVK__CORRECTION_IN_P:
    polynomial_ask_ahead(w, s->p, first, rows);
    polynomial_advance_of(w, OVK__CORRECTION_IN_P, ends, s, first, rows, next);
    break;
  }
}

OVK_ALWAYS_INLINE void polynomial_advance_width(int w, const ovk__polynomial_step *s,
                                                ovk_lidx first, ovk_lidx rows, double *next)
{
  polynomial_ask_ahead(1, s->inverse, first, rows);
  polynomial_ask_ahead(w, s->r, first, rows);
  if (s->ends) {
    polynomial_advance_case(w, true, s, first, rows, next);
  } else {
    polynomial_advance_case(w, false, s, first, rows, next);
  }
}

OVK_FOR_EACH_CPU
static void polynomial_advance_rows(void *arg, ovk_lidx first, ovk_lidx rows, double *w)
{
  const ovk__polynomial_step *s = arg;
  if (s->width == 1) {
    polynomial_advance_width(1, s, first, rows, w);
  } else {
    OVK__FOR_WIDTH(s->width, polynomial_advance_width, s, first, rows, w);
  }
}

ovk_err ovk__polynomial_advance(const ovk_mat *A, ovk__polynomial_step *step, double *next,
                                ovk_poll poll)
{
  const ovk__finish finish = {polynomial_advance_rows, step};
  return ovk__mat_mult_finish(A, step->width, step->z, next, poll, &finish);
}

/* The right-hand side of a residual. */
typedef struct residual {
  const double *r;
  int width;
} residual;

/* w <- r - w */
OVK_FOR_EACH_CPU
static void polynomial_subtract_rows(void *arg, ovk_lidx first, ovk_lidx rows, double *w)
{
  const residual *s = arg;
  const ptrdiff_t n = (ptrdiff_t)rows * s->width;
  const double *restrict r = s->r + (ptrdiff_t)first * s->width;
  double *restrict out = w;
  polynomial_ask_ahead(s->width, s->r, first, rows);
  for (ptrdiff_t i = 0; i < n; i++) out[i] = r[i] - out[i];
}

ovk_err ovk__polynomial_residual(const ovk_mat *A, int width, const double *r, const double *z,
                                 double *out, ovk_poll poll)
{
  residual from = {r, width};
  const ovk__finish finish = {polynomial_subtract_rows, &from};
  return ovk__mat_mult_finish(A, width, z, out, poll, &finish);
}
