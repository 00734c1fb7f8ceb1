/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of a rank and their marks. A sweep updates some rows, then adds their products while
 * they are in the nearest cache. */
#include "solvers/ops/marks.h"
#include "core/context/mem.h"
#include "solvers/kernels/updates/updates.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <string.h>

enum { ROWS = 1024, SPARE = 64 };

static ovk_lidx mark_rows(ovk_lidx first, ovk_lidx n)
{
  return n - first < ROWS ? n - first : ROWS;
}

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

double ovk__mark_new(ovk_solver *S, ovk__exact_sum **sum)
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

/* D v in `room`, for `rows` rows from row i on; v itself if D is the identity. */
static const double *mark_scale(ovk__diagonal D, const double *v, ovk_lidx i, ovk_lidx rows,
                                double room[ROWS])
{
  if (D.constant && D.d[0] == 1) return v + i;
  const double *d = D.constant ? D.d : D.d + i;
  for (ovk_lidx k = 0; k < rows; k++) room[k] = d[D.constant ? 0 : k] * v[i + k];
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

void ovk__mark_pairs(ovk_solver *S, int n, const ovk__pair *pairs, double *parts)
{
  ovk__exact_sum *sum[OVK__MOST_PAIRS];
  mark_room room = {.next = 0};
  const ovk_lidx all = rows(S);
  for (int k = 0; k < n; k++) parts[k] = ovk__mark_new(S, &sum[k]);
  for (ovk_lidx i = 0, some; i < all; i += some) {
    some = mark_rows(i, all);
    room.v[0] = room.v[1] = NULL;
    for (int k = 0; k < n; k++) {
      const ovk__pair *p = &pairs[k];
      const double *x = p->scale_x ? mark_scaled_rows(S->D, p->x, i, some, &room) : p->x + i;
      const double *y = p->scale_y ? mark_scaled_rows(S->D, p->y, i, some, &room) : p->y + i;
      ovk__exact_sum_add(sum[k], some, x, y);
    }
  }
}

double ovk__mark_dot(ovk_solver *S, const double *x, const double *y)
{
  ovk__exact_sum *sum;
  const double mark = ovk__mark_new(S, &sum);
  ovk__exact_sum_add(sum, rows(S), x, y);
  return mark;
}

double ovk__part_dot(ovk_solver *S, const double *x, const double *y)
{
  return S->marks ? ovk__mark_dot(S, x, y) : ovk__dot(rows(S), x, y);
}

double ovk__mark_scaled(ovk_solver *S, ovk__diagonal D, const double *v, bool twice)
{
  ovk__exact_sum *sum;
  double room[ROWS];
  const ovk_lidx n = rows(S);
  const double mark = ovk__mark_new(S, &sum);
  for (ovk_lidx i = 0, some; i < n; i += some) {
    some = mark_rows(i, n);
    const double *z = mark_scale(D, v, i, some, room);
    ovk__exact_sum_add(sum, some, twice ? z : v + i, z);
  }
  return mark;
}

double ovk__mark_residual(ovk_solver *S, const double *b, double *r, double *bb)
{
  ovk__exact_sum *sum_b, *sum_r;
  double unused;
  const ovk_lidx n = rows(S);
  *bb = ovk__mark_new(S, &sum_b);
  const double rr = ovk__mark_new(S, &sum_r);
  for (ovk_lidx i = 0, some; i < n; i += some) {
    some = mark_rows(i, n);
    (void)ovk__residual(some, b + i, r + i, &unused); /* r <- b - r */
    ovk__exact_sum_add(sum_b, some, b + i, b + i);
    ovk__exact_sum_add(sum_r, some, r + i, r + i);
  }
  return rr;
}

double ovk__mark_axpy_norm(ovk_solver *S, double alpha, const double *s, double *r)
{
  ovk__exact_sum *sum;
  const ovk_lidx n = rows(S);
  const double rr = ovk__mark_new(S, &sum);
  for (ovk_lidx i = 0, some; i < n; i += some) {
    some = mark_rows(i, n);
    ovk__axpy(some, -alpha, s + i, r + i, ovk_poll_none()); /* r <- r - alpha s */
    ovk__exact_sum_add(sum, some, r + i, r + i);
  }
  return rr;
}

double ovk__mark_update_r(ovk_solver *S, double alpha, const double *s, bool of_z, double *r,
                          double *rz)
{
  ovk__exact_sum *sum_vv, *sum_rz;
  double room[ROWS];
  const ovk_lidx n = rows(S);
  const double vv = ovk__mark_new(S, &sum_vv);
  *rz = ovk__mark_new(S, &sum_rz);
  for (ovk_lidx i = 0, some; i < n; i += some) {
    some = mark_rows(i, n);
    ovk__axpy(some, -alpha, s + i, r + i, ovk_poll_none()); /* r <- r - alpha s */
    const double *z = mark_scale(S->D, r, i, some, room);   /* z = D r */
    const double *v = of_z ? z : r + i;
    ovk__exact_sum_add(sum_vv, some, v, v);
    ovk__exact_sum_add(sum_rz, some, r + i, z);
  }
  return vv;
}

typedef struct mark_product {
  const double *p;
  ovk__exact_sum *sum;
} mark_product;

static void mark_finished_rows(void *arg, ovk_lidx first, ovk_lidx n, double *s)
{
  const mark_product *m = arg;
  ovk__exact_sum_add(m->sum, n, m->p + first, s);
}

ovk_err ovk__mark_mult(ovk_solver *S, const double *p, double *s, ovk_poll poll, double *part)
{
  mark_product m = {.p = p};
  const ovk__finish finish = {mark_finished_rows, &m};
  *part = ovk__mark_new(S, &m.sum);
  return ovk__mat_mult_finish(S->A, p, s, poll, &finish);
}
