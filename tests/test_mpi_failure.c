/* SPDX-License-Identifier: BSD-2-Clause */
/* What becomes of sums when MPI fails. The calls that the library makes can be told to fail: they
 * come here first, as MPI's profiling interface allows. */
#include "support/test_main.h"

static bool fail_query, fail_send;

int MPI_Win_shared_query(MPI_Win window, int rank, MPI_Aint *size, int *unit, void *start)
{
  if (fail_query) return MPI_ERR_OTHER;
  return PMPI_Win_shared_query(window, rank, size, unit, start);
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  if (fail_send) return MPI_ERR_OTHER;
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}

/* A sum that works, to see that nothing is left behind. */
static void check_sum(ovk_ctx *ctx, const char *spec)
{
  ovk_reduction *red = NULL;
  assert_int_equal(ovk_reduction_create(ctx, spec, 1, &red), OVK_OK);
  ovk_reduction_values(red)[0] = 1;
  assert_int_equal(ovk_reduction_begin(red), OVK_OK);
  assert_int_equal(ovk_reduction_wait(red), OVK_OK);
  assert_true(ovk_reduction_values(red)[0] == test_size);
  ovk_reduction_destroy(&red);
}

static void a_window_that_fails_on_one_rank_is_an_error_on_all(void **state)
{
  (void)state;
  const char *const specs[] = {"shm", "nbc:channel=shm"};
  if (test_size == 1) skip(); /* no messages, no window */
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    ovk_reduction *red = NULL;
    fail_query = test_rank == test_size - 1;
    assert_error(ovk_reduction_create(test_ctx(), specs[k], 1, &red), OVK_ERR_MPI,
                 "MPI_Win_shared_query");
    assert_null(red);
    fail_query = false;
    check_sum(test_ctx(), specs[k]);
  }
}

/* On all ranks: one that failed alone would leave the others waiting for its part. Every rank of
 * these sends in its first round. */
static void a_send_that_fails_is_told_by_begin_and_the_sum_can_be_destroyed(void **state)
{
  (void)state;
  const char *const specs[] = {"nbc:alg=flat", "nbc:alg=ring", "nbc:alg=flat,fragment=8,window=2"};
  if (test_size == 1) skip();
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    ovk_reduction *red = NULL;
    assert_ok(ovk_reduction_create(test_ctx(), specs[k], test_size, &red));
    fail_send = true;
    assert_local_error(ovk_reduction_begin(red), OVK_ERR_MPI, "MPI");
    assert_local_error(ovk_reduction_begin(red), OVK_ERR_STATE, "can only be destroyed");
    fail_send = false;
    ovk_reduction_destroy(&red);
    check_sum(test_ctx(), specs[k]);
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_window_that_fails_on_one_rank_is_an_error_on_all),
      cmocka_unit_test(a_send_that_fails_is_told_by_begin_and_the_sum_can_be_destroyed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
