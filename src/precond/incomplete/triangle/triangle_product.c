/* SPDX-License-Identifier: BSD-2-Clause */
/* A product with a triangle and a solve with it in one pass over its values: some rows at a time,
 * whose values are in the first cache when they are used again. */
#include "precond/incomplete/triangle/triangle_rows.h"

/* Rows between a product and the solve. */
enum { ROWS = 256 };

/* s <- s + N v for rows from p on until row `to` or after it, where its group ends; N is T without
 * its diagonal. */
OVK_ALWAYS_INLINE place triangle_multiply_rows(const ovk__triangle *T, form f, const double *v,
                                               double *s, place p, int64_t to)
{
  while (p.row < to) {
    const int64_t list = T->list[p.row] + (int64_t)HEAD, i = p.row;
    const int64_t m = f.grouped ? number_at(T, f, list - 2) : 1;
    const int64_t columns = number_at(T, f, list - 1);
    double sum[OVK__GROUP_MAX];
    if (m == 1) {
      sum[0] = row_dot(T, f, v, list, columns, i, p.value);
      if (i > 0) sum[0] += ovk__real_at(T->near, f.single, i) * v[i - 1];
    } else {
      int64_t k = m == 2 ? group_dots(T, f, 2, v, list, columns, i, p.value, sum)
                         : group_dots(T, f, 3, v, list, columns, i, p.value, sum);
      for (int64_t l = 1; l < m; l++) {
        for (int64_t j = 0; j < l; j++) sum[l] += value_at(T, f, k++) * v[i + j];
      }
    }
    for (int64_t l = 0; l < m; l++) s[i + l] += sum[l];
    p.row += m;
    p.value += m * columns + m * (m - 1) / 2;
  }
  return p;
}

OVK_FOR_EACH_CPU
static place triangle_multiply(const ovk__triangle *T, const double *v, double *s, place p,
                               int64_t to)
{
#define MULTIPLY(f) triangle_multiply_rows(T, f, v, s, p, to)
  FOR_FORM(T, false, MULTIPLY);
#undef MULTIPLY
}

void ovk__triangle_multiply_solve(const ovk__triangle *T, const double *v, double *s, double *x,
                                  ovk_poll poll)
{
  if (T->by_diagonals) {
    ovk__dia_triangle_multiply_solve(&T->dia, v, s, x, poll);
    return;
  }
  for (place p = {0, 0}; p.row < T->n;) {
    const int64_t until = ovk_poll_until(poll, (ovk_lidx)p.row, T->n);
    while (p.row < until) {
      const int64_t to = p.row + ROWS < until ? p.row + ROWS : until;
      (void)triangle_multiply(T, v, s, p, to);
      p = ovk__triangle_solve_lower(T, s, x, p, to);
    }
    ovk_poll_call(poll);
  }
}
