/* SPDX-License-Identifier: BSD-2-Clause */
/* Incomplete Cholesky factors of level 0 by diagonals, factorised where they stay: the entries of A
 * are copied once, and nothing is searched for. Their bits are those of ovk__factorise_ic(). */
#ifndef OVK_PRECOND_INCOMPLETE_IC_DIAGONALS_H
#define OVK_PRECOND_INCOMPLETE_IC_DIAGONALS_H

#include "precond/incomplete/triangle/dia_triangle.h"

/* Where the rows of a block are: in B, or if that is NULL in A, which has no symmetric format. */
typedef struct ovk__block_rows {
  const ovk_mat *A;
  const ovk__block *B;
} ovk__block_rows;

/* *done <- whether T is the factor of A + shift |D|. It is not, and T is empty, if A has too
 * many diagonals, a pivot is unusable, or a value is not finite. Neither is it if A differs too
 * much from its transpose, or a float from its double: other ways to a factor decide then.
 * OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__ic_diagonals_make(ovk_ctx *ctx, ovk__block_rows rows, double shift, bool single,
                               ovk__dia_triangle *T, bool *done);

/* The same in a T of doubles that was made of a matrix with this pattern; if it is not done, the
 * values of T are not defined. */
ovk_err ovk__ic_diagonals_update(ovk_ctx *ctx, ovk__block_rows rows, double shift,
                                 ovk__dia_triangle *T, bool *done);

/* The entries that a lower triangle by diagonals lacks: for each of its distances, then for
 * 1, a byte for 8 rows, in which row i has the bit i % 8. */
typedef struct ovk__dia_gaps {
  unsigned char *bits;
  int64_t stride; /* bytes of a diagonal */
} ovk__dia_gaps;

static inline unsigned char *ovk__dia_gap_byte(const ovk__dia_gaps *gaps, int e, int64_t i)
{
  return &gaps->bits[e * gaps->stride + i / 8];
}

/* T has the lower half of A, with D in place of the inverse of its diagonal: replaces it by the
 * factor. False for an unusable pivot, after which the values of T are not defined. */
bool ovk__dia_triangle_factorise(ovk__dia_triangle *T, const ovk__dia_gaps *gaps, double shift);

#endif
