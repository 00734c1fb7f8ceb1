/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of products with a vector or with blocks of columns. The operations that the local rows of
 * a product progress: the halo exchange, and the poll hook of the caller. */
#ifndef OVK_MATRIX_SPMV_H
#define OVK_MATRIX_SPMV_H

#include "matrix/mat_impl.h"

typedef struct ovk__spmv_hooks {
  ovk__halo *halo;
  ovk_poll callers;
} ovk__spmv_hooks;

/* The hook of both, to be used as long as `hooks`. */
ovk_poll ovk__spmv_poll(ovk__spmv_hooks *hooks);

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
