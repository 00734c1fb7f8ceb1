/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a packed triangle: forward by rows, which collect from x, and backward by the
 * same rows as columns of the transposed triangle, which spread over x. */
#include "precond/incomplete/triangle/triangle_rows.h"

#include <string.h>

/* x_i <- (r_i - sum_j t_ij x_j) / t_ii. x_i-1 enters last, so that a row waits for one product and
 * one difference of the row before. */
OVK_ALWAYS_INLINE double triangle_solve_row(const ovk__triangle *T, form f, const double *r,
                                            double *x, place p, int64_t list, int64_t columns,
                                            double previous)
{
  const int64_t at = in_vector(T, f, p.row);
  const double inverse = inverse_at(T, f, p.row),
               near = ovk__real_at(T->near, f.single, p.row) * inverse;
  const double sum = r[at] - row_dot(T, f, x, list, columns, at, p.value);
  return x[at] = sum * inverse - near * previous;
}

/* The same for a group of m rows; returns the last x_i. */
OVK_ALWAYS_INLINE double triangle_solve_group(const ovk__triangle *T, form f, int m,
                                              const double *r, double *x, place p, int64_t list,
                                              int64_t columns)
{
  const int64_t at = in_vector(T, f, p.row);
  const int64_t sign = f.upper ? 1 : -1;
  double known[OVK__GROUP_MAX], y[OVK__GROUP_MAX];
  int64_t k = group_dots(T, f, m, x, list, columns, at, p.value, known);
  for (int l = 0; l < m; l++) {
    double sum = r[at - sign * l] - known[l];
    for (int j = 0; j < l; j++) sum -= value_at(T, f, k++) * y[j];
    y[l] = sum * inverse_at(T, f, p.row + l);
  }
  for (int l = 0; l < m; l++) x[at - sign * l] = y[l];
  return y[m - 1];
}

/* Solves for rows from p on until row `to` or after it, where its group ends. */
OVK_ALWAYS_INLINE place triangle_solve_rows(const ovk__triangle *T, form f, const double *r,
                                            double *x, place p, int64_t to)
{
  double previous = p.row > 0 ? x[in_vector(T, f, p.row - 1)] : 0;
  while (p.row < to) {
    const int64_t list = T->list[p.row] + (int64_t)HEAD;
    const int64_t m = f.grouped ? number_at(T, f, list - 2) : 1;
    const int64_t columns = number_at(T, f, list - 1);
    if (m == 1) {
      previous = triangle_solve_row(T, f, r, x, p, list, columns, previous);
    } else if (m == 2) {
      previous = triangle_solve_group(T, f, 2, r, x, p, list, columns);
    } else {
      previous = triangle_solve_group(T, f, 3, r, x, p, list, columns);
    }
    p.row += m;
    p.value += m * columns + m * (m - 1) / 2;
  }
  return p;
}

/* x_i <- (x_i - less) / t_ii, x_j <- x_j - t_ij x_i for a single row whose values begin at k.
 * Returns the number to subtract from x_i-1, which is not stored. */
OVK_ALWAYS_INLINE double triangle_spread_row(const ovk__triangle *T, form f, double *x, int64_t i,
                                             int64_t k, int64_t list, int64_t columns, double less)
{
  const double inverse = inverse_at(T, f, i), rest = x[i] - less, xi = rest * inverse;
  int64_t e = 0;
  x[i] = xi;
  for (; e + TOGETHER <= columns; e += TOGETHER) {
    double part[TOGETHER];
    for (int l = 0; l < TOGETHER; l++) part[l] = value_at(T, f, k + e + l) * xi;
    for (int l = 0; l < TOGETHER; l++) x[i - number_at(T, f, list + e + l)] -= part[l];
  }
  for (; e < columns; e++) x[i - number_at(T, f, list + e)] -= value_at(T, f, k + e) * xi;
  return ovk__real_at(T->near, f.single, i) * inverse * rest;
}

