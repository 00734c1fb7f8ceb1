/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves over a NIC: with every configuration as many iterations as with MPI_Allreduce, and
 * the same bits as over MPI if the order of summation is the same. */
#include "support/problem.h"
#include "support/specs/verbs_spec.h"
#include "support/specs/verbs_ways.h"

/* Solves from zero; returns the number of iterations. */
static int solve(const linear_system *P, const char *method, const char *backend)
{
  ovk_solver_opts opts = with_method(method);
  ovk_result res = OVK_RESULT;
  opts.backend = backend;
  opts.poll_rows = 16;
  assert_ok(ovk_vec_fill(P->x, 0));
  assert_ok(ovk_pcg_solve(P->A, P->M, P->b, P->x, &opts, &res));
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  return res.iterations;
}

/* The order of summation does not depend on the NIC, so one of them suffices. */
static void check_bits(const linear_system *P, const char *method, const verbs_way *way)
{
  const size_t bytes = (size_t)ovk_vec_local_size(P->x) * sizeof(double);
  scoped_array double *found = new_memory(bytes + 1);
  memcpy(found, ovk_vec_array(P->x), bytes);
  solve(P, method, way->alike);
  assert_memory_equal(ovk_vec_array(P->x), found, bytes);
}

TEST(every_way_solves_alike)
{
  enum { METHODS = 3 };
  static const char *const methods[METHODS] = {"cg", "split-cg", "overlap"};
  int expected[METHODS];
  char spec[VERBS_SPEC_SIZE];
  scoped_system P = new_system(new_laplace27(6, 6, 6), "jacobi");
  for (int m = 0; m < METHODS; m++) expected[m] = solve(&P, methods[m], "blocking");
  for (int k = 0; k < VERBS_WAYS; k++) {
    const int m = k % METHODS;
    const verbs_way *way = &verbs_ways[k];
    if (!verbs_way_is_possible(way)) continue;
    assert_int_equal(solve(&P, methods[m], verbs_spec(spec, way->keys)), expected[m]);
    if (way->alike && strstr(spec, "emulated")) check_bits(&P, methods[m], way);
  }
}

TEST_GROUP(skip_without_nic, NULL)
