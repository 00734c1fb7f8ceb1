/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of a rank and their marks. A sweep updates some rows, then adds their products while
 * they are in the nearest cache. */
#include "solvers/ops/marks.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/mem.h"
#include "solvers/kernels/updates/updates.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

/* Rows that are worked on at a time: with those of all vectors of few sums, or of many, in the
 * nearest cache. */
enum { ROWS = 512, FEWER_ROWS = 256, FEW_PAIRS = 5, SPARE = 64 };

ovk_err ovk__marks_reserve(ovk_solver *S, int values)
{
  struct ovk__marks *m = S->marks;
  const int n = 4 * values + SPARE;
  if (m && m->n >= n) return OVK_OK;
  if (!m) OVK_NEW(S->ctx, m);
  S->marks = m;
  ovk__exact_sum *sums;
  OVK_NEW_ZEROS(S->ctx, sums, n);
  for (int k = 0; k < n; k++) ovk__exact_sum_clear(&sums[k]);
  free(m->sums);
  *m = (struct ovk__marks){n, 0, sums};
  return OVK_OK;
}

void ovk__marks_destroy(ovk_solver *S)
{
  if (S->marks) free(S->marks->sums);
  free(S->marks);
  S->marks = NULL;
}

/* A mark of *sum <- a sum of 0. */
static double mark_new(ovk_solver *S, ovk__exact_sum **sum)
{
  struct ovk__marks *m = S->marks;
  *sum = &m->sums[m->next];
  ovk__exact_sum_clear(*sum);
  m->next = (m->next + 1) % m->n;
  return (double)(*sum - m->sums) + 1;
}

void ovk__mark_take(const struct ovk__marks *marks, double mark, ovk__exact_sum *to)
{
  const bool valid = mark >= 1 && mark <= marks->n && mark == floor(mark);
  if (valid) {
    ovk__exact_sum_copy(&marks->sums[(int)mark - 1], to);
  } else {
    ovk__exact_sum_clear(to);
    if (mark != 0) to->unusual = NAN;
  }
}

OVK_FOR_EACH_CPU
static void mark_multiply(ovk_lidx n, const double *restrict d, const double *restrict v,
                          double *restrict room)
{
  for (ovk_lidx k = 0; k < n; k++) room[k] = d[k] * v[k];
}

OVK_FOR_EACH_CPU
static void mark_multiply_constant(ovk_lidx n, double d, const double *restrict v,
                                   double *restrict room)
{
  for (ovk_lidx k = 0; k < n; k++) room[k] = d * v[k];
}

/* D v in `room`, for n rows from row i on; v itself if D is the identity. */
static const double *mark_scale(ovk__diagonal D, const double *v, ovk_lidx i, ovk_lidx n,
                                double room[ROWS])
{
  if (D.constant && D.d[0] == 1) return v + i;
  if (D.constant) {
    mark_multiply_constant(n, D.d[0], v + i, room);
  } else {
    mark_multiply(n, D.d + i, v + i, room);
  }
  return room;
}

/* Rows of D v for the last two v. */
typedef struct mark_room {
  const double *v[2];
  double rows[2][ROWS];
  int next;
} mark_room;

/* D v for `some` rows from row i on, unless they are there. */
static const double *mark_scaled_rows(ovk__diagonal D, const double *v, ovk_lidx i, ovk_lidx some,
                                      mark_room *room)
{
  for (int k = 0; k < 2; k++) {
    if (room->v[k] != v) continue;
    room->next = !k; /* the other factor may be in this one */
    return mark_scale(D, v, i, 0, room->rows[k]);
  }
  const int k = room->next;
  room->next = !k;
  room->v[k] = v;
  return mark_scale(D, v, i, some, room->rows[k]);
}

/* The inner products of a sweep or product. */
typedef struct mark_sums {
  const ovk_solver *S;
  int n;
  const ovk__pair *pairs;
  ovk__exact_sum *sum[OVK__MOST_PAIRS];
} mark_sums;

static mark_sums mark_begin(ovk_solver *S, int n, const ovk__pair *pairs, double *parts)
{
  mark_sums m = {.S = S, .n = n, .pairs = pairs};
  for (int k = 0; k < n; k++) {
    const int *unit = pairs[k].unit;
    parts[k] = mark_new(S, &m.sum[k]);
    if (unit && *unit != OVK__NO_UNIT) ovk__exact_sum_clear_rough(m.sum[k], *unit);
  }
  return m;
}