/* The same for a group of m rows from i on; it leaves nothing to be lessened. */
OVK_ALWAYS_INLINE void triangle_spread_group(const ovk__triangle *T, form f, int m, double *x,
                                             int64_t i, int64_t k, int64_t list, int64_t columns,
                                             double less)
{
  const int64_t between =
      k + m * columns; /* t_(i+l),(i+j), j < l, is at between + l (l - 1) / 2 + j */
  double y[OVK__GROUP_MAX];
  for (int l = 0; l < m; l++) y[l] = x[i + l];
  y[m - 1] -= less;
  for (int l = m - 1; l >= 0; l--) {
    y[l] *= inverse_at(T, f, i + l);
    for (int j = 0; j < l; j++) y[j] -= value_at(T, f, between + l * (l - 1) / 2 + j) * y[l];
  }
  for (int l = 0; l < m; l++) x[i + l] = y[l];
  for (int64_t e = 0; e < columns; e++) {
    double sum = 0;
    for (int l = 0; l < m; l++) sum += value_at(T, f, k + m * e + l) * y[l];
    x[i - number_at(T, f, list + e)] -= sum;
  }
}

/* Solves with the transposed triangle for rows before p down to row `to` or below it, where its
 * group begins. */
OVK_ALWAYS_INLINE place triangle_spread_rows(const ovk__triangle *T, form f, double *x, place p,
                                             int64_t to)
{
  double less = 0;
  while (p.row > to) {
    const int64_t list = T->list[p.row - 1] + (int64_t)HEAD;
    const int64_t m = f.grouped ? number_at(T, f, list - 2) : 1;
    const int64_t columns = number_at(T, f, list - 1);
    p.row -= m;
    p.value -= m * columns + m * (m - 1) / 2;
    if (m == 1) {
      less = triangle_spread_row(T, f, x, p.row, p.value, list, columns, less);
      continue;
    }
    if (m == 2) {
      triangle_spread_group(T, f, 2, x, p.row, p.value, list, columns, less);
    } else {
      triangle_spread_group(T, f, 3, x, p.row, p.value, list, columns, less);
    }
    less = 0;
  }
  if (p.row > 0) x[p.row - 1] -= less;
  return p;
}

OVK_FOR_EACH_CPU
place ovk__triangle_solve_lower(const ovk__triangle *T, const double *r, double *x, place p,
                                int64_t to)
{
#define SOLVE(f) triangle_solve_rows(T, f, r, x, p, to)
  FOR_FORM(T, false, SOLVE);
}

OVK_FOR_EACH_CPU
static place triangle_solve_upper(const ovk__triangle *T, const double *r, double *x, place p,
                                  int64_t to)
{
  FOR_FORM(T, true, SOLVE);
#undef SOLVE
}

OVK_FOR_EACH_CPU
static place triangle_spread(const ovk__triangle *T, double *x, place p, int64_t to)
{
#define SPREAD(f) triangle_spread_rows(T, f, x, p, to)
  FOR_FORM(T, false, SPREAD);
#undef SPREAD
}

static void triangle_solve_polled(const ovk__triangle *T, const double *r, double *x, ovk_poll poll)
{
  for (place p = {0, 0}; p.row < T->n;) {
    const int64_t to = ovk_poll_until(poll, (ovk_lidx)p.row, T->n);
    p = T->upper ? triangle_solve_upper(T, r, x, p, to) : ovk__triangle_solve_lower(T, r, x, p, to);
    ovk_poll_call(poll);
  }
}

static void triangle_spread_polled(const ovk__triangle *T, double *x, ovk_poll poll)
{
  for (place p = {T->n, T->nvalues}; p.row > 0;) {
    const int64_t done = T->n - p.row;
    p = triangle_spread(T, x, p, T->n - ovk_poll_until(poll, (ovk_lidx)done, T->n));
    ovk_poll_call(poll);
  }
}

void ovk__triangle_solve(const ovk__triangle *T, const double *r, double *x, ovk_poll poll)
{
  if (T->by_diagonals) {
    ovk__dia_triangle_solve(&T->dia, T->upper, r, x, poll); /* the transpose of an upper one */
  } else {
    triangle_solve_polled(T, r, x, poll);
  }
}

void ovk__triangle_solve_transposed(const ovk__triangle *T, const double *r, double *x,
                                    ovk_poll poll)
{
  if (T->by_diagonals) {
    ovk__dia_triangle_solve(&T->dia, true, r, x, poll);
    return;
  }
  if (r != x && T->n) memcpy(x, r, (size_t)T->n * sizeof *x);
  triangle_spread_polled(T, x, poll);
}
