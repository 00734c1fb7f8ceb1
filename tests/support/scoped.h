/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects that are destroyed at the end of the block that declares them, unless a failed assert
 * ends the test: scoped_vec *x = new_vec(A). Tests of destruction call the functions instead.
 * Without CMocka, for programs with a main function of their own. */
#ifndef OVK_TEST_SCOPED_H
#define OVK_TEST_SCOPED_H

#include <ovkrylov/comm/collective.h>
#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/ovkrylov.h>
#include <stdlib.h>
#include <string.h>

/* destroy: called with the address of the variable. */
#define SCOPED(destroy) __attribute__((cleanup(destroy), unused))

/* A block from malloc(); `place`: the address of a pointer to it. */
static inline void free_place(void *place)
{
  void *block;
  memcpy(&block, place, sizeof block);
  free(block);
}
#define scoped_array SCOPED(free_place)

#define scoped_ctx SCOPED(ovk_ctx_destroy) ovk_ctx
#define scoped_vec SCOPED(ovk_vec_destroy) ovk_vec
#define scoped_multivec SCOPED(ovk_multivec_destroy) ovk_multivec
#define scoped_mat SCOPED(ovk_mat_destroy) ovk_mat
#define scoped_precond SCOPED(ovk_precond_destroy) ovk_precond
#define scoped_solver SCOPED(ovk_solver_destroy) ovk_solver
#define scoped_reduction SCOPED(ovk_reduction_destroy) ovk_reduction
#define scoped_collective SCOPED(ovk_collective_destroy) ovk_collective

#endif
