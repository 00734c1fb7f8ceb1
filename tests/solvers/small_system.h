/* SPDX-License-Identifier: BSD-2-Clause */
/* The small systems of tests of how solves end. */
#ifndef TEST_SOLVERS_SMALL_SYSTEM_H
#define TEST_SOLVERS_SMALL_SYSTEM_H

#include "support/create.h"
#include "support/methods.h"
#include "support/test_main.h"

/* A tridiagonal matrix (-1, diagonal, -1) with `nlocal` rows on this rank, and vectors for it. */
linear_system make_tridiagonal(ovk_lidx nlocal, double diagonal);

/* Solves and checks that all ranks got the same result. */
ovk_result solve_alike(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                       const ovk_solver_opts *opts);

/* Sets the last entry of the last rank that has one (all ranks have rows in these tests). */
void spoil(ovk_vec *v, double value);

#define FOR_EACH_OF(list, opts)                                                                    \
  ovk_choice method_;                                                                              \
  for (int m_ = 0; list(test_ctx(), m_, &method_) && ((opts).method = method_.name, true); m_++)
#define FOR_EACH_METHOD(opts) FOR_EACH_OF(list_named_methods, opts)
#define FOR_EACH_DEFINITE_METHOD(opts) FOR_EACH_OF(list_definite_methods, opts)
#define FOR_EACH_CG_METHOD(opts) FOR_EACH_OF(list_cg_methods, opts)

#endif
