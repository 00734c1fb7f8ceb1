/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a triangle by diagonals for blocks of columns: some rows at a time, with the
 * operations of dia_triangle_solve.c, whose lanes are rows. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_MANY_ROWS_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_MANY_ROWS_H

#include "core/base/columns.h"
#include "core/base/reals.h"
#include "precond/incomplete/triangle/dia_triangle.h"

/* How a sweep is compiled. */
typedef struct form {
  bool single, backward;
} form;

/* Rows whose diagonals are multiplied side by side: these have distances of at least 8. */
enum { SIDE_BY_SIDE = 4, PREFETCHED = 8 };

/* The rest of the equation of a row: x = rest - near x_before, the row before in the sweep. */
typedef struct link {
  ovk__columns rest;
  double near;
} link;

/* m rows of the sweep from row i on, which the diagonals from `first` on connect with rows that are
 * solved already. */
OVK_ALWAYS_INLINE void dia_triangle_many_links(int w, const ovk__dia_triangle *T, form f, int m,
                                               const double *r, const double *x, int64_t i,
                                               int first, link *row)
{
  const int64_t sign = f.backward ? -1 : 1;
  for (int l = 0; l < m; l++) {
    ovk__columns_load(w, &row[l].rest, r + (i + sign * l) * w);
    row[l].near = ovk__real_at(T->near, f.single, i + sign * l + f.backward);
  }
  for (int e = first; e < T->count; e++) {
    const int64_t d = T->distance[e], at = e * T->stride + i + (f.backward ? d : 0);
    const double *from = x + (i - sign * d) * w;
    for (int l = 0; l < m; l++) {
      ovk__columns known;
      ovk__columns_load(w, &known, from + sign * l * w);
      ovk__columns_subtract_scaled(w, &row[l].rest, ovk__real_at(T->value, f.single, at + sign * l),
                                   &known);
    }
  }
  for (int l = 0; T->inverse && l < m; l++) {
    const double inverse = ovk__real_at(T->inverse, f.single, i + sign * l);
    ovk__columns_scale(w, &row[l].rest, inverse);
    row[l].near *= inverse;
  }
}

/* Solves two rows of the sweep, the first one row i, where the row before them has *previous, which
 * becomes that of the second one. */
OVK_ALWAYS_INLINE void dia_triangle_many_solve_two(int w, form f, const link *a, const link *b,
                                                   double *x, int64_t i, ovk__columns *previous)
{
  ovk__columns x_a = a->rest, x_b = b->rest;
  ovk__columns_subtract_scaled(w, &x_a, a->near, previous);
  /* x_b = (b.rest - b.near a.rest) + b.near a.near x_before */
  ovk__columns_subtract_scaled(w, &x_b, b->near, &a->rest);
  ovk__columns_add_scaled(w, &x_b, b->near * a->near, previous);
  ovk__columns_store(w, x + i * w, &x_a);
  ovk__columns_store(w, x + (f.backward ? i - 1 : i + 1) * w, &x_b);
  *previous = x_b;
}

/* Prefetches the values that the sweep needs some rows after row i, a cache line of each diagonal.
 */
OVK_ALWAYS_INLINE void dia_triangle_many_ask_ahead(const ovk__dia_triangle *T, form f, int64_t i)
{
  const int64_t each = (int64_t)ovk__real_size(f.single);
  const int64_t at = f.backward ? i - OVK__PREFETCH_ROWS : i + OVK__PREFETCH_ROWS;
  for (int e = 0; e < T->count; e++) {
    OVK_PREFETCH((const char *)T->value + each * (e * T->stride + at));
  }
}

/* Whether the diagonal before the one of number `first` has an entry in the row after `done` rows.
 */
OVK_ALWAYS_INLINE bool dia_triangle_many_begins(const ovk__dia_triangle *T, int first, int64_t done)
{
  return first > 0 && T->distance[first - 1] <= done;
}

/* Solves for the rows of the sweep from `done` on, where x_before is *previous: for SIDE_BY_SIDE if
 * so many have the same diagonals, which begin with `first`; else for two, or one at the end.
 * Returns how many. */
OVK_ALWAYS_INLINE int64_t dia_triangle_many_step(int w, const ovk__dia_triangle *T, form f,
                                                 const double *r, double *x, int64_t done,
                                                 int64_t to, int *first, ovk__columns *previous)
{
  const int64_t i = f.backward ? T->n - done - 1 : done, sign = f.backward ? -1 : 1;
  link row[SIDE_BY_SIDE];
  if (to - done >= SIDE_BY_SIDE && !dia_triangle_many_begins(T, *first, done + SIDE_BY_SIDE - 1)) {
    dia_triangle_many_links(w, T, f, SIDE_BY_SIDE, r, x, i, *first, row);
    for (int l = 0; l < SIDE_BY_SIDE; l += 2) {
      dia_triangle_many_solve_two(w, f, &row[l], &row[l + 1], x, i + sign * l, previous);
    }
    return SIDE_BY_SIDE;
  }
  dia_triangle_many_links(w, T, f, 1, r, x, i, *first, &row[0]);
  if (done + 1 == to) {
    ovk__columns_subtract_scaled(w, &row[0].rest, row[0].near, previous);
    ovk__columns_store(w, x + i * w, &row[0].rest);
    return 1;
  }
  while (dia_triangle_many_begins(T, *first, done + 1)) --*first;
  dia_triangle_many_links(w, T, f, 1, r, x, i + sign, *first, &row[1]);
  dia_triangle_many_solve_two(w, f, &row[0], &row[1], x, i, previous);
  return 2;
}

/* Solves for `done` to `to` rows of the sweep; both are even, or `to` is n. */
OVK_ALWAYS_INLINE void dia_triangle_many_rows(int w, const ovk__dia_triangle *T, form f,
                                              const double *r, double *x, int64_t done, int64_t to)
{
  ovk__columns previous;
  int first = T->count;
  ovk__columns_zero(w, &previous);
  if (done > 0) ovk__columns_load(w, &previous, x + (f.backward ? T->n - done : done - 1) * w);
  for (int64_t asked = done; done < to;) {
    if (done >= asked) {
      dia_triangle_many_ask_ahead(T, f, f.backward ? T->n - done - 1 : done);
      asked = done + PREFETCHED;
    }
    while (dia_triangle_many_begins(T, first, done)) first--;
    done += dia_triangle_many_step(w, T, f, r, x, done, to, &first, &previous);
  }
}

/* The same for blocks of 8 columns and processors with vectors of eight. */
void ovk__dia_triangle_many_wide(const ovk__dia_triangle *T, form f, const double *r, double *x,
                                 int64_t done, int64_t to);

#endif
