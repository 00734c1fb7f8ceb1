/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a packed triangle. Each is bound by the bytes of the triangle; x stays in caches.
 * Rows follow each other through x, so the last entry of a row, nearest to the diagonal, is the one
 * that waits for the row before. */
#include "base/clones.h"
#include "precond/incomplete/triangle.h"

/* The types of a triangle's arrays, for each of which the sweeps are compiled. */
typedef struct form {
  bool narrow, single;
} form;

OVK_KERNEL_PART int64_t distance_at(const ovk__triangle *T, form f, int64_t at)
{
  return f.narrow ? ((const uint16_t *)T->distances)[at] : ((const uint32_t *)T->distances)[at];
}

OVK_KERNEL_PART double real_at(const void *array, form f, int64_t at)
{
  return f.single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

OVK_KERNEL_PART double inverse_at(const ovk__triangle *T, form f, int64_t i)
{
  return T->inverse ? real_at(T->inverse, f, i) : 1;
}

/* x_i <- (r_i - sum_j t_ij x_j) / t_ii for rows from ... to - 1 of a lower triangle, whose values
 * begin at k; returns where they end */
OVK_KERNEL_PART int64_t lower_rows(const ovk__triangle *T, form f, const double *r, double *x,
                                   int64_t from, int64_t to, int64_t k)
{
  for (int64_t i = from; i < to; i++) {
    const int64_t list = T->list[i], length = distance_at(T, f, list);
    double sum = r[i];
    for (int64_t e = 0; e < length; e++) {
      sum -= real_at(T->value, f, k + e) * x[i - distance_at(T, f, list + 1 + e)];
    }
    x[i] = sum * inverse_at(T, f, i);
    k += length;
  }
  return k;
}

/* x_i <- x_i / t_ii, x_j <- x_j - t_ij x_i for rows to - 1 ... from of a lower triangle, whose
 * values end at k; returns where they begin */
OVK_KERNEL_PART int64_t transposed_rows(const ovk__triangle *T, form f, double *x, int64_t from,
                                        int64_t to, int64_t k)
{
  for (int64_t i = to - 1; i >= from; i--) {
    const int64_t list = T->list[i], length = distance_at(T, f, list);
    const double xi = x[i] * inverse_at(T, f, i);
    x[i] = xi;
    k -= length;
    for (int64_t e = 0; e < length; e++) {
      x[i - distance_at(T, f, list + 1 + e)] -= real_at(T->value, f, k + e) * xi;
    }
  }
  return k;
}

/* x_i <- (x_i - sum_j t_ij x_j) / t_ii for rows to - 1 ... from of an upper triangle, likewise */
OVK_KERNEL_PART int64_t upper_rows(const ovk__triangle *T, form f, double *x, int64_t from,
                                   int64_t to, int64_t k)
{
  for (int64_t i = to - 1; i >= from; i--) {
    const int64_t list = T->list[i], length = distance_at(T, f, list);
    double sum = x[i];
    k -= length;
    for (int64_t e = length - 1; e >= 0; e--) {
      sum -= real_at(T->value, f, k + e) * x[i + distance_at(T, f, list + 1 + e)];
    }
    x[i] = sum * inverse_at(T, f, i);
  }
  return k;
}

/* Returns call(form) for the form of T. */
#define FOR_FORM(T, call)                                                                          \
  do {                                                                                             \
    if ((T)->narrow && (T)->single) return call(((form){true, true}));                             \
    if ((T)->narrow) return call(((form){true, false}));                                           \
    if ((T)->single) return call(((form){false, true}));                                           \
    return call(((form){false, false}));                                                           \
  } while (0)

OVK_FOR_EACH_CPU
static int64_t lower(const ovk__triangle *T, const double *r, double *x, int64_t from, int64_t to,
                     int64_t k)
{
#define LOWER(f) lower_rows(T, f, r, x, from, to, k)
  FOR_FORM(T, LOWER);
#undef LOWER
}

OVK_FOR_EACH_CPU
static int64_t transposed(const ovk__triangle *T, double *x, int64_t from, int64_t to, int64_t k)
{
#define TRANSPOSED(f) transposed_rows(T, f, x, from, to, k)
  FOR_FORM(T, TRANSPOSED);
#undef TRANSPOSED
}

OVK_FOR_EACH_CPU
static int64_t upper(const ovk__triangle *T, double *x, int64_t from, int64_t to, int64_t k)
{
#define UPPER(f) upper_rows(T, f, x, from, to, k)
  FOR_FORM(T, UPPER);
#undef UPPER
}

void ovk__lower_solve(const ovk__triangle *T, const double *r, double *x, ovk_poll poll)
{
  int64_t k = 0;
  for (ovk_lidx i = 0, end; i < T->n; i = end) {
    end = ovk_poll_until(poll, i, T->n);
    k = lower(T, r, x, i, end, k);
    ovk_poll_call(poll);
  }
}

void ovk__lower_solve_transposed(const ovk__triangle *T, double *x, ovk_poll poll)
{
  int64_t k = T->nvalues;
  for (ovk_lidx done = 0, end; done < T->n; done = end) {
    end = ovk_poll_until(poll, done, T->n);
    k = transposed(T, x, T->n - end, T->n - done, k);
    ovk_poll_call(poll);
  }
}

void ovk__upper_solve(const ovk__triangle *T, double *x, ovk_poll poll)
{
  int64_t k = T->nvalues;
  for (ovk_lidx done = 0, end; done < T->n; done = end) {
    end = ovk_poll_until(poll, done, T->n);
    k = upper(T, x, T->n - end, T->n - done, k);
    ovk_poll_call(poll);
  }
}
