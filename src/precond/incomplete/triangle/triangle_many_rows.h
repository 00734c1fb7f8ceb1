/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a packed triangle for blocks of columns: as many chains of dependent operations
 * side by side, each with the operations of triangle_solve.c. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_TRIANGLE_MANY_ROWS_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_TRIANGLE_MANY_ROWS_H

#include "core/base/columns.h"
#include "precond/incomplete/triangle/triangle_rows.h"

#include <stddef.h>

/* The sums of group_dots() for m rows of a group; returns the place of the values after these. */
OVK_ALWAYS_INLINE int64_t group_dots_many(int w, const ovk__triangle *T, form f, int m,
                                          const double *x, int64_t list, int64_t columns,
                                          int64_t at, int64_t k, ovk__columns sum[OVK__GROUP_MAX])
{
  const int64_t sign = f.upper ? 1 : -1;
  ovk__columns odd[OVK__GROUP_MAX];
  int64_t e = 0;
  for (int l = 0; l < m; l++) {
    ovk__columns_zero(w, &sum[l]);
    ovk__columns_zero(w, &odd[l]);
  }
  for (; e + 2 <= columns; e += 2, k += 2 * (int64_t)m) {
    const double *xe = x + (at + sign * number_at(T, f, list + e)) * w;
    const double *xo = x + (at + sign * number_at(T, f, list + e + 1)) * w;
    for (int l = 0; l < m; l++) {
      ovk__columns_add_multiple(w, &sum[l], value_at(T, f, k + l), xe);
      ovk__columns_add_multiple(w, &odd[l], value_at(T, f, k + m + l), xo);
    }
  }
  if (e < columns) {
    const double *xe = x + (at + sign * number_at(T, f, list + e)) * w;
    for (int l = 0; l < m; l++) ovk__columns_add_multiple(w, &sum[l], value_at(T, f, k + l), xe);
    k += m;
  }
  for (int l = 0; l < m; l++) ovk__columns_add(w, &sum[l], &odd[l]);
  return k;
}

/* *sum <- the sum of row_dot() for a single row */
OVK_ALWAYS_INLINE void row_dot_many(int w, const ovk__triangle *T, form f, const double *x,
                                    int64_t list, int64_t columns, int64_t at, int64_t k,
                                    ovk__columns *sum)
{
  const int64_t sign = f.upper ? 1 : -1;
  ovk__columns s[TOGETHER];
  int64_t e = 0;
  for (int l = 0; l < TOGETHER; l++) ovk__columns_zero(w, &s[l]);
  for (; e + TOGETHER <= columns; e += TOGETHER) {
    for (int l = 0; l < TOGETHER; l++) {
      ovk__columns_add_multiple(w, &s[l], value_at(T, f, k + e + l),
                                x + (at + sign * number_at(T, f, list + e + l)) * w);
    }
  }
  ovk__columns_zero(w, sum);
  for (; e < columns; e++) {
    ovk__columns_add_multiple(w, sum, value_at(T, f, k + e),
                              x + (at + sign * number_at(T, f, list + e)) * w);
  }
  ovk__columns_add(w, &s[0], &s[1]);
  ovk__columns_add(w, &s[2], &s[3]);
  ovk__columns_add(w, &s[0], &s[2]);
  ovk__columns_add(w, sum, &s[0]);
}

/* x_i <- (r_i - sum_j t_ij x_j) / t_ii for a single row, as triangle_solve_row() */
OVK_ALWAYS_INLINE void triangle_many_row(int w, const ovk__triangle *T, form f, const double *r,
                                         double *x, place p, int64_t list, int64_t columns,
                                         ovk__columns *previous)
{
  const int64_t at = in_vector(T, f, p.row);
  const double inverse = inverse_at(T, f, p.row),
               near = ovk__real_at(T->near, f.single, p.row) * inverse;
  ovk__columns sum, own;
  row_dot_many(w, T, f, x, list, columns, at, p.value, &sum);
  ovk__columns_load(w, &own, r + at * w);
  ovk__columns_subtract(w, &own, &sum);
  ovk__columns_scale(w, &own, inverse);
  ovk__columns_subtract_scaled(w, &own, near, previous);
  ovk__columns_store(w, x + at * w, &own);
  *previous = own;
}

/* The same for a group of m rows. */
OVK_ALWAYS_INLINE void triangle_many_group(int w, const ovk__triangle *T, form f, int m,
                                           const double *r, double *x, place p, int64_t list,
                                           int64_t columns, ovk__columns *previous)
{
  const int64_t at = in_vector(T, f, p.row), sign = f.upper ? 1 : -1;
  ovk__columns known[OVK__GROUP_MAX], y[OVK__GROUP_MAX];
  int64_t k = group_dots_many(w, T, f, m, x, list, columns, at, p.value, known);
  for (int l = 0; l < m; l++) {
    ovk__columns_load(w, &y[l], r + (at - sign * l) * w);
    ovk__columns_subtract(w, &y[l], &known[l]);
    for (int j = 0; j < l; j++) ovk__columns_subtract_scaled(w, &y[l], value_at(T, f, k++), &y[j]);
    ovk__columns_scale(w, &y[l], inverse_at(T, f, p.row + l));
  }
  for (int l = 0; l < m; l++) ovk__columns_store(w, x + (at - sign * l) * w, &y[l]);
  *previous = y[m - 1];
}

