/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded: wrong arguments reach the communicator's error handler on all ranks, and
 * what follows them is right; communicators that it leaves to the MPI. */
#include "support/test_main.h"

static int complaints;

/* MPI gives it more arguments, which are of no interest. */
static void count_complaint(MPI_Comm *comm, int *code, ...)
{
  (void)comm, (void)code;
  complaints++;
}

/* A duplicate of MPI_COMM_WORLD that counts complaints and is set up. */
static MPI_Comm watched(void)
{
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(count_complaint, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  MPI_Barrier(comm);
  complaints = 0;
  return comm;
}

static void check_sums(MPI_Comm comm)
{
  int one = 1, sum = 0, same = 0;
  MPI_Request request;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_int_equal(sum, test_size);
  assert_int_equal(same, test_size);
}

static void wrong_arguments_reach_the_error_handler(void **state)
{
  int item = 3;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm comm = watched();
  assert_int_not_equal(MPI_Bcast(&item, 1, MPI_INT, test_size, comm), MPI_SUCCESS);
  assert_int_equal(complaints, 1);
  check_sums(comm);
  assert_int_not_equal(MPI_Ibcast(&item, 1, MPI_INT, test_size, comm, &request), MPI_SUCCESS);
  assert_int_equal(complaints, 2);
  check_sums(comm);
  assert_int_equal(item, 3);
  MPI_Comm_free(&comm);
}

/* The wrong one waits in the board's queue where a rank is ahead of the others. */
static void wrong_arguments_behind_many_others(void **state)
{
  enum { MANY = 300 };
  int item = 3;
  MPI_Request requests[MANY], request = MPI_REQUEST_NULL;
  MPI_Comm comm = watched();
  for (int k = 0; k < MANY; k++) MPI_Ibarrier(comm, &requests[k]);
  assert_int_not_equal(MPI_Ibcast(&item, 1, MPI_INT, -1, comm, &request), MPI_SUCCESS);
  assert_int_not_equal(MPI_Bcast(&item, 1, MPI_INT, test_size, comm), MPI_SUCCESS);
  assert_int_equal(complaints, 2);
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  check_sums(comm);
  MPI_Comm_free(&comm);
}

/* Rank 0 against all others. */
static void intercommunicators_are_the_mpis(void **state)
{
  MPI_Comm side, both;
  const bool first = test_rank == 0;
  int from = 10 + test_rank, sum = 0, expected = 10;
  if (test_size == 1) skip();
  MPI_Comm_split(MPI_COMM_WORLD, first, test_rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, first, 5, &both);
  if (first) {
    for (expected = 0; from - 10 < test_size - 1; from++) expected += from + 1;
    from = 10;
  }
  MPI_Allreduce(&from, &sum, 1, MPI_INT, MPI_SUM, both); /* what the other side gives */
  assert_int_equal(sum, expected);
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_arguments_reach_the_error_handler),
      cmocka_unit_test(wrong_arguments_behind_many_others),
      cmocka_unit_test(intercommunicators_are_the_mpis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
