/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with half of a symmetric block. An entry u at (i, i + d) is also at (i + d, i) and is
 * used for both while in a register: u x(i + d) is added to y(i), and u x(i) to y(i + d). A chunk
 * of rows is processed diagonal by diagonal, not row by row, and three neighbouring diagonals at
 * once: y that has just been written is not read back shifted by a row, for which a processor waits
 * until it is in the cache. */
#include "matrix/formats/sym/symdia_mult.h"
#include "core/base/cpu_dispatch.h"

enum { LANES = 8, HEIGHT = OVK__SYMDIA_HEIGHT };

/* The progress of a product. */
typedef struct progress {
  double dot[LANES]; /* (x, y) of the completed rows, in lanes */
  ovk_lidx reached;  /* y is not written yet from this row on */
} progress;

/* A chunk's rows on one diagonal: t <- t + u x(i + d), y(i + d) <- y(i + d) + u x(i) */
OVK_ALWAYS_INLINE void add(ovk_lidx n, const double *restrict u, const double *restrict x,
                           const double *restrict x_d, double *restrict t, double *restrict y_d)
{
  for (ovk_lidx l = 0; l < n; l++) {
    t[l] += u[l] * x_d[l];
    y_d[l] += u[l] * x[l];
  }
}

/* The same on three diagonals u, v, w at d, d + 1, d + 2 of a whole chunk. Each y(i + d) is
 * collected from up to three rows: u x(i) + v(i - 1) x(i - 1) + w(i - 2) x(i - 2). Values and x
 * before the chunk's are read, so that all lanes do the same, but not used; only the first lanes
 * have the condition, as masks are dear without registers for them. */
OVK_ALWAYS_INLINE void add_three(const double *restrict u, const double *restrict x,
                                 const double *restrict x_d, double *restrict t,
                                 double *restrict y_d)
{
  enum { END = HEIGHT - 1 };
  const double *v = u + HEIGHT, *w = v + HEIGHT;
  for (int l = 0; l < LANES; l++) {
    const double vx = v[l - 1] * x[l - 1], wx = w[l - 2] * x[l - 2];
    t[l] = ((t[l] + u[l] * x_d[l]) + v[l] * x_d[l + 1]) + w[l] * x_d[l + 2];
    y_d[l] = ((y_d[l] + u[l] * x[l]) + (l > 0 ? vx : 0)) + (l > 1 ? wx : 0);
  }
  for (int l = LANES; l < HEIGHT; l++) {
    t[l] = ((t[l] + u[l] * x_d[l]) + v[l] * x_d[l + 1]) + w[l] * x_d[l + 2];
    y_d[l] = ((y_d[l] + u[l] * x[l]) + v[l - 1] * x[l - 1]) + w[l - 2] * x[l - 2];
  }
  y_d[END + 1] = (y_d[END + 1] + v[END] * x[END]) + w[END - 1] * x[END - 1];
  y_d[END + 2] += w[END] * x[END];
}

/* The n rows of a chunk are complete: y <- y + t; the dot <- the dot + (x, y) */
OVK_ALWAYS_INLINE void finish(ovk_lidx n, const double *restrict t, const double *restrict x,
                              double *restrict y, double *restrict dot)
{
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) {
      y[i + l] += t[i + l];
      dot[l] += x[i + l] * y[i + l];
    }
  }
  for (int l = 0; i < n; i++, l++) {
    y[i] += t[i];
    dot[l] += x[i] * y[i];
  }
}

/* All of a chunk's n diagonals above the main one, x and y at its first row, which is not the
 * matrix's first. */
OVK_ALWAYS_INLINE void add_whole(ovk_lidx n, const ovk_lidx *restrict offset,
                                 const double *restrict val, const double *restrict x,
                                 double *restrict t, double *y)
{
  for (ovk_lidx k = 0, done; k < n; k += done, val += (int64_t)done * HEIGHT) {
    const ovk_lidx d = offset[k];
    done = ovk__symdia_together(offset, n, k);
    ovk__ask_ahead(val, sizeof *val, (int64_t)done * HEIGHT);
    if (done == 3) {
      add_three(val, x, x + d, t, y + d);
    } else {
      add(HEIGHT, val, x, x + d, t, y + d);
    }
  }
}

/* The same for a chunk of `rows` rows at the begin or near the end of the matrix, which has `rest`
 * rows from the chunk's first on: padding may lie outside. */
OVK_ALWAYS_INLINE void add_guarded(ovk_lidx rows, ovk_lidx rest, ovk_lidx n,
                                   const ovk_lidx *restrict offset, const double *restrict val,
                                   const double *restrict x, double *restrict t, double *y)
{
  for (ovk_lidx k = 0; k < n; k++, val += rows) {
    const ovk_lidx d = offset[k];
    add(rest - d < rows ? rest - d : rows, val, x, x + d, t, y + d);
  }
}

/* Chunk c, which begins with row i. */
OVK_ALWAYS_INLINE void multiply(const ovk__diagonals *d, ovk_lidx c, const double *restrict x,
                                double *restrict y, progress *p)
{
  ovk_lidx n;
  double t[HEIGHT] = {0};
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  const ovk_lidx i = c * HEIGHT, rest = d->rows - i, last = n ? offset[n - 1] : 0;
  const ovk_lidx rows = rest < HEIGHT ? rest : HEIGHT;
  const ovk_lidx reach = last < rest - rows ? i + rows + last : d->rows;
  const double *val = d->val + d->first[c];
  ovk__ask_rows(x + i + last, HEIGHT);
  ovk__ask_rows(y + i + last, HEIGHT);
  for (; p->reached < reach; p->reached++) y[p->reached] = 0;
  if (n && offset[0] == 0) {
    for (ovk_lidx l = 0; l < rows; l++) t[l] = val[l] * x[i + l];
    val += rows;
    offset++;
    n--;
  }
  if (i > 0 && last <= rest - HEIGHT) {
    add_whole(n, offset, val, x + i, t, y + i);
  } else {
    add_guarded(rows, rest, n, offset, val, x + i, t, y + i);
  }
  finish(rows, t, x + i, y + i, p->dot);
}

OVK_FOR_EACH_CPU
static void multiply_chunks(const ovk__diagonals *d, ovk_lidx from, ovk_lidx to,
                            const double *restrict x, double *restrict y, progress *p)
{
  for (ovk_lidx c = from; c < to; c++) multiply(d, c, x, y, p);
}

double ovk__symdia_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll)
{
  progress p = {{0}, 0};
  for (ovk_lidx i = 0, end; i < d->rows; i = end) {
    end = ovk__diagonals_until(d, poll, i);
    multiply_chunks(d, i / HEIGHT, end / HEIGHT + (end % HEIGHT != 0), x, y, &p);
    ovk__diagonals_poll(d, poll, i, end);
  }
  const double *s = p.dot;
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}
