/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a level during the setup: this rank's rows of a matrix, some at a time, with the
 * columns of other ranks, the ghosts, numbered after its own. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_ROWS_H
#define OVK_PRECOND_AMG_AGGREGATION_ROWS_H

#include "matrix/mat_impl.h"

/* The columns of a row are in the order of the whole problem, so that sums over a row have the same
 * bits on any number of ranks. */
typedef struct ovk__amg_rows {
  const ovk_mat *A;
  ovk_gidx first, global; /* the first own row; rows of all ranks */
  ovk_lidx n, all;        /* own rows; own rows and ghosts */
  ovk_lidx begin, end;    /* the rows that are held */
  int64_t *ptr;           /* of these rows and their end: ptr[i - begin] is of row i */
  ovk_lidx *col;          /* j < n: own row j; n + k: ghost k */
  double *val;
  int64_t room;     /* of col and val */
  double *diagonal; /* of the own rows; NULL: unknown */
  ovk_lidx *length; /* of the rows below `counted` in the local block; NULL: rows are read once */
  ovk_lidx counted;

  /* points only: rows that stand for `block` rows of A each, see ovk__amg_points_create() */
  int block;             /* 1: rows of A */
  ovk_gidx *ghosts;      /* their numbers, increasing */
  ovk_lidx *ghost_point; /* of each ghost of A: the number of its point among the ghosts */
  double *buffer;        /* of the rows of A, for exchanges */
} ovk__amg_rows;

/* A row with more entries is dense. It is no root, and connects no other rows: they would all be in
 * its aggregate. */
enum { OVK__AMG_MOST_ENTRIES = 1000 };

/* *out <- no rows yet, but the diagonal of an assembled A; to be freed also after a failure. Not
 * collective. */
ovk_err ovk__amg_rows_create(const ovk_mat *A, ovk__amg_rows *out);

/* The same without the diagonal, which cannot fail. */
void ovk__amg_rows_begin(const ovk_mat *A, ovk__amg_rows *out);

/* Holds the rows `from` to end - 1, and some next to them: all rows if the format of A has no
 * values for some. Those of a band take little memory and stay in a cache. Not collective. */
ovk_err ovk__amg_rows_read(ovk__amg_rows *rows, ovk_lidx from, ovk_lidx end);

/* The entries of all rows. */
int64_t ovk__amg_rows_entries(const ovk__amg_rows *rows);

/* The entries of row i, which it holds. */
typedef struct ovk__amg_row {
  ovk_lidx n;
  const ovk_lidx *col;
  const double *val;
} ovk__amg_row;

static inline ovk__amg_row ovk__amg_rows_row(const ovk__amg_rows *rows, ovk_lidx i)
{
  const int64_t *ptr = rows->ptr + (i - rows->begin);
  return (ovk__amg_row){(ovk_lidx)(ptr[1] - ptr[0]), rows->col + ptr[0], rows->val + ptr[0]};
}

/* *out <- the rows of points of `block` consecutive rows of A. The coupling (I,J) of two points is
 * -max |a_ij| over their rows, the diagonal is the maximum in the point. To be freed also after a
 * failure. Not collective. */
ovk_err ovk__amg_points_create(ovk__amg_rows *rows, int block, ovk__amg_rows *out);

/* Holds no rows any more. */
void ovk__amg_rows_drop(ovk__amg_rows *rows);

void ovk__amg_rows_free(ovk__amg_rows *rows);

/* values[n + k] <- the value that the owner of ghost k has for it, for all ghosts. Collective;
 * errors are agreed. */
ovk_err ovk__amg_rows_exchange(const ovk__amg_rows *rows, double *values);

/* The number of column j in the whole problem. */
static inline ovk_gidx ovk__amg_rows_global(const ovk__amg_rows *rows, ovk_lidx j)
{
  const ovk_gidx *ghosts = rows->ghosts ? rows->ghosts : rows->A->ghosts.col;
  return j < rows->n ? rows->first + j : ghosts[j - rows->n];
}

/* The point of column j of A. */
static inline ovk_lidx ovk__amg_points_of(const ovk__amg_rows *points, ovk_lidx j)
{
  const ovk_lidx own = points->n * points->block;
  return j < own ? j / points->block : points->n + points->ghost_point[j - own];
}

#endif
