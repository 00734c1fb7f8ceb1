/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a triangle by diagonals for blocks of columns: two rows at a time, with the
 * operations of dia_triangle_solve.c, whose lanes are rows. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_MANY_ROWS_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_MANY_ROWS_H

#include "core/base/columns.h"
#include "precond/incomplete/triangle/dia_triangle.h"

/* How a sweep is compiled. */
typedef struct form {
  bool single, backward;
} form;

OVK_ALWAYS_INLINE double real_at(const void *array, form f, int64_t at)
{
  return f.single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

/* The rest of the equation of a row: x = rest - near x_before, the row before in the sweep. */
typedef struct link {
  ovk__columns rest;
  double near;
} link;

/* Row i, which the diagonals from `first` on connect with rows that are solved already. */
OVK_ALWAYS_INLINE void dia_triangle_many_link(int w, const ovk__dia_triangle *T, form f,
                                              const double *r, const double *x, int64_t i,
                                              int first, link *l)
{
  ovk__columns known;
  ovk__columns_load(w, &l->rest, r + i * w);
  l->near = real_at(T->near, f, f.backward ? i + 1 : i);
  for (int e = first; e < T->count; e++) {
    const int64_t d = T->distance[e];
    ovk__columns_load(w, &known, x + (f.backward ? i + d : i - d) * w);
    ovk__columns_subtract_scaled(
        w, &l->rest, real_at(T->value, f, e * T->stride + i + (f.backward ? d : 0)), &known);
  }
  if (!T->inverse) return;
  const double inverse = real_at(T->inverse, f, i);
  ovk__columns_scale(w, &l->rest, inverse);
  l->near *= inverse;
}

/* Prefetches the values that the sweep needs some rows after row i, a cache line of each diagonal.
 */
OVK_ALWAYS_INLINE void dia_triangle_many_ask_ahead(const ovk__dia_triangle *T, form f, int64_t i)
{
  const int64_t each = f.single ? sizeof(float) : sizeof(double);
  const int64_t at = f.backward ? i - OVK__PREFETCH_ROWS : i + OVK__PREFETCH_ROWS;
  for (int e = 0; e < T->count; e++) {
    OVK_PREFETCH((const char *)T->value + each * (e * T->stride + at));
  }
}

/* Solves for `done` to `to` rows of the sweep; both are even, or `to` is n. */
OVK_ALWAYS_INLINE void dia_triangle_many_rows(int w, const ovk__dia_triangle *T, form f,
                                              const double *r, double *x, int64_t done, int64_t to)
{
  ovk__columns previous;
  int first = T->count;
  ovk__columns_zero(w, &previous);
  if (done > 0) ovk__columns_load(w, &previous, x + (f.backward ? T->n - done : done - 1) * w);
  for (; done < to; done += 2) {
    const int64_t i = f.backward ? T->n - done - 1 : done, next = f.backward ? i - 1 : i + 1;
    link a, b;
    if (done % 8 == 0) dia_triangle_many_ask_ahead(T, f, i);
    while (first > 0 && T->distance[first - 1] <= done) first--;
    dia_triangle_many_link(w, T, f, r, x, i, first, &a);
    ovk__columns x_a = a.rest;
    ovk__columns_subtract_scaled(w, &x_a, a.near, &previous);
    if (done + 1 == to) {
      ovk__columns_store(w, x + i * w, &x_a);
      return;
    }
    while (first > 0 && T->distance[first - 1] <= done + 1) first--;
    dia_triangle_many_link(w, T, f, r, x, next, first, &b);
    /* x_b = (b.rest - b.near a.rest) + b.near a.near x_before */
    ovk__columns_subtract_scaled(w, &b.rest, b.near, &a.rest);
    ovk__columns_add_scaled(w, &b.rest, b.near * a.near, &previous);
    ovk__columns_store(w, x + i * w, &x_a);
    ovk__columns_store(w, x + next * w, &b.rest);
    previous = b.rest;
  }
}

/* The same for blocks of 8 columns and processors with vectors of eight. */
void ovk__dia_triangle_many_wide(const ovk__dia_triangle *T, form f, const double *r, double *x,
                                 int64_t done, int64_t to);

#endif
