/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of incomplete factors, and the shift that mends unusable pivots. */
#ifndef OVK_PRECOND_INCOMPLETE_FACTOR_H
#define OVK_PRECOND_INCOMPLETE_FACTOR_H

#include "precond/incomplete/triangle/sparsity.h"

/* Row by row, in the order of their columns: of L and U without their diagonals. M = L L^T where
 * there is no U, else C = (I + L) (D + U), D the diagonal of U. */
typedef struct ovk__factor {
  ovk__sparsity L, U;
  double *lower, *upper;
  double *inverse; /* 1 / the diagonal of L, or of U */
} ovk__factor;

/* Memory for one row: values, all 0 between rows, and the last row that had each column. */
typedef struct ovk__row_work {
  double *value;
  ovk_lidx *row;
} ovk__row_work;

/* Factorises A + shift D with the given sparsity, where D is the diagonal of A (ic: its absolute
 * values). Returns the first row with an unusable pivot, which *pivot gets, or -1. */
typedef ovk_lidx ovk__factorise(const ovk__block *B, double shift, const ovk__row_work *work,
                                ovk__factor *F, double *pivot);
ovk__factorise ovk__factorise_ic;

/* Pivots below this part of their row's diagonal (ilu: greatest entry) are rounding errors. */
#define OVK__TINY_PIVOT 2.2e-14

enum { OVK__FACTOR_INFO = 200 };

/* Factorises with the given shift, and while a pivot is unusable with twice that, from 0.001 on
 * (Manteuffel, Math. Comp. 34, 1980). `info` says which shift was taken, if not the given one.
 * OVK_ERR_ARG, naming the row, if no shift helps; OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__factor_make(const ovk__block *B, const char *who, ovk__factorise *factorise,
                         double shift, ovk__factor *F, char info[OVK__FACTOR_INFO]);
void ovk__factor_free(ovk__factor *F);

#endif
