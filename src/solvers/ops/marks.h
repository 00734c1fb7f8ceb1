/* SPDX-License-Identifier: BSD-2-Clause */
/* With exact=all the parts of a rank are exact sums (core/exact/exact_sum.h), as a double would
 * round them, and differently for another partition. The methods pass them on as marks: a mark is
 * a small integer that stands for a sum in S->marks until it goes into a reduction, 0 for a part of
 * 0. Methods do not compute with parts, only with totals, so they are the same for marks. */
#ifndef OVK_SOLVERS_OPS_MARKS_H
#define OVK_SOLVERS_OPS_MARKS_H

#include "core/exact/exact_sum.h"
#include "solvers/state/state.h"

/* The sums take turns: one is used again after `n` others, more than are waiting for a reduction
 * at any time. */
struct ovk__marks {
  int n, next;
  ovk__exact_sum *sums;
};

/* Room for the sums of a solver, for reductions of `values` values together. Marks from before are
 * not valid. Not collective. */
ovk_err ovk__marks_reserve(ovk_solver *S, int values);
void ovk__marks_destroy(ovk_solver *S);

/* to <- the sum of a mark; NaN for a number that is none. */
void ovk__mark_take(const struct ovk__marks *marks, double mark, ovk__exact_sum *to);

/* Two vectors of this rank's rows; D x or D y in their place, with the diagonal M^-1 = D. */
typedef struct ovk__pair {
  const double *x, *y;
  bool scale_x, scale_y;
  const int *unit; /* of an estimate (dots.h); NULL, or *unit is OVK__NO_UNIT: the sum is exact */
} ovk__pair;

static inline ovk__pair ovk__pair_of(const double *x, const double *y)
{
  return (ovk__pair){.x = x, .y = y};
}

/* The work on some rows of a sweep, before their products are added. NULL, or `rows_and_sums` does
 * the same and adds all products if it can, then it returns true: sums[k] are those of the pairs
 * (kernels/exact/updates_exact.h). */
typedef struct ovk__row_update {
  void (*rows)(void *arg, ovk_lidx first, ovk_lidx n);
  bool (*rows_and_sums)(void *arg, ovk_lidx first, ovk_lidx n, ovk__exact_sum *const *sums);
  void *arg;
} ovk__row_update;

/* parts[k] <- marks of the n inner products, in one sweep, after `update`, which may be NULL.
 * n <= OVK__MOST_PAIRS. */
enum { OVK__MOST_PAIRS = 16 };
void ovk__mark_sweep(ovk_solver *S, const ovk__row_update *update, int n, const ovk__pair *pairs,
                     double *parts);
void ovk__mark_pairs(ovk_solver *S, int n, const ovk__pair *pairs, double *parts);

/* The mark of (x, y). */
double ovk__mark_dot(ovk_solver *S, const double *x, const double *y);

/* As the kernels of updates.h with these names, for parts that are marks; z = D r. */
double ovk__mark_residual(ovk_solver *S, const double *b, double *r, double *bb);
double ovk__mark_axpy_norm(ovk_solver *S, double alpha, const double *s, double *r);
double ovk__mark_update_r(ovk_solver *S, double alpha, const double *s, bool of_z, double *r,
                          double *rz);

/* s <- A p; parts[k] <- marks of the n inner products, also of s. Failures are this rank's. */
ovk_err ovk__mark_mult(ovk_solver *S, const double *p, double *s, ovk_poll poll, int n,
                       const ovk__pair *pairs, double *parts);

/* This rank's part of (x, y): a number or a mark. */
double ovk__part_dot(ovk_solver *S, const double *x, const double *y);

/* This rank's part of the sum of x. */
double ovk__part_sum(ovk_solver *S, const double *x);

#endif
