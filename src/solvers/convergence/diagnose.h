/* SPDX-License-Identifier: BSD-2-Clause */
/* The origin of an inner product that is NaN, Inf or 0. */
#ifndef OVK_SOLVERS_CONVERGENCE_DIAGNOSE_H
#define OVK_SOLVERS_CONVERGENCE_DIAGNOSE_H

#include "solvers/state/state.h"

/* An inner product that is NaN, Inf or 0, and the vectors that may be the origin. */
enum { OVK__CANDIDATES = 3 };
typedef struct ovk__bad_sum {
  const char *name;     /* "(p, A p)" */
  const ovk_vec *u, *v; /* its factors */
  int iteration;        /* in which it occurred */
  struct {
    const ovk_vec *vec;          /* NULL: none */
    const char *name;            /* for the message: the object with the bad entries */
  } candidates[OVK__CANDIDATES]; /* in the order in which they were computed */
} ovk__bad_sum;

/* For a sum that is NaN or Inf: finds the first candidate with NaN or Inf, or whether the reduction
 * itself is wrong; ends the solve with OVK_REASON_NAN. Collective; errors are agreed. */
ovk_err ovk__diagnose_value(ovk_solver *S, const ovk__bad_sum *sum);

/* Entries that are NaN or Inf: for each candidate their number, the first row and the lowest rank
 * that have some. Rows and ranks are exact as doubles. */
enum { OVK__ROW, OVK__RANK, OVK__LOWEST };
typedef struct ovk__bad_entries {
  int iteration;
  double count[OVK__CANDIDATES];
  double lowest[OVK__CANDIDATES][OVK__LOWEST];
} ovk__bad_entries;

/* Those of this rank, for a method that sums too seldom to be diagnosed later. Not collective. */
ovk__bad_entries ovk__diagnose_find(const ovk__bad_sum *sum);

/* ovk__diagnose_value() for the entries that this rank has found before, in an iteration that may
 * differ from rank to rank: the first one reports. */
ovk_err ovk__diagnose_found(ovk_solver *S, const ovk__bad_sum *sum, ovk__bad_entries bad);

/* For a sum that is 0: ends the solve with OVK_REASON_NAN if that is due to underflow of the
 * products. Collective; errors are agreed. */
ovk_err ovk__diagnose_underflow(ovk_solver *S, const ovk__bad_sum *sum);

/* For the square of r = b - A x in work[OVK__WORK_R]: whether x, of this name, or A is the cause.
 * For that of M^-1 v, which the start or the end of a method has computed. For that of r in an
 * iteration, where z = M^-1 r is stored unless M is diagonal. As ovk__diagnose_value(). */
ovk_err ovk__diagnose_residual(ovk_solver *S, const char *x_name);
ovk_err ovk__diagnose_image_of(ovk_solver *S, const ovk_vec *v);
ovk_err ovk__diagnose_recurrence(ovk_solver *S, const ovk_vec *z);

#endif
