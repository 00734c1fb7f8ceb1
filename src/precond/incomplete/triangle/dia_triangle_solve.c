/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a triangle by diagonals. Forward, row i takes T(i, i - d) x_(i-d) from r_i;
 * backward, which is forward from the last row on, T(i + d, i) x_(i+d). A step is for as many rows
 * as there are lanes: first all their diagonals except the nearest at once, then the nearest row by
 * row. */
#include "core/base/lanes.h"
#include "core/base/reals.h"
#include "precond/incomplete/triangle/dia_triangle.h"

/* How a sweep is compiled. */
typedef struct form {
  bool single, unit, backward;
} form;

/* A step of a sweep: its rows, from the first one in memory on, and the diagonals from `first` on,
 * which reach rows that are solved already. */
typedef struct step {
  int64_t row;
  int first;
} step;

/* Prefetches the part of a diagonal that the sweep needs some steps after row i. */
OVK_ALWAYS_INLINE void ask_ahead(const void *array, form f, int64_t i)
{
  const int64_t each = (int64_t)ovk__real_size(f.single);
  OVK_PREFETCH((const char *)array +
               each * (f.backward ? i - OVK__PREFETCH_DISTANCE : i + OVK__PREFETCH_DISTANCE));
}

/* The places of T(i, i - d) or T(i + d, i) in `value`, for diagonal e, and of x_(i-d) or x_(i+d) in
 * x. */
OVK_ALWAYS_INLINE int64_t value_place(const ovk__dia_triangle *T, form f, int e, int64_t i)
{
  return e * T->stride + i + (f.backward ? T->distance[e] : 0);
}

OVK_ALWAYS_INLINE int64_t source(const ovk__dia_triangle *T, form f, int e, int64_t i)
{
  return f.backward ? i + T->distance[e] : i - T->distance[e];
}

/* The rest of the equation of a row: x = rest - near x_before, the row before in the sweep. */
typedef struct link {
  double rest, near;
} link;

/* Solves two rows, a before b, where the row before them has `previous`; returns x_b. The next rows
 * wait for one product and one sum, not two of each. */
OVK_ALWAYS_INLINE double solve_two(link a, link b, double previous, double *x_a, double *x_b)
{
  *x_a = a.rest - a.near * previous;
  return *x_b = (b.rest - b.near * a.rest) + b.near * a.near * previous;
}

/* The link of one row. The same operations as in a lane. */
OVK_ALWAYS_INLINE link link_of(const ovk__dia_triangle *T, form f, const double *r, const double *x,
                               step s)
{
  const int64_t i = s.row;
  link l = {r[i], ovk__real_at(T->near, f.single, f.backward ? i + 1 : i)};
  for (int e = s.first; e < T->count; e++) {
    l.rest -= ovk__real_at(T->value, f.single, value_place(T, f, e, i)) * x[source(T, f, e, i)];
  }
  if (!f.unit) {
    const double inverse = ovk__real_at(T->inverse, f.single, i);
    l.rest *= inverse;
    l.near *= inverse;
  }
  return l;
}

OVK_ALWAYS_INLINE double solve_lanes(const ovk__dia_triangle *T, form f, const double *r, double *x,
                                     step s, double previous)
{
  const int64_t i = s.row;
  double rest_of[OVK__LANES], near_of[OVK__LANES];
  ovk__lanes rest, near;
  ovk__lanes_of_doubles(&rest, r + i);
  ask_ahead(T->near, f, i);
  ovk__lanes_of(&near, T->near, f.single, f.backward ? i + 1 : i);
  for (int e = s.first; e < T->count; e++) {
    ovk__lanes value, known;
    const int64_t at = value_place(T, f, e, i);
    ask_ahead(T->value, f, at);
    ovk__lanes_of(&value, T->value, f.single, at);
    ovk__lanes_of_doubles(&known, x + source(T, f, e, i));
    ovk__lanes_subtract(&rest, &value, &known);
  }
  if (!f.unit) {
    ovk__lanes inverse;
    ask_ahead(T->inverse, f, i);
    ovk__lanes_of(&inverse, T->inverse, f.single, i);
    ovk__lanes_scale(&rest, &inverse);
    ovk__lanes_scale(&near, &inverse);
  }
  ovk__lanes_to_doubles(rest_of, &rest);
  ovk__lanes_to_doubles(near_of, &near);
  for (int k = 0; k < OVK__LANES; k += 2) {
    const int a = f.backward ? OVK__LANES - 1 - k : k, b = f.backward ? a - 1 : a + 1;
    previous = solve_two((link){rest_of[a], near_of[a]}, (link){rest_of[b], near_of[b]}, previous,
                         &x[i + a], &x[i + b]);
  }
  return previous;
}

/* The step of the `rows` rows after `done` rows of the sweep; T has its distances in decreasing
 * order. */
OVK_ALWAYS_INLINE step step_of(const ovk__dia_triangle *T, form f, int first, int64_t done,
                               int64_t rows)
{
  while (first > 0 && T->distance[first - 1] <= done) first--;
  return (step){f.backward ? T->n - done - rows : done, first};
}

/* Solves for `done` to `to` rows of the sweep; both are even, or `to` is n, so that the same rows
 * are solved together for any pauses of a sweep. */
