/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of several vectors at once. Columns lie in blocks of 8, then of 4, 2 and 1. A block
 * of `width` columns has a row's values side by side, `width` doubles, row after row, and is
 * aligned to 64 bytes. Kernels work on one block. */
#ifndef OVK_MATRIX_VECTOR_MULTIVEC_IMPL_H
#define OVK_MATRIX_VECTOR_MULTIVEC_IMPL_H

#include "core/in_use.h"
#include "matrix/layout/layout.h"

#include <ovkrylov/multivec.h>

enum { OVK__WIDEST = 8 }; /* columns of a block: 1, 2, 4 or 8 */

struct ovk_multivec {
  OVK_OBJECT;
  ovk__layout layout;
  int columns;
  double *array; /* the blocks, one after the other */
};
OVK_IS_HANDLE(ovk_multivec);

/* A block: consecutive columns of a multivec. */
typedef struct ovk__panel {
  int first, width; /* columns first to first + width - 1 */
  double *rows;
} ovk__panel;

/* The number of blocks of so many columns: 3 for 11, which are 8 + 2 + 1. */
int ovk__multivec_panels(int columns);

/* Block b of X, from 0 on. Of a const X it is only to be read. */
ovk__panel ovk__multivec_panel(const ovk_multivec *X, int b);

/* The doubles of a block: whole cache lines. */
size_t ovk__panel_size(ovk_lidx rows, int width);

/* Columns `first` to first + n - 1 of a block of `rows` rows <- the arrays at `columns`, `ld`
 * doubles from one to the next; and the reverse. */
void ovk__panel_set(ovk_lidx rows, int width, double *block, int first, int n,
                    const double *columns, int64_t ld);
void ovk__panel_get(ovk_lidx rows, int width, const double *block, int first, int n,
                    double *columns, int64_t ld);

/* The arguments of a function that creates columns. Collective. */
ovk_err ovk__multivec_check_new(ovk_ctx *ctx, ovk_lidx nlocal, int columns, ovk_multivec **out);

/* The columns that a function reads, and those that it writes, for a matrix of this layout; the
 * names are for the message. The result is the same on all ranks. */
ovk_err ovk__multivec_check_pair(ovk_ctx *ctx, const ovk__layout *of_A, const ovk_multivec *in,
                                 const char *in_name, const ovk_multivec *out,
                                 const char *out_name);

/* Creates columns of zeros with an existing layout. Collective. */
ovk_err ovk__multivec_create(ovk_ctx *ctx, const ovk__layout *layout, int columns,
                             ovk_multivec **out);

#endif
