/* SPDX-License-Identifier: BSD-2-Clause */
/* The action on the rows of a product y = A x while they are still in the nearest cache: a step
 * of a smoother, or a residual. */
#ifndef OVK_MATRIX_FORMATS_FINISH_H
#define OVK_MATRIX_FORMATS_FINISH_H

#include <ovkrylov/base.h>
#include <stddef.h>

typedef struct ovk__finish {
  /* Rows `first` to first + rows - 1 are complete, y at the first of them, which may be rows of a
   * block of columns. The product has no more
   * use for them, so y may be overwritten there; x may not. Each row is passed once. */
  void (*rows)(void *arg, ovk_lidx first, ovk_lidx rows, double *y);
  void *arg;
} ovk__finish;

/* Rows that are passed at once: a multiple of the chunks of all formats, few enough for five
 * vectors of them to stay in the cache. */
enum { OVK__FINISH_ROWS = 480 };

/* The row at which a product that is at row `from` should pass rows on, `end` at the latest. */
static inline ovk_lidx ovk__finish_until(const ovk__finish *finish, ovk_lidx from, ovk_lidx end)
{
  return finish && end - from > OVK__FINISH_ROWS ? from + OVK__FINISH_ROWS : end;
}

/* Passes the rows `from` to end - 1 of y, if there are any and `finish` is not NULL. */
static inline void ovk__finish_rows(const ovk__finish *finish, ovk_lidx from, ovk_lidx end,
                                    double *y)
{
  if (finish && from < end) finish->rows(finish->arg, from, end - from, y + from);
}

/* The same, from, for a block of columns: fewer rows, also a multiple of the chunks of all formats.
 */
static inline ovk_lidx ovk__finish_block_until(const ovk__finish *finish, ovk_lidx from,
                                               ovk_lidx end)
{
  enum { ROWS = 96 };
  return finish && end - from > ROWS ? from + ROWS : end;
}

/* The same for rows of a block of `width` columns. */
static inline void ovk__finish_block(const ovk__finish *finish, int width, ovk_lidx from,
                                     ovk_lidx end, double *y)
{
  if (finish && from < end) {
    finish->rows(finish->arg, from, end - from, y + (ptrdiff_t)from * width);
  }
}

#endif
