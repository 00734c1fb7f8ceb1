/* SPDX-License-Identifier: BSD-2-Clause */
/* Common to the sweeps with a triangle by rows: its forms, places in it, and inner
 * products of its rows. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_TRIANGLE_ROWS_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_TRIANGLE_ROWS_H

#include "core/base/cpu_dispatch.h"
#include "core/base/reals.h"
#include "precond/incomplete/triangle/triangle.h"

/* The types of a triangle's arrays, its order, and whether it has groups of more than one row: the
 * sweeps are compiled for each. */
typedef struct form {
  bool narrow, single, upper, grouped;
} form;

/* Where a sweep stands: before a row and the values of its group, or after them on the way back. */
typedef struct place {
  int64_t row, value;
} place;

/* Entries that are worked on together. */
enum { TOGETHER = 4, HEAD = 2 };

OVK_ALWAYS_INLINE int64_t number_at(const ovk__triangle *T, form f, int64_t at)
{
  return f.narrow ? ((const uint16_t *)T->distances)[at] : ((const uint32_t *)T->distances)[at];
}

OVK_ALWAYS_INLINE double value_at(const ovk__triangle *T, form f, int64_t at)
{
  return ovk__real_at(T->value, f.single, at);
}

OVK_ALWAYS_INLINE double inverse_at(const ovk__triangle *T, form f, int64_t i)
{
  return T->inverse ? ovk__real_at(T->inverse, f.single, i) : 1;
}

/* Row i of T in the user's vectors. */
OVK_ALWAYS_INLINE int64_t in_vector(const ovk__triangle *T, form f, int64_t i)
{
  return f.upper ? T->n - 1 - i : i;
}

/* sum_j t_ij x_j of a single row, where `at` is its place in x */
OVK_ALWAYS_INLINE double row_dot(const ovk__triangle *T, form f, const double *x, int64_t list,
                                 int64_t columns, int64_t at, int64_t k)
{
  const int64_t sign = f.upper ? 1 : -1;
  double s[TOGETHER] = {0}, rest = 0;
  int64_t e = 0;
  for (; e + TOGETHER <= columns; e += TOGETHER) {
    for (int l = 0; l < TOGETHER; l++) {
      s[l] += value_at(T, f, k + e + l) * x[at + sign * number_at(T, f, list + e + l)];
    }
  }
  for (; e < columns; e++) rest += value_at(T, f, k + e) * x[at + sign * number_at(T, f, list + e)];
  return ((s[0] + s[1]) + (s[2] + s[3])) + rest;
}

/* The same for each row of a group of m; returns the place of the values after these. */
OVK_ALWAYS_INLINE int64_t group_dots(const ovk__triangle *T, form f, int m, const double *x,
                                     int64_t list, int64_t columns, int64_t at, int64_t k,
                                     double sum[OVK__GROUP_MAX])
{
  const int64_t sign = f.upper ? 1 : -1;
  double even[OVK__GROUP_MAX] = {0}, odd[OVK__GROUP_MAX] = {0};
  int64_t e = 0;
  for (; e + 2 <= columns; e += 2, k += 2 * (int64_t)m) {
    const double xe = x[at + sign * number_at(T, f, list + e)];
    const double xo = x[at + sign * number_at(T, f, list + e + 1)];
    for (int l = 0; l < m; l++) even[l] += value_at(T, f, k + l) * xe;
    for (int l = 0; l < m; l++) odd[l] += value_at(T, f, k + m + l) * xo;
  }
  if (e < columns) {
    const double xe = x[at + sign * number_at(T, f, list + e)];
    for (int l = 0; l < m; l++) even[l] += value_at(T, f, k + l) * xe;
    k += m;
  }
  for (int l = 0; l < m; l++) sum[l] = even[l] + odd[l];
  return k;
}

/* Returns call(form) for the form of T. */
#define FOR_FORM(T, upper, call)                                                                   \
  do {                                                                                             \
    if ((T)->grouped) FOR_TYPES(T, upper, true, call);                                             \
    FOR_TYPES(T, upper, false, call);                                                              \
  } while (0)
#define FOR_TYPES(T, upper, grouped, call)                                                         \
  do {                                                                                             \
    if ((T)->narrow && (T)->single) return call(((form){true, true, upper, grouped}));             \
    if ((T)->narrow) return call(((form){true, false, upper, grouped}));                           \
    if ((T)->single) return call(((form){false, true, upper, grouped}));                           \
    return call(((form){false, false, upper, grouped}));                                           \
  } while (0)

/* Solves for rows of a lower triangle from p on until row `to` or after it, where its group ends;
 * x may be r. Returns where it stands. */
place ovk__triangle_solve_lower(const ovk__triangle *T, const double *r, double *x, place p,
                                int64_t to);

#endif
