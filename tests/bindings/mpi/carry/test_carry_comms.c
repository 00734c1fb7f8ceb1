/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded: many communicators, those of few and of many sets of ranks, and freed in
 * orders that differ among ranks. OVK_TEST_COMMS=n opens as many at a time. */
#include "support/system/mappings.h"
#include "support/test_main.h"

static void check_sums(MPI_Comm comm)
{
  int one = 1, sum = 0, same = 0, size;
  MPI_Request request;
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_int_equal(sum, size);
  assert_int_equal(same, size);
}

static MPI_Comm opened(void)
{
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  check_sums(comm);
  return comm;
}

TEST(ranks_may_free_in_different_orders)
{
  for (int round = 0; round < 3; round++) {
    MPI_Comm comms[3];
    for (int k = 0; k < 3; k++) comms[k] = opened();
    for (int k = 0; k < 3; k++) MPI_Comm_free(&comms[(k + test_rank) % 3]);
  }
}

/* Rank 0 frees before it sends, the others after they have received. */
TEST(a_free_keeps_nobody_waiting)
{
  int token = 0;
  MPI_Comm comm = opened();
  if (test_rank > 0) MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  for (int k = 1; test_rank == 0 && k < test_size; k++) {
    MPI_Send(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD);
  }
  check_sums(MPI_COMM_WORLD);
}

/* The same with an operation in flight, which the others begin later. */
TEST(nor_does_one_with_an_operation_in_flight)
{
  int token = 0, one = 1, sum = 0;
  MPI_Request request;
  SCOPED(MPI_Comm_free) MPI_Comm comm = opened();
  if (test_rank > 0) MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Comm_free(&comm);
  for (int k = 1; test_rank == 0 && k < test_size; k++) {
    MPI_Send(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD);
  }
  comm = opened();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_int_equal(sum, test_size);
}

/* More at a time than are carried; then as many again. */
TEST(many_are_open_at_a_time)
{
  const char *text = getenv("OVK_TEST_COMMS");
  const int n = text ? atoi(text) : 150;
  scoped_array MPI_Comm *comms = new_memory((size_t)n * sizeof *comms);
  int before = 0;
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < n; k++) comms[k] = opened();
    for (int k = 0; k < n; k++) check_sums(comms[k]);
    for (int k = n; k-- > 0;) MPI_Comm_free(&comms[k]);
    if (round == 0) before = count_mappings("");
  }
  assert_true(count_mappings("") <= before + 10);
}

static int sum_while_freed;

static int sum_ones(MPI_Comm comm, int key, void *attribute, void *extra)
{
  int one = 1;
  (void)key, (void)attribute, (void)extra;
  MPI_Barrier(comm);
  return MPI_Allreduce(&one, &sum_while_freed, 1, MPI_INT, MPI_SUM, comm);
}

/* Attributes are deleted from the last one to the first, so the state of the communicator before
 * the attribute of the program, or after it. */
static void free_with_a_call(int frees(MPI_Comm *), int key, bool state_first)
{
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (state_first) check_sums(comm);
  MPI_Comm_set_attr(comm, key, NULL);
  check_sums(comm);
  sum_while_freed = 0;
  frees(&comm);
  assert_int_equal(sum_while_freed, test_size);
}

static void check_order(MPI_Comm reversed)
{
  int item = 10 + test_rank;
  MPI_Bcast(&item, 1, MPI_INT, 0, reversed);
  assert_int_equal(item, 10 + test_size - 1);
}

/* A later communicator has the handle of the freed one. */
TEST(attributes_may_call_while_a_communicator_is_freed)
{
  enum { LATER = 8 };
  MPI_Comm later[LATER];
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sum_ones, &key, NULL);
  for (int k = 0; k < 4; k++) {
    free_with_a_call(k / 2 ? MPI_Comm_disconnect : MPI_Comm_free, key, k % 2);
    for (int n = 0; n < LATER; n++) {
      MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &later[n]);
      check_order(later[n]);
    }
    for (int n = 0; n < LATER; n++) MPI_Comm_free(&later[n]);
  }
  MPI_Comm_free_keyval(&key);
}

/* Boards know ranks by their place in a communicator. */
TEST(sets_of_ranks_have_an_order)
{
  for (int k = 0; k < 2; k++) {
    SCOPED(MPI_Comm_free) MPI_Comm reversed = MPI_COMM_NULL;
    int item = 10 + test_rank, first = -1;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &reversed);
    check_sums(reversed);
    MPI_Bcast(&item, 1, MPI_INT, 0, reversed);
    assert_int_equal(item, 10 + test_size - 1);
    MPI_Reduce(&test_rank, &first, 1, MPI_INT, MPI_MAX, 0, reversed);
    if (is_last()) assert_int_equal(first, test_size - 1);
  }
}

/* Each pair of ranks, and all but one. */
TEST(parts_of_the_ranks_have_their_own)
{
  for (int from = 0; from < test_size; from++) {
    for (int to = 0; to < test_size; to++) {
      const bool in = test_rank == from || test_rank == to;
      SCOPED(MPI_Comm_free) MPI_Comm pair = MPI_COMM_NULL;
      MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : 1, test_rank == from ? 0 : 1 + test_rank, &pair);
      check_sums(pair);
    }
  }
}
