/* SPDX-License-Identifier: BSD-2-Clause */
/* A program with another LAPACK than the library was built with: this one's ilaver() has 64-bit
 * integers. */
#include "support/problem.h"

static bool called;

__attribute__((visibility("default"))) void ilaver_(int64_t *major, int64_t *minor, int64_t *patch);
void ilaver_(int64_t *major, int64_t *minor, int64_t *patch)
{
  *major = 3;
  *minor = *patch = 0;
  called = true;
}

TEST(dense_blocks_are_refused_where_integers_of_lapack_are_longer)
{
  scoped_mat *A = new_tridiagonal(5, 4);
  scoped_precond *M = NULL;
  const ovk_err err = ovk_precond_create(A, "bjacobi", &M);
  if (!called) skip(); /* LAPACK binds its own */
  assert_error(err, OVK_ERR_UNSUPPORTED, "64-bit integers");
  assert_null(M);
  assert_ok(ovk_precond_create(A, "ic", &M));
}
