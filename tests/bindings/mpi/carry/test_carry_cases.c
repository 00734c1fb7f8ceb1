/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded: ranks that are busy or far ahead, communicators that end early or late,
 * children, calls that are left to the MPI. Its log has the carried calls; see carry.sh. */
#include "support/test_main.h"

#include <sys/wait.h>

/* Rank 0 is in none of the library's calls while the others need its part. */
TEST(a_rank_that_receives_keeps_nobody_waiting)
{
  double from = test_rank, to = -1;
  int token = 0;
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iallreduce(&from, &to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  if (test_rank == 0) {
    for (int k = 1; k < test_size; k++) {
      MPI_Recv(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  }
  assert_true(to == test_size * (test_size - 1) / 2.0);
}

/* MPI demands equal signatures of a broadcast's types, not equal types. */
TEST(ranks_may_differ_in_the_layout_of_items)
{
  enum { N = 7 };
  int items[2 * N];
  SCOPED(MPI_Type_free) MPI_Datatype spaced = MPI_DATATYPE_NULL;
  const bool gaps = test_rank % 2;
  MPI_Type_vector(N, 1, 2, MPI_INT, &spaced);
  MPI_Type_commit(&spaced);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int root = 0; root < test_size; root++) {
    for (int k = 0; k < N; k++) items[gaps ? 2 * k : k] = test_rank == root ? 10 * root + k : -1;
    MPI_Bcast(items, gaps ? 1 : N, gaps ? spaced : MPI_INT, root, MPI_COMM_WORLD);
    for (int k = 0; k < N; k++) assert_int_equal(items[gaps ? 2 * k : k], 10 * root + k);
  }
}

/* MPICH packs nothing at MPI_BOTTOM, which is NULL. */
TEST(items_may_have_absolute_addresses)
{
  int items[3] = {0};
  MPI_Aint address;
  MPI_Datatype absolute;
  const int n = 3;
  MPI_Request request;
  MPI_Get_address(items, &address);
  MPI_Type_create_hindexed(1, &n, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int root = 0; root < test_size; root++) {
    for (int k = 0; k < n; k++) items[k] = test_rank == root ? 10 * root + k : -1;
    MPI_Bcast(MPI_BOTTOM, 1, absolute, root, MPI_COMM_WORLD);
    for (int k = 0; k < n; k++) assert_int_equal(items[k], 10 * root + k);
    items[0] = test_rank == root ? 7 : -1;
    MPI_Ibcast(MPI_BOTTOM, 1, absolute, root, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_int_equal(items[0], 7);
  }
  MPI_Type_free(&absolute);
}

TEST(a_communicator_may_be_freed_meanwhile)
{
  for (int k = 0; k < 5; k++) {
    MPI_Comm comm;
    MPI_Request request;
    int from = test_rank + k, to = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm); /* after which the next one is carried */
    MPI_Iallreduce(&from, &to, 1, MPI_INT, MPI_MAX, comm, &request);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_int_equal(to, k + test_size - 1);
  }
}

/* More than a board has places for. */
TEST(many_are_in_flight)
{
  enum { MANY = 700 };
  static int from[MANY], to[MANY];
  static MPI_Request requests[MANY];
  for (int k = 0; k < MANY; k++) {
    from[k] = k + test_rank;
    MPI_Iallreduce(&from[k], &to[k], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[k]);
  }
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < MANY; k++) assert_int_equal(to[k], k + test_size - 1);
}

/* The others are 300 operations ahead of rank 0, and in a call of the MPI itself. */
TEST(a_rank_far_ahead_keeps_nobody_waiting)
{
  enum { MANY = 300 };
  static int to[MANY];
  static MPI_Request requests[MANY];
  int token = 0, one = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 1; test_rank == 0 && k < test_size; k++) {
    MPI_Recv(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int k = 0; k < MANY; k++) {
    MPI_Iallreduce(&one, &to[k], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[k]);
    if (test_rank == 0) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  }
  for (int k = 1; test_rank == 0 && k < test_size; k++) {
    MPI_Send(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD);
  }
  if (test_rank > 0) {
    MPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  }
  for (int k = 0; k < MANY; k++) assert_int_equal(to[k], test_size);
}

/* The root has begun all broadcasts before the others begin one. */
TEST(a_root_far_ahead_keeps_nobody_waiting)
{
  enum { MANY = 200 };
  static int items[MANY];
  static MPI_Request requests[MANY];
  int token = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank > 0) MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 0; k < MANY; k++) {
    items[k] = test_rank == 0 ? k : -1;
    MPI_Ibcast(&items[k], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[k]);
  }
  for (int k = 1; test_rank == 0 && k < test_size; k++) {
    MPI_Send(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD);
  }
  for (int k = 1; test_rank == 0 && k < test_size; k++) {
    MPI_Recv(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  if (test_rank > 0) MPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  for (int k = 0; k < MANY; k++) assert_int_equal(items[k], k);
}

/* The result of the MPI call for the same pairs; the bytes after an index stay. */
static void check_pairs(MPI_Datatype type, size_t extent, const char *from, int n, MPI_Op op)
{
  enum { BYTES = 64 };
  char to[BYTES], same[BYTES], last[BYTES];
  MPI_Request request;
  memset(to, 77, BYTES);
  memset(same, 77, BYTES);
  memset(last, 77, BYTES);
  assert_true(n * (int)extent <= BYTES);
  MPI_Allreduce(from, to, n, type, op, MPI_COMM_WORLD);
  PMPI_Allreduce(from, same, n, type, op, MPI_COMM_WORLD);
  assert_memory_equal(to, same, BYTES);
  memcpy(last, from, extent);
  MPI_Iallreduce(MPI_IN_PLACE, last, 1, type, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  PMPI_Reduce(from, same, 1, type, op, test_size - 1, MPI_COMM_WORLD);
  MPI_Reduce(from, to, 1, type, op, test_size - 1, MPI_COMM_WORLD);
  assert_memory_equal(to, same, BYTES);
}

#define CHECK_PAIRS(mpi, number)                                                                   \
  do {                                                                                             \
    struct {                                                                                       \
      number value;                                                                                \
      int at;                                                                                      \
    } pairs[4];                                                                                    \
    memset(pairs, 5, sizeof pairs);                                                                \
    for (int k = 0; k < 4; k++) {                                                                  \
      pairs[k].value = (number)(k < 2 ? 3 : test_rank * (k == 2 ? 1 : -1)); /* some are equal */   \
      pairs[k].at = k % 2 ? 9 - test_rank : test_rank;                                             \
    }                                                                                              \
    check_pairs(mpi, sizeof pairs[0], (const char *)pairs, 4, MPI_MAXLOC);                         \
    check_pairs(mpi, sizeof pairs[0], (const char *)pairs, 4, MPI_MINLOC);                         \
  } while (0)

TEST(pairs_have_the_results_of_the_mpi)
{
  CHECK_PAIRS(MPI_DOUBLE_INT, double);
  CHECK_PAIRS(MPI_FLOAT_INT, float);
  CHECK_PAIRS(MPI_LONG_INT, long);
  CHECK_PAIRS(MPI_SHORT_INT, short);
  CHECK_PAIRS(MPI_2INT, int);
}

/* Of whole numbers sums and products are exact. */
TEST(sums_of_complex_numbers_have_the_results_of_the_mpi)
{
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD};
  for (int k = 0; k < 2; k++) {
    double a[6], b[6], c[6];
    float x[2] = {1, (float)test_rank}, y[2], z[2];
    for (int i = 0; i < 6; i++) a[i] = i + test_rank;
    MPI_Allreduce(a, b, 3, MPI_C_DOUBLE_COMPLEX, ops[k], MPI_COMM_WORLD);
    PMPI_Allreduce(a, c, 3, MPI_C_DOUBLE_COMPLEX, ops[k], MPI_COMM_WORLD);
    assert_memory_equal(b, c, sizeof b);
    MPI_Allreduce(x, y, 1, MPI_C_FLOAT_COMPLEX, ops[k], MPI_COMM_WORLD);
    PMPI_Allreduce(x, z, 1, MPI_C_FLOAT_COMPLEX, ops[k], MPI_COMM_WORLD);
    assert_memory_equal(y, z, sizeof y);
  }
}

/* exit() runs the function that writes the log in the rank itself. */
TEST(a_child_writes_no_log)
{
  const char *log = getenv("OVK_MPI_LOG");
  char name[4096];
  int status;
  MPI_Barrier(MPI_COMM_WORLD);
  const pid_t child = fork();
  if (child == 0) exit(0);
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  snprintf(name, sizeof name, "%s.%d", log ? log : "", test_rank);
  assert_true(log && access(name, F_OK) != 0);
}

/* Made in one order, used first in another; the remaining ones are freed in MPI_Finalize. */
TEST(communicators_may_be_left_to_the_end)
{
  MPI_Comm left[3];
  for (int k = 0; k < 3; k++) MPI_Comm_dup(MPI_COMM_WORLD, &left[k]);
  for (int k = 3; k-- > 0;) {
    int one = 1, sum = 0;
    MPI_Request request;
    MPI_Barrier(left[k]);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, left[k], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_int_equal(sum, test_size);
  }
  MPI_Comm_free(&left[1]);
}

static void plus(void *in, void *inout, int *n, MPI_Datatype *type)
{
  for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}

TEST(what_is_not_carried_is_the_mpis)
{
  MPI_Op op;
  int one = 1, total = 0;
  long double wide = 1, wide_total = 0;
  MPI_Op_create(plus, 1, &op);
  MPI_Allreduce(&one, &total, 1, MPI_INT, op, MPI_COMM_WORLD);
  assert_int_equal(total, test_size);
  MPI_Op_free(&op);
  MPI_Allreduce(&wide, &wide_total, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert_true(wide_total == test_size);
  MPI_Allreduce(&one, &total, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  assert_int_equal(total, 1);
}