/* Adds the products of n <= ROWS rows from row `first` on. */
static void mark_add_rows(const mark_sums *m, ovk_lidx first, ovk_lidx n)
{
  const ovk__diagonal D = m->S->D;
  mark_room room;
  room.v[0] = room.v[1] = NULL;
  room.next = 0;
  for (int k = 0; k < m->n; k++) {
    const ovk__pair *p = &m->pairs[k];
    const double *x = p->scale_x ? mark_scaled_rows(D, p->x, first, n, &room) : p->x + first;
    const double *y = p->scale_y ? mark_scaled_rows(D, p->y, first, n, &room) : p->y + first;
    ovk__exact_sum_add(m->sum[k], n, x, y);
  }
}

/* The windows of sums that have none, from some products before an update, which are of similar
 * size. */
static void mark_expect(const mark_sums *m, ovk_lidx n)
{
  enum { SAMPLES = 16 };
  const ovk__diagonal D = m->S->D;
  const ovk_lidx step = n / SAMPLES + 1;
  for (int k = 0; k < m->n; k++) {
    const ovk__pair *p = &m->pairs[k];
    double x[SAMPLES], y[SAMPLES];
    int some = 0;
    for (ovk_lidx i = 0; i < n && some < SAMPLES; i += step, some++) {
      const double d = D.d ? D.d[D.constant ? 0 : i] : 1;
      x[some] = p->scale_x ? d * p->x[i] : p->x[i];
      y[some] = p->scale_y ? d * p->y[i] : p->y[i];
    }
    ovk__exact_sum_expect(m->sum[k], some, x, y);
  }
}

/* An update that adds the products itself. */
static bool mark_update_and_add(const mark_sums *m, const ovk__row_update *update, ovk_lidx first,
                                ovk_lidx n)
{
  for (int k = 0; k < m->n; k++) {
    if (!ovk__exact_sum_takes(m->sum[k])) {
      update->rows(update->arg, first, n);
      return false;
    }
  }
  return update->rows_and_sums(update->arg, first, n, m->sum);
}

void ovk__mark_sweep(ovk_solver *S, const ovk__row_update *update, int n, const ovk__pair *pairs,
                     double *parts)
{
  const mark_sums m = mark_begin(S, n, pairs, parts);
  const bool fused = update && update->rows_and_sums;
  const ovk_lidx all = rows(S), most = n > FEW_PAIRS && !fused ? FEWER_ROWS : ROWS;
  if (fused) mark_expect(&m, all < ROWS ? all : ROWS);
  for (ovk_lidx i = 0, some; i < all; i += some) {
    some = all - i < most ? all - i : most;
    if (fused && mark_update_and_add(&m, update, i, some)) continue;
    if (update && !fused) update->rows(update->arg, i, some);
    mark_add_rows(&m, i, some);
  }
}

void ovk__mark_pairs(ovk_solver *S, int n, const ovk__pair *pairs, double *parts)
{
  ovk__mark_sweep(S, NULL, n, pairs, parts);
}

double ovk__mark_dot(ovk_solver *S, const double *x, const double *y)
{
  const ovk__pair pair = ovk__pair_of(x, y);
  double part;
  ovk__mark_pairs(S, 1, &pair, &part);
  return part;
}

double ovk__part_dot(ovk_solver *S, const double *x, const double *y)
{
  return S->marks ? ovk__mark_dot(S, x, y) : ovk__dot(rows(S), x, y);
}

double ovk__part_sum(ovk_solver *S, const double *x)
{
  const ovk_lidx all = rows(S);
  double ones[SPARE], part = 0;
  ovk__exact_sum *sum = NULL;
  for (int k = 0; k < SPARE; k++) ones[k] = 1;
  if (S->marks) part = mark_new(S, &sum);
  for (ovk_lidx i = 0; !sum && i < all; i++) part += x[i];
  for (ovk_lidx i = 0, some; sum && i < all; i += some) {
    some = all - i < SPARE ? all - i : SPARE;
    ovk__exact_sum_add(sum, some, ones, x + i);
  }
  return part;
}

static void mark_finished_rows(void *arg, ovk_lidx first, ovk_lidx n, double *s)
{
  (void)s; /* the rows are in their vector */
  for (ovk_lidx i = first, some; i < first + n; i += some) {
    some = first + n - i < ROWS ? first + n - i : ROWS;
    mark_add_rows(arg, i, some);
  }
}

ovk_err ovk__mark_mult(ovk_solver *S, const double *p, double *s, ovk_poll poll, int n,
                       const ovk__pair *pairs, double *parts)
{
  mark_sums m = mark_begin(S, n, pairs, parts);
  const ovk__finish finish = {mark_finished_rows, &m};
  return ovk__mat_mult_finish(S->A, 1, p, s, poll, &finish);
}
