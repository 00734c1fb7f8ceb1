/* SPDX-License-Identifier: BSD-2-Clause */
/* One system, in ovkrylov's objects and in hypre's. */
#ifndef OVK_TEST_HYPRE_CASE_H
#define OVK_TEST_HYPRE_CASE_H

#include "support/test_main.h"

#include <ovk_hypre.h>

/* hypre's functions return flags that stay set. */
#define assert_hypre(call) assert_int_equal((call), 0)

typedef struct hypre_case {
  ovk_mat *A;
  ovk_vec *b, *x;
  HYPRE_IJMatrix ij;
  HYPRE_IJVector ij_b, ij_x;
  HYPRE_ParCSRMatrix par;
  HYPRE_ParVector par_b, par_x;
} hypre_case;

/* The 7-point operator on about 1000 points, as hypre's program ij has it, and a random b. */
hypre_case hypre_case_open(void);
void hypre_case_close(hypre_case *c);

/* hypre's copy of a matrix, through the public interface. */
HYPRE_IJMatrix hypre_case_copy(const ovk_mat *A);

/* x <- 0 in both. */
void hypre_case_clear(hypre_case *c);

/* BoomerAMG with hypre's defaults, for one application. */
HYPRE_Solver hypre_case_boomeramg(void);

#endif
