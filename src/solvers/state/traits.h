/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about A and the preconditioner M after a failed solve, for its message. */
#ifndef OVK_SOLVERS_STATE_TRAITS_H
#define OVK_SOLVERS_STATE_TRAITS_H

#include "matrix/symmetry/symmetry.h"

#include <stdbool.h>

typedef struct ovk__traits {
  bool measured;
  double A_asymmetry, M_asymmetry; /* as ovk_mat_asymmetry() has it; NaN: not known */
  ovk__asymmetric_pair pair;       /* two entries of A, if they are not the same numbers */
  double norm_A, norm_M;           /* ||A v|| / ||v||, ||M^-1 v|| / ||v|| of some v; 0: not known */
  double row_sums;                 /* ||A 1|| / (||A|| ||1||); Inf: not known */
  double column_sums;              /* |(1, A v)| / (||1|| ||A v||) of some v */
  double small_Ax;                 /* ||A x|| / (||A|| ||x||) of the last solve */
} ovk__traits;

#endif
