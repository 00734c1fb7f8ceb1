/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of products with a vector or with blocks of columns. */
#ifndef OVK_MATRIX_SPMV_H
#define OVK_MATRIX_SPMV_H

#include "matrix/mat_impl.h"

/* A product with an assembled matrix, whose halo exchange is begun next. */
typedef struct ovk__spmv {
  ovk__log *log;
  ovk__halo *halo;
  ovk_poll callers;
  double start; /* without the wait for the halo, which is logged by itself */
} ovk__spmv;

ovk__spmv ovk__spmv_start(const ovk_mat *A, ovk__halo *halo, ovk_poll poll);

/* The hook for the local rows, while `p` is where it is: it progresses the exchange and calls that
 * of the caller. */
ovk_poll ovk__spmv_poll(ovk__spmv *p);

/* Completes the exchange: *ghosts <- the values of other ranks. */
ovk_err ovk__spmv_ghosts(ovk__spmv *p, const double **ghosts);

/* Logs the product, which is complete. */
void ovk__spmv_done(const ovk__spmv *p);

/* Rows of y, a block of `width` columns, on their way to `finish`: those that wait for ghosts come
 * at the end. Begins with `next` = 0. */
typedef struct ovk__waiting {
  const ovk_mat *A;
  const ovk__finish *finish;
  int width;
  ovk_lidx next; /* in A->remote_rows */
} ovk__waiting;

/* Passes the other rows on as they come: the `rows` of an ovk__finish. */
void ovk__waiting_interior(void *waiting, ovk_lidx first, ovk_lidx rows, double *y);

/* Passes on those that have waited, y at the first row of all. */
void ovk__waiting_boundary(const ovk__waiting *w, double *y);

#endif
