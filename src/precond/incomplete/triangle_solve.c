/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a packed triangle. Each is bound by the bytes of the triangle; x stays in caches.
 */
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

/* How many entries are worked on together. */
enum { GROUP = 4 };

/* sum_j t_ij x_j over a row's list, whose columns are at base - sign * distance; values begin at k
 */
OVK_KERNEL_PART double row_dot(const ovk__triangle *T, form f, const double *x, int64_t list,
                               int64_t length, int64_t i, int sign, int64_t k)
{
  double s[GROUP] = {0};
  int64_t e = 0;
  for (; e + GROUP <= length; e += GROUP) {
    double value[GROUP], other[GROUP];
    for (int l = 0; l < GROUP; l++) value[l] = real_at(T->value, f, k + e + l);
    for (int l = 0; l < GROUP; l++) other[l] = x[i + sign * distance_at(T, f, list + e + l)];
    for (int l = 0; l < GROUP; l++) s[l] += value[l] * other[l];
  }
  double rest = 0;
  for (; e < length; e++) {
    rest += real_at(T->value, f, k + e) * x[i + sign * distance_at(T, f, list + e)];
  }
  return ((s[0] + s[1]) + (s[2] + s[3])) + rest;
}

/* x_i <- (r_i - sum_j t_ij x_j) / t_ii for rows from ... to - 1 of a lower triangle, whose values
 * begin at k; returns where they end. x_i-1 enters last, so that a row waits for one product and
 * one difference of the row before. */
OVK_KERNEL_PART int64_t lower_rows(const ovk__triangle *T, form f, const double *r, double *x,
                                   int64_t from, int64_t to, int64_t k)
{
  double previous = from > 0 ? x[from - 1] : 0;
  for (int64_t i = from; i < to; i++) {
    const int64_t list = T->list[i], length = distance_at(T, f, list);
    const double inverse = inverse_at(T, f, i), near = real_at(T->near, f, i) * inverse;
    const double sum = r[i] - row_dot(T, f, x, list + 1, length, i, -1, k);
    x[i] = previous = sum * inverse - near * previous;
    k += length;
  }
  return k;
}

/* x_i <- x_i / t_ii, x_j <- x_j - t_ij x_i for rows to - 1 ... from of a lower triangle, whose
 * values end at k; returns where they begin. What x_i-1 is lessened by is not stored until that
 * row, except after the last. */
OVK_KERNEL_PART int64_t transposed_rows(const ovk__triangle *T, form f, double *x, int64_t from,
                                        int64_t to, int64_t k)
{
  double less = 0;
  for (int64_t i = to - 1; i >= from; i--) {
    const int64_t list = T->list[i], length = distance_at(T, f, list);
    const double inverse = inverse_at(T, f, i), rest = x[i] - less, xi = rest * inverse;
    less = real_at(T->near, f, i) * inverse * rest;
    x[i] = xi;
    k -= length;
    int64_t e = 0;
    for (; e + GROUP <= length; e += GROUP) {
      double part[GROUP];
      for (int l = 0; l < GROUP; l++) part[l] = real_at(T->value, f, k + e + l) * xi;
      for (int l = 0; l < GROUP; l++) x[i - distance_at(T, f, list + 1 + e + l)] -= part[l];
    }
    for (; e < length; e++) {
      x[i - distance_at(T, f, list + 1 + e)] -= real_at(T->value, f, k + e) * xi;
    }
  }
  if (from > 0) x[from - 1] -= less;
  return k;
}

/* x_i <- (x_i - sum_j t_ij x_j) / t_ii for rows to - 1 ... from of an upper triangle, likewise */
OVK_KERNEL_PART int64_t upper_rows(const ovk__triangle *T, form f, double *x, int64_t from,
                                   int64_t to, int64_t k)
{
  double previous = to < T->n ? x[to] : 0;
  for (int64_t i = to - 1; i >= from; i--) {
    const int64_t list = T->list[i], length = distance_at(T, f, list);
    const double inverse = inverse_at(T, f, i), near = real_at(T->near, f, i) * inverse;
    k -= length;
    const double sum = x[i] - row_dot(T, f, x, list + 1, length, i, 1, k);
    x[i] = previous = sum * inverse - near * previous;
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