OVK_ALWAYS_INLINE void dia_triangle_solve_rows(const ovk__dia_triangle *T, form f, const double *r,
                                               double *x, int64_t done, int64_t to)
{
  double previous = done == 0 ? 0 : x[f.backward ? T->n - done : done - 1];
  int first = T->count;
  while (done < to) {
    step s = step_of(T, f, first, done, OVK__LANES);
    first = s.first;
    /* Each diagonal has entries in every lane or in none. */
    const bool whole = first == 0 || T->distance[first - 1] >= done + OVK__LANES;
    if (whole && done + OVK__LANES <= to) {
      previous = solve_lanes(T, f, r, x, s, previous);
      done += OVK__LANES;
      continue;
    }
    s = step_of(T, f, first, done, 1);
    const link a = link_of(T, f, r, x, s);
    if (done + 1 == to) {
      x[s.row] = a.rest - a.near * previous;
      return;
    }
    const step next = step_of(T, f, first, done + 1, 1);
    previous = solve_two(a, link_of(T, f, r, x, next), previous, &x[s.row], &x[next.row]);
    done += 2;
  }
}

/* Calls dia_triangle_solve_rows() for the form of T. */
#define FOR_FORM(backward)                                                                         \
  do {                                                                                             \
    if (T->single && T->inverse) {                                                                 \
      dia_triangle_solve_rows(T, (form){true, false, backward}, r, x, done, to);                   \
    } else if (T->single) {                                                                        \
      dia_triangle_solve_rows(T, (form){true, true, backward}, r, x, done, to);                    \
    } else if (T->inverse) {                                                                       \
      dia_triangle_solve_rows(T, (form){false, false, backward}, r, x, done, to);                  \
    } else {                                                                                       \
      dia_triangle_solve_rows(T, (form){false, true, backward}, r, x, done, to);                   \
    }                                                                                              \
  } while (0)

OVK_FOR_EACH_CPU
static void dia_triangle_forward(const ovk__dia_triangle *T, const double *r, double *x,
                                 int64_t done, int64_t to)
{
  FOR_FORM(false);
}

OVK_FOR_EACH_CPU
static void dia_triangle_backward(const ovk__dia_triangle *T, const double *r, double *x,
                                  int64_t done, int64_t to)
{
  FOR_FORM(true);
}

/* (N v)_i, where N is T without its diagonal */
OVK_ALWAYS_INLINE double row_dot(const ovk__dia_triangle *T, form f, const double *v, int64_t i)
{
  double sum = i > 0 ? ovk__real_at(T->near, f.single, i) * v[i - 1] : 0;
  for (int e = T->count - 1; e >= 0 && T->distance[e] <= i; e--) {
    sum += ovk__real_at(T->value, f.single, value_place(T, f, e, i)) * v[source(T, f, e, i)];
  }
  return sum;
}

/* The same for as many rows as there are lanes, which all diagonals reach. */
OVK_ALWAYS_INLINE void lanes_dot(const ovk__dia_triangle *T, form f, const double *v, int64_t i,
                                 ovk__lanes *sum)
{
  ovk__lanes value, known;
  ovk__lanes_of(sum, T->near, f.single, i);
  ovk__lanes_of_doubles(&known, v + i - 1);
  ovk__lanes_scale(sum, &known);
  for (int e = T->count - 1; e >= 0; e--) {
    ovk__lanes_of(&value, T->value, f.single, value_place(T, f, e, i));
    ovk__lanes_of_doubles(&known, v + source(T, f, e, i));
    ovk__lanes_add(sum, &value, &known);
  }
}

/* s <- s + N v for rows from `from` to `to` */
OVK_ALWAYS_INLINE void dia_triangle_multiply_rows(const ovk__dia_triangle *T, form f,
                                                  const double *v, double *s, int64_t from,
                                                  int64_t to)
{
  const int64_t whole = T->count ? T->distance[0] : 1; /* from here on all diagonals reach a row */
  for (int64_t i = from; i < to;) {
    if (i < whole || i + OVK__LANES > to) {
      s[i] += row_dot(T, f, v, i);
      i++;
      continue;
    }
    double sum_of[OVK__LANES];
    ovk__lanes sum;
    lanes_dot(T, f, v, i, &sum);
    ovk__lanes_to_doubles(sum_of, &sum);
    for (int l = 0; l < OVK__LANES; l++) s[i++] += sum_of[l];
  }
}

OVK_FOR_EACH_CPU
static void dia_triangle_multiply(const ovk__dia_triangle *T, const double *v, double *s,
                                  int64_t from, int64_t to)
{
  if (T->single) {
    dia_triangle_multiply_rows(T, (form){.single = true}, v, s, from, to);
  } else {
    dia_triangle_multiply_rows(T, (form){.single = false}, v, s, from, to);
  }
}

int64_t ovk__dia_triangle_pause(const ovk__dia_triangle *T, ovk_poll poll, int64_t done)
{
  const int64_t to = ovk_poll_until(poll, (ovk_lidx)done, T->n);
  return to < T->n ? to + to % 2 : to;
}

void ovk__dia_triangle_multiply_solve(const ovk__dia_triangle *T, const double *v, double *s,
                                      double *x, ovk_poll poll)
{
  enum { ROWS = 32 * OVK__LANES }; /* whose values stay in the first cache */
  for (int64_t done = 0, to; done < T->n;) {
    const int64_t until = ovk__dia_triangle_pause(T, poll, done);
    for (; done < until; done = to) {
      to = done + ROWS < until ? done + ROWS : until;
      dia_triangle_multiply(T, v, s, done, to);
      dia_triangle_forward(T, s, x, done, to);
    }
    ovk_poll_call(poll);
  }
}

void ovk__dia_triangle_solve(const ovk__dia_triangle *T, bool transposed, const double *r,
                             double *x, ovk_poll poll)
{
  for (int64_t done = 0, to; done < T->n; done = to) {
    to = ovk__dia_triangle_pause(T, poll, done);
    (transposed ? dia_triangle_backward : dia_triangle_forward)(T, r, x, done, to);
    ovk_poll_call(poll);
  }
}
