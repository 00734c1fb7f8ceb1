/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded, on nodes that pretend_nodes.c makes up: calls are carried over
 * them. */
#include "support/test_main.h"

/* A duplicate of MPI_COMM_WORLD that returns errors. */
static MPI_Comm returning(void)
{
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

static int class_of(int code)
{
  int class = -1;
  MPI_Error_class(code, &class);
  return class;
}

static void check_sum(MPI_Comm comm)
{
  int one = 1, sum = 0;
  assert_int_equal(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
  assert_int_equal(sum, test_size);
}

enum { MOST_CARRIED = 4000 };

static void check_difference(MPI_Comm comm, int n, bool differs)
{
  static double from[MOST_CARRIED + 1], to[MOST_CARRIED + 1];
  const int other = n + (differs ? 1 : 0), root = 0;
  int code = MPI_Allreduce(from, to, other, MPI_DOUBLE, MPI_SUM, comm);
  assert_int_equal(class_of(code), MPI_ERR_ARG);
  code = MPI_Allreduce(from, to, n, MPI_DOUBLE, differs ? MPI_MAX : MPI_SUM, comm);
  assert_int_equal(class_of(code), MPI_ERR_ARG);
  code = MPI_Allreduce(from, to, n, differs ? MPI_LONG : MPI_DOUBLE, MPI_SUM, comm);
  assert_int_equal(class_of(code), MPI_ERR_ARG);
  code = MPI_Reduce(from, to, other, MPI_DOUBLE, MPI_SUM, root, comm);
  if (test_rank == root) assert_int_equal(class_of(code), MPI_ERR_ARG);
  code = MPI_Bcast(to, other, MPI_DOUBLE, root, comm);
  if (differs && test_rank != root) assert_int_equal(class_of(code), MPI_ERR_ARG);
}

/* In each rank alone, with each algorithm between nodes. */
TEST(ranks_of_several_nodes_that_differ_get_an_error)
{
  static const int counts[] = {1, 200, 1000, MOST_CARRIED};
  SCOPED(MPI_Comm_free) MPI_Comm comm = returning();
  for (int other = 0; other < test_size; other++) {
    for (int k = 0; k < 4; k++) {
      check_sum(comm);
      check_difference(comm, counts[k], test_rank == other);
    }
  }
  check_sum(comm);
}

/* Of each rank in turn. */
TEST(a_result_without_memory_is_an_error)
{
  enum { LONG = 300 };
  static double from[2 * LONG], to[2 * LONG];
  void *const wrong[] = {NULL, MPI_IN_PLACE};
  SCOPED(MPI_Comm_free) MPI_Comm comm = returning();
  for (int k = 0; k < 2 * test_size; k++) {
    const int root = k % test_size;
    const bool here = root == test_rank;
    void *receive = here ? wrong[k / test_size] : to;
    const int codes[] = {MPI_Allreduce(from, receive, 1, MPI_DOUBLE, MPI_SUM, comm),
                         MPI_Allreduce(from, receive, LONG, MPI_DOUBLE, MPI_SUM, comm),
                         MPI_Allreduce(from, receive, 2, MPI_DOUBLE_INT, MPI_MAXLOC, comm),
                         MPI_Reduce(from, receive, 1, MPI_DOUBLE, MPI_SUM, root, comm)};
    for (int call = 0; call < 4 && here; call++) {
      assert_int_equal(class_of(codes[call]), MPI_ERR_ARG);
    }
    check_sum(comm);
  }
}

/* With the fewest tags. Rank 0 begins last: a message of a later operation arrives before its own
 * in the receive of the last rank. */
TEST(operations_that_share_a_tag_get_their_own_messages)
{
  enum { SHARE = 1024, MANY = SHARE + 2, TAG = 5 };
  static int items[MANY];
  static MPI_Request requests[MANY];
  const int last = test_size - 1;
  int token = 0, flag = 0;
  if (!getenv("OVK_TEST_MOST_TAG")) skip();
  SCOPED(MPI_Comm_free) MPI_Comm comm = returning();
  check_sum(comm);
  if (test_rank == 0) MPI_Recv(&token, 1, MPI_INT, last, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 0; k < MANY; k++) {
    items[k] = test_rank == k / SHARE ? k : -1;
    MPI_Ibcast(&items[k], 1, MPI_INT, k / SHARE, comm, &requests[k]);
  }
  if (test_rank == 1) MPI_Send(&token, 1, MPI_INT, last, TAG, MPI_COMM_WORLD);
  if (test_rank == last) {
    MPI_Recv(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 9; k++) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    assert_false(flag);
    MPI_Send(&token, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  }
  assert_int_equal(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (int k = 0; k < MANY; k++) assert_int_equal(items[k], k);
}

/* On both sides of 4096 bytes nodes run different schedules, and do not receive all messages. On
 * three nodes a rank may wait for a message of the next call, which then fails as well. */
TEST(nothing_of_a_failed_call_reaches_a_later_one)
{
  enum { LIMIT = 512 };
  static double part[LIMIT + 1], sum[LIMIT + 1];
  const char *nodes = getenv("OVK_TEST_NODES");
  const bool are_two = nodes && !strchr(nodes, 'c');
  SCOPED(MPI_Comm_free) MPI_Comm comm = returning();
  for (int other = 0; other < test_size; other++) {
    const int longer = test_rank == other ? LIMIT : LIMIT + 1;
    const int shorter = test_rank == other ? LIMIT + 1 : LIMIT;
    for (int k = 0; k < 4; k++) {
      const int n = k % 2 ? longer : shorter, later = LIMIT + k / 2;
      for (int i = 0; i <= LIMIT; i++) part[i] = 100 * k + test_rank;
      const int code = MPI_Allreduce(part, sum, n, MPI_DOUBLE, MPI_SUM, comm);
      assert_int_equal(class_of(code), MPI_ERR_ARG);
      if (!are_two) MPI_Barrier(comm);
      for (int i = 0; i <= LIMIT; i++) part[i] = k + test_rank;
      assert_int_equal(MPI_Allreduce(part, sum, later, MPI_DOUBLE, MPI_SUM, comm), MPI_SUCCESS);
      for (int i = 0; i < later; i++) {
        assert_close(sum[i], test_size * (k + 0.5 * (test_size - 1)), 0);
      }
    }
  }
}

TEST(a_root_out_of_range_is_an_error)
{
  int item = 3, sum = -1;
  SCOPED(MPI_Comm_free) MPI_Comm comm = returning();
  check_sum(comm);
  assert_int_equal(class_of(MPI_Reduce(&item, &sum, 1, MPI_INT, MPI_SUM, test_size, comm)),
                   MPI_ERR_ROOT);
  assert_int_equal(class_of(MPI_Bcast(&item, 1, MPI_INT, -1, comm)), MPI_ERR_ROOT);
  assert_int_equal(item, 3);
  assert_int_equal(sum, -1);
  check_sum(comm);
}

enum { LONG = 5000 };

static void check_root(int root, int count)
{
  static int mine[LONG], all[LONG], news[LONG];
  for (int i = 0; i < count; i++) {
    mine[i] = test_rank * 7 + i;
    all[i] = -1;
    news[i] = test_rank == root ? root - i : -1;
  }
  const bool in_place = test_rank == root && count % 2;
  if (in_place) memcpy(all, mine, sizeof all);
  MPI_Reduce(in_place ? MPI_IN_PLACE : mine, all, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  MPI_Bcast(news, count, MPI_INT, root, MPI_COMM_WORLD);
  const int ranks = test_size * (test_size - 1) / 2;
  for (int i = 0; i < count; i++) {
    if (test_rank == root) assert_int_equal(all[i], 7 * ranks + test_size * i);
    if (test_rank != root) assert_int_equal(all[i], -1);
    assert_int_equal(news[i], root - i);
  }
}

TEST(every_rank_may_be_the_root)
{
  MPI_Barrier(MPI_COMM_WORLD);
  for (int root = 0; root < test_size; root++) {
    check_root(root, 1);
    check_root(root, LONG);
  }
}

TEST(gaps_between_items_stay)
{
  struct pair {
    long value;
    int at, gap;
  } mine[5], best[5];
  for (int i = 0; i < 5; i++) {
    mine[i] = (struct pair){(test_rank + i) % test_size, test_rank, 5};
    best[i] = (struct pair){-1, -1, 9};
  }
  MPI_Allreduce(mine, best, 5, MPI_LONG_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(best[i].value, test_size - 1);
    assert_int_equal((best[i].at + i) % test_size, test_size - 1);
    assert_int_equal(best[i].gap, 9);
  }
}

/* Both algorithms between nodes, and lengths that they do not divide evenly. */
TEST(all_ranks_get_the_same_bits)
{
  static double sum[LONG], first[LONG];
  static const int counts[] = {1, 134, 135, 512, 513, LONG};
  for (int k = 0; k < 6; k++) {
    const size_t bytes = (size_t)counts[k] * sizeof *sum;
    for (int i = 0; i < counts[k]; i++) sum[i] = 1.0 / (1 + i + 100 * test_rank);
    MPI_Allreduce(MPI_IN_PLACE, sum, counts[k], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    memcpy(first, sum, bytes);
    MPI_Bcast(first, counts[k], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    assert_memory_equal(first, sum, bytes);
    double expected = 0;
    for (int rank = 0; rank < test_size; rank++) expected += 1.0 / (counts[k] + 100 * rank);
    assert_close(sum[counts[k] - 1], expected, 1e-14);
  }
}

TEST(what_does_not_block_reports_ranks_that_differ)
{
  double from[2] = {1, 2}, to[2];
  MPI_Request request;
  SCOPED(MPI_Comm_free) MPI_Comm comm = returning();
  for (int other = 0; other < test_size; other++) {
    const bool differs = test_rank == other;
    check_sum(comm);
    MPI_Iallreduce(from, to, differs ? 2 : 1, MPI_DOUBLE, MPI_SUM, comm, &request);
    assert_int_equal(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_ARG);
    MPI_Iallreduce(from, to, 1, MPI_DOUBLE, differs ? MPI_MAX : MPI_SUM, comm, &request);
    assert_int_equal(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_ARG);
  }
  assert_int_equal(class_of(MPI_Ibcast(from, 1, MPI_DOUBLE, test_size, comm, &request)),
                   MPI_ERR_ROOT);
  check_sum(comm);
}

/* Each rank is in turn the only one that calls the library again. */
TEST(what_does_not_block_goes_on_while_ranks_receive)
{
  int one = 1, token = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 8 * test_size; k++) {
    const int first = k % test_size;
    int sum = 0, news = test_rank == first ? k : -1;
    MPI_Request requests[3];
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&news, 1, MPI_INT, first, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    if (test_rank != first) {
      MPI_Recv(&token, 1, MPI_INT, first, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int rank = 0; test_rank == first && rank < test_size; rank++) {
      if (rank != first) MPI_Send(&token, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
    }
    assert_int_equal(sum, test_size);
    assert_int_equal(news, k);
  }
}

/* The lowest other rank of the node of a rank; -1: none. */
static int neighbor_of(int rank)
{
  const char *nodes = getenv("OVK_TEST_NODES");
  for (int k = 0; nodes && k < test_size; k++) {
    if (k != rank && nodes[k] == nodes[rank]) return k;
  }
  return -1;
}

/* Each rank is in turn the last one to begin: after a message of a neighbor, which takes several
 * steps. When the neighbor waits, it has the parts of all other nodes. */
TEST(messages_of_the_program_travel_while_a_rank_waits)
{
  enum { BYTES = 1 << 22 };
  scoped_array char *message = new_zeros(BYTES, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int late = 0; late < test_size; late++) {
    const int first = neighbor_of(late), one = 1;
    int sum = 0, token = 0;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (test_rank == late && first >= 0) {
      MPI_Recv(message, BYTES, MPI_CHAR, first, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    if (test_rank == first) {
      for (int k = 2; k < test_size; k++) {
        MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      MPI_Isend(message, BYTES, MPI_CHAR, late, 5, MPI_COMM_WORLD, &requests[1]);
    } else if (test_rank != late && first >= 0) {
      MPI_Send(&token, 1, MPI_INT, first, 6, MPI_COMM_WORLD);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert_int_equal(sum, test_size);
  }
}

TEST(every_rank_may_be_the_root_of_what_does_not_block)
{
  enum { MOST = 8 };
  int mine[MOST], all[MOST], news[MOST];
  MPI_Request requests[2 * MOST];
  MPI_Barrier(MPI_COMM_WORLD);
  for (int root = 0; root < test_size; root++) {
    mine[root] = 10 * test_rank + root;
    all[root] = -1;
    news[root] = test_rank == root ? 100 + root : -1;
    const bool receives = test_rank == root;
    MPI_Ireduce(&mine[root], receives ? &all[root] : NULL, 1, MPI_INT, MPI_SUM, root,
                MPI_COMM_WORLD, &requests[2 * root]);
    MPI_Ibcast(&news[root], 1, MPI_INT, root, MPI_COMM_WORLD, &requests[2 * root + 1]);
  }
  for (int k = 2 * test_size - 1; k >= 0; k--) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  for (int root = 0; root < test_size; root++) {
    const int sum = 10 * test_size * (test_size - 1) / 2 + test_size * root;
    assert_int_equal(all[root], test_rank == root ? sum : -1);
    assert_int_equal(news[root], 100 + root);
  }
}

/* Up to the most bytes of each. */
TEST(blocking_calls_give_the_same_bits)
{
  enum { MOST = 134 };
  double part[MOST], sum[MOST], same[MOST];
  MPI_Request request;
  for (int i = 0; i < MOST; i++) part[i] = 1.0 / (1 + i + 100 * test_rank);
  for (int n = 1; n <= MOST; n += 133) {
    MPI_Allreduce(part, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(part, same, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_memory_equal(sum, same, (size_t)n * sizeof *sum);
  }
}