/* Solves for rows from p on until row `to` or after it, where its group ends. */
OVK_ALWAYS_INLINE void triangle_many_solve_of(int w, const ovk__triangle *T, form f,
                                              const double *r, double *x, place *p, int64_t to)
{
  ovk__columns previous;
  ovk__columns_zero(w, &previous);
  if (p->row > 0) ovk__columns_load(w, &previous, x + in_vector(T, f, p->row - 1) * w);
  while (p->row < to) {
    const int64_t list = T->list[p->row] + (int64_t)HEAD;
    const int64_t m = f.grouped ? number_at(T, f, list - 2) : 1;
    const int64_t columns = number_at(T, f, list - 1);
    if (m == 1) {
      triangle_many_row(w, T, f, r, x, *p, list, columns, &previous);
    } else if (m == 2) {
      triangle_many_group(w, T, f, 2, r, x, *p, list, columns, &previous);
    } else {
      triangle_many_group(w, T, f, 3, r, x, *p, list, columns, &previous);
    }
    p->row += m;
    p->value += m * columns + m * (m - 1) / 2;
  }
}

/* As triangle_spread_row(): *less is subtracted from x_i, and becomes that of x_i-1. */
OVK_ALWAYS_INLINE void triangle_many_spread_row(int w, const ovk__triangle *T, form f, double *x,
                                                int64_t i, int64_t k, int64_t list, int64_t columns,
                                                ovk__columns *less)
{
  const double inverse = inverse_at(T, f, i);
  ovk__columns own, to;
  ovk__columns_load(w, &own, x + i * w);
  ovk__columns_subtract(w, &own, less);
  ovk__columns_set_scaled(w, less, ovk__real_at(T->near, f.single, i) * inverse, &own);
  ovk__columns_scale(w, &own, inverse);
  ovk__columns_store(w, x + i * w, &own);
  for (int64_t e = 0; e < columns; e++) {
    double *at = x + (i - number_at(T, f, list + e)) * w;
    ovk__columns_load(w, &to, at);
    ovk__columns_subtract_scaled(w, &to, value_at(T, f, k + e), &own);
    ovk__columns_store(w, at, &to);
  }
}

/* As triangle_spread_group(), for m rows from i on. */
OVK_ALWAYS_INLINE void triangle_many_spread_group(int w, const ovk__triangle *T, form f, int m,
                                                  double *x, int64_t i, int64_t k, int64_t list,
                                                  int64_t columns, ovk__columns *less)
{
  const int64_t between = k + m * columns;
  ovk__columns y[OVK__GROUP_MAX], sum, to;
  for (int l = 0; l < m; l++) ovk__columns_load(w, &y[l], x + (i + l) * w);
  ovk__columns_subtract(w, &y[m - 1], less);
  for (int l = m - 1; l >= 0; l--) {
    ovk__columns_scale(w, &y[l], inverse_at(T, f, i + l));
    for (int j = 0; j < l; j++) {
      const double value = value_at(T, f, between + l * (l - 1) / 2 + j);
      ovk__columns_subtract_scaled(w, &y[j], value, &y[l]);
    }
  }
  for (int l = 0; l < m; l++) ovk__columns_store(w, x + (i + l) * w, &y[l]);
  for (int64_t e = 0; e < columns; e++) {
    double *at = x + (i - number_at(T, f, list + e)) * w;
    ovk__columns_zero(w, &sum);
    for (int l = 0; l < m; l++) {
      ovk__columns_add_scaled(w, &sum, value_at(T, f, k + m * e + l), &y[l]);
    }
    ovk__columns_load(w, &to, at);
    ovk__columns_subtract(w, &to, &sum);
    ovk__columns_store(w, at, &to);
  }
  ovk__columns_zero(w, less);
}

/* Solves with the transposed triangle for rows before p down to row `to` or below it, where its
 * group begins. */
OVK_ALWAYS_INLINE void triangle_many_spread_of(int w, const ovk__triangle *T, form f, double *x,
                                               place *p, int64_t to)
{
  ovk__columns less, before;
  ovk__columns_zero(w, &less);
  while (p->row > to) {
    const int64_t list = T->list[p->row - 1] + (int64_t)HEAD;
    const int64_t m = f.grouped ? number_at(T, f, list - 2) : 1;
    const int64_t columns = number_at(T, f, list - 1);
    p->row -= m;
    p->value -= m * columns + m * (m - 1) / 2;
    if (m == 1) {
      triangle_many_spread_row(w, T, f, x, p->row, p->value, list, columns, &less);
    } else if (m == 2) {
      triangle_many_spread_group(w, T, f, 2, x, p->row, p->value, list, columns, &less);
    } else {
      triangle_many_spread_group(w, T, f, 3, x, p->row, p->value, list, columns, &less);
    }
  }
  if (p->row == 0) return;
  ovk__columns_load(w, &before, x + (p->row - 1) * w);
  ovk__columns_subtract(w, &before, &less);
  ovk__columns_store(w, x + (p->row - 1) * w, &before);
}

/* The same for blocks of 8 columns and processors with vectors of eight. */
void ovk__triangle_many_solve_wide(const ovk__triangle *T, const double *r, double *x, place *p,
                                   int64_t to);
void ovk__triangle_many_spread_wide(const ovk__triangle *T, double *x, place *p, int64_t to);

#endif
