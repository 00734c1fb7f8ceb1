/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded: wrong arguments reach the error handler of the communicator on all ranks,
 * and later calls are right; communicators that it leaves to the MPI. */
#include "support/test_main.h"

static int complaints;

/* MPI gives it more arguments, which are of no interest. */
static void count_complaint(MPI_Comm *comm, int *code, ...)
{
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

TEST(wrong_arguments_reach_the_error_handler)
{
  int item = 3;
  MPI_Request request = MPI_REQUEST_NULL;
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  assert_int_not_equal(MPI_Bcast(&item, 1, MPI_INT, test_size, comm), MPI_SUCCESS);
  assert_int_equal(complaints, 1);
  check_sums(comm);
  assert_int_not_equal(MPI_Ibcast(&item, 1, MPI_INT, test_size, comm, &request), MPI_SUCCESS);
  assert_int_equal(complaints, 2);
  check_sums(comm);
  assert_int_equal(item, 3);
}

/* The wrong one waits in the board's queue where a rank is ahead of the others. */
TEST(wrong_arguments_behind_many_others)
{
  enum { MANY = 300 };
  int item = 3;
  MPI_Request requests[MANY], request = MPI_REQUEST_NULL;
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  for (int k = 0; k < MANY; k++) MPI_Ibarrier(comm, &requests[k]);
  assert_int_not_equal(MPI_Ibcast(&item, 1, MPI_INT, -1, comm, &request), MPI_SUCCESS);
  assert_int_not_equal(MPI_Bcast(&item, 1, MPI_INT, test_size, comm), MPI_SUCCESS);
  assert_int_equal(complaints, 2);
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  check_sums(comm);
}

static int class_of(int code)
{
  int class = -1;
  MPI_Error_class(code, &class);
  return class;
}

TEST(a_root_out_of_range_is_an_error)
{
  const int roots[] = {-1, MPI_ROOT, test_size};
  int item = 3, sum = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  for (int k = 0; k < 3; k++) {
    complaints = 0;
    assert_int_equal(class_of(MPI_Reduce(&item, &sum, 1, MPI_INT, MPI_SUM, roots[k], comm)),
                     MPI_ERR_ROOT);
    assert_int_equal(
        class_of(MPI_Ireduce(&item, &sum, 1, MPI_INT, MPI_SUM, roots[k], comm, &request)),
        MPI_ERR_ROOT);
    assert_int_equal(complaints, 2);
    assert_int_equal(sum, -1);
  }
  check_sums(comm);
}

/* Ranks that differ, to be completed in one of the ways of the MPI together with a request without
 * an error. */
static void begin_two(MPI_Comm comm, MPI_Request *requests)
{
  static double from[2], to[2];
  complaints = 0;
  MPI_Ibarrier(comm, &requests[0]);
  MPI_Iallreduce(from, to, is_last() ? 2 : 1, MPI_DOUBLE, MPI_SUM, comm, &requests[1]);
}

static void check_statuses(int code, const MPI_Status *statuses)
{
  assert_int_equal(class_of(code), MPI_ERR_IN_STATUS);
  assert_int_equal(statuses[0].MPI_ERROR, MPI_SUCCESS);
  assert_int_equal(class_of(statuses[1].MPI_ERROR), MPI_ERR_ARG);
}

TEST(an_error_of_what_does_not_block_reaches_the_error_handler)
{
  MPI_Request requests[2];
  MPI_Status statuses[2];
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  int flag = 0, code = MPI_SUCCESS, index, count = 0, which[2];
  if (test_size == 1) skip();
  begin_two(comm, requests);
  assert_int_equal(class_of(MPI_Wait(&requests[1], MPI_STATUS_IGNORE)), MPI_ERR_ARG);
  assert_int_equal(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
  assert_int_equal(complaints, 1);
  begin_two(comm, requests);
  check_statuses(MPI_Waitall(2, requests, statuses), statuses);
  assert_int_equal(complaints, 1);
  begin_two(comm, requests);
  while (!flag) code = MPI_Testall(2, requests, &flag, statuses);
  check_statuses(code, statuses);
  assert_int_equal(complaints, 1);
  begin_two(comm, requests);
  for (flag = 0; !flag;) code = MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
  assert_int_equal(class_of(code), MPI_ERR_ARG);
  assert_int_equal(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
  assert_int_equal(index, 0);
  assert_int_equal(complaints, 1);
  begin_two(comm, requests);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  code = MPI_Waitsome(2, requests, &count, which, statuses);
  assert_int_equal(count, 1);
  assert_int_equal(class_of(code), MPI_ERR_IN_STATUS);
  assert_int_equal(class_of(statuses[0].MPI_ERROR), MPI_ERR_ARG);
  assert_int_equal(complaints, 1);
  assert_true(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  check_sums(comm);
}

/* Pairs of one size. */
TEST(ranks_that_differ_in_pairs_are_an_error)
{
  struct {
    double value;
    int at;
  } from[2] = {{1, 2}, {3, 4}}, to[2];
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  if (test_size == 1) skip();
  const MPI_Datatype type = is_last() ? MPI_DOUBLE_INT : MPI_LONG_INT;
  assert_int_equal(class_of(MPI_Allreduce(from, to, 2, type, MPI_MAXLOC, comm)), MPI_ERR_ARG);
  assert_int_equal(complaints, 1);
  check_sums(comm);
}

/* Open MPI adds bytes, MPICH does not. */
TEST(operations_that_the_mpi_lacks_are_its_errors)
{
  unsigned char from[2] = {1, 2}, sum[2] = {9, 9}, expected[2] = {9, 9};
  MPI_Request request = MPI_REQUEST_NULL;
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  int code = PMPI_Allreduce(from, expected, 2, MPI_BYTE, MPI_SUM, comm);
  const int carried = MPI_Allreduce(from, sum, 2, MPI_BYTE, MPI_SUM, comm);
  assert_int_equal(class_of(carried), class_of(code));
  assert_memory_equal(sum, expected, sizeof sum);
  code = MPI_Allreduce(from, sum, 2, MPI_C_BOOL, MPI_SUM, comm);
  assert_int_equal(class_of(code), MPI_ERR_OP);
  code = MPI_Iallreduce(from, sum, 2, MPI_C_BOOL, MPI_MAX, comm, &request);
  assert_int_equal(class_of(code), MPI_ERR_OP);
  MPI_Allreduce(from, sum, 2, MPI_BYTE, MPI_BOR, comm);
  assert_memory_equal(sum, from, sizeof sum);
  check_sums(comm);
}

/* Of the root, so that there is nothing to send. */
TEST(a_type_that_is_not_committed_is_an_error_on_all_ranks)
{
  MPI_Datatype spaced;
  MPI_Request request = MPI_REQUEST_NULL;
  int items[4] = {1, 2, 3, 4}, all[4 * 8];
  SCOPED(MPI_Comm_free) MPI_Comm comm = watched();
  const bool root = test_rank == 0;
  if (test_size == 1 || test_size > 8) skip();
  MPI_Type_vector(2, 1, 2, MPI_INT, &spaced);
  const MPI_Datatype type = root ? spaced : MPI_INT;
  const int n = root ? 1 : 2;
  const int expected = root ? MPI_ERR_TYPE : MPI_ERR_ARG;
  assert_int_equal(class_of(MPI_Bcast(items, n, type, 0, comm)), expected);
  assert_int_equal(complaints, 1);
  int code = MPI_Ibcast(items, n, type, 0, comm, &request);
  if (!code) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_int_equal(class_of(code), expected);
  assert_int_equal(complaints, 2);
  complaints = 0;
  assert_int_equal(class_of(MPI_Allgather(items, n, type, all, 2, MPI_INT, comm)), expected);
  assert_int_equal(complaints, 1);
  MPI_Type_free(&spaced);
  check_sums(comm);
}

/* In Open MPI the handle is a pointer to memory that it has freed. */
#ifdef MPICH_VERSION
TEST(a_communicator_that_is_freed_is_an_error)
{
  int one = 1, sum = 0;
  MPI_Errhandler before, handler;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const MPI_Comm gone = comm;
  MPI_Comm_free(&comm);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_create_errhandler(count_complaint, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  complaints = 0;
  const int code = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, gone);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&before);
  assert_int_equal(class_of(code), MPI_ERR_COMM);
  assert_in_range(complaints, 1, 3); /* of the call, and of two questions before it */
}
#endif

/* Rank 0 against all others. */
TEST(intercommunicators_are_the_mpis)
{
  SCOPED(MPI_Comm_free) MPI_Comm side = MPI_COMM_NULL, both = MPI_COMM_NULL;
  const bool first = test_rank == 0;
  int from = 10 + test_rank, sum = 0, expected = 10;
  if (test_size == 1) skip();
  MPI_Comm_split(MPI_COMM_WORLD, first, test_rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, first, 5, &both);
  if (first) {
    for (expected = 0; from - 10 < test_size - 1; from++) expected += from + 1;
    from = 10;
  }
  MPI_Allreduce(&from, &sum, 1, MPI_INT, MPI_SUM, both); /* the values of the other side */
  assert_int_equal(sum, expected);
  MPI_Barrier(both);
}
