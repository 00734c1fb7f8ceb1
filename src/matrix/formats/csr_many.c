/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of compressed sparse rows with blocks of columns. */
#include "matrix/formats/row_many.h"

OVK_FOR_EACH_CPU
static void csr_many_rows_narrow(int width, const ovk__csr *A, ovk_lidx from, ovk_lidx to,
                                 const double *x, double *y, double *dots)
{
  OVK__FOR_WIDTH(width, ovk__csr_many_rows_of, A, from, to, x, y, dots);
}

static void csr_many_rows(int width, const ovk__csr *A, ovk_lidx from, ovk_lidx to, const double *x,
                          double *y, double *dots)
{
  OVK__NARROW_OR_WIDE(width, csr_many_rows_narrow, ovk__csr_many_rows_wide, A, from, to, x, y,
                      dots);
}

/* rows of y <- rows of y + A x; dots <- dots + (u, A x) */
OVK_ALWAYS_INLINE void csr_many_add_of(int w, const ovk__csr *A, const ovk_lidx *rows,
                                       const double *restrict x, const double *u,
                                       double *restrict y, double *restrict dots)
{
  ovk__columns dot, sum, own;
  ovk__columns_load(w, &dot, dots);
  for (ovk_lidx k = 0; k < A->rows; k++) {
    const ptrdiff_t at = (ptrdiff_t)rows[k] * w;
    ovk__csr_many_row(w, A, k, x, &sum);
    ovk__columns_load(w, &own, u + at);
    ovk__columns_add_product(w, &dot, &own, &sum);
    ovk__columns_load(w, &own, y + at);
    ovk__columns_add(w, &own, &sum);
    ovk__columns_store(w, y + at, &own);
  }
  ovk__columns_store(w, dots, &dot);
}

OVK_FOR_EACH_CPU
static void csr_many_add(int width, const ovk__csr *A, const ovk_lidx *rows, const double *x,
                         const double *u, double *y, double *dots)
{
  OVK__FOR_WIDTH(width, csr_many_add_of, A, rows, x, u, y, dots);
}

void ovk__csr_mult_many(const void *block, int width, const double *x, double *y, ovk_poll poll,
                        const ovk__finish *finish, double *dots)
{
  const ovk__csr *A = block;
  for (int c = 0; c < width; c++) dots[c] = 0;
  for (ovk_lidx i = 0, end; i < A->rows; i = end) {
    end = ovk_poll_until(poll, i, A->rows);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_block_until(finish, k, end);
      csr_many_rows(width, A, k, stop, x, y, dots);
      ovk__finish_block(finish, width, k, stop, y);
    }
    ovk_poll_call(poll);
  }
}

void ovk__csr_mult_add_many(const ovk__csr *A, const ovk_lidx *rows, int width, const double *x,
                            const double *u, double *y, double *dots)
{
  double parts[OVK__COLUMN_SUMS] = {0};
  csr_many_add(width, A, rows, x, u, y, parts);
  for (int c = 0; c < width; c++) dots[c] += parts[c];
}
