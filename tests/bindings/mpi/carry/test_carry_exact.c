/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded with OVK_MPI_EXACT=sums: sums of reals have the same bits in any order of
 * the ranks, and are the correctly rounded ones. Without it these tests fail. */
#include "support/exact_reference.h"
#include "support/random.h"
#include "support/test_main.h"

#include <complex.h>

enum { MOST_RANKS = 8, MANY = 149 };

/* Communicators with the ranks in several orders. */
static MPI_Comm reordered(int turn)
{
  MPI_Comm comm;
  const int key = turn == 0 ? -test_rank : (test_rank + turn) % test_size;
  MPI_Comm_split(MPI_COMM_WORLD, 0, key, &comm);
  return comm;
}

/* Real k of a rank: sizes differ widely, and most of the sum cancels. */
static double real_of(int rank, int k)
{
  const double size = ldexp(random_number((uint64_t)rank + 1, (uint64_t)k) - 0.5, k % 3 ? 0 : 90);
  return rank == test_size - 1 && test_size > 1 ? -0.75 * real_of(0, k) : size;
}

/* Real k of the first `ranks` ranks, summed. */
static double sum_of_first(int ranks, int k)
{
  double parts[MOST_RANKS];
  for (int r = 0; r < ranks; r++) parts[r] = real_of(r, k);
  return reference_sum(parts, (size_t)ranks);
}

static double sum_of(int k)
{
  return sum_of_first(test_size, k);
}

static void fill_reals(double *reals)
{
  for (int k = 0; k < MANY; k++) reals[k] = real_of(test_rank, k);
}

static void check(const double *sums, int n)
{
  for (int k = 0; k < n; k++) assert_true(sums[k] == sum_of(k));
}

TEST(large_terms_may_cancel)
{
  const double terms[] = {1e16, 1, -1e16};
  for (int turn = 0; turn < 3; turn++) {
    const int which = (test_rank + turn) % test_size;
    double sums[MANY];
    for (int k = 0; k < MANY; k++) sums[k] = which < 3 ? terms[which] : 0;
    for (int n = 1; n <= MANY; n += MANY - 1) {
      double copy[MANY];
      memcpy(copy, sums, sizeof copy);
      MPI_Allreduce(MPI_IN_PLACE, copy, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      for (int k = 0; k < n; k++) assert_true(copy[k] == (test_size == 2 ? 1e16 + 1 : 1));
    }
  }
}

TEST(every_count_and_order_of_ranks_has_the_same_sums)
{
  double reals[MANY], sums[MANY];
  fill_reals(reals);
  for (int turn = 0; turn < 3; turn++) {
    SCOPED(MPI_Comm_free) MPI_Comm comm = reordered(turn);
    for (int n = 0; n <= MANY; n += 7) {
      memset(sums, 0, sizeof sums);
      MPI_Allreduce(reals, sums, n, MPI_DOUBLE, MPI_SUM, comm);
      check(sums, n);
      for (int k = n; k < MANY; k++) assert_true(sums[k] == 0);
    }
    memcpy(sums, reals, sizeof sums);
    MPI_Allreduce(MPI_IN_PLACE, sums, MANY, MPI_DOUBLE, MPI_SUM, comm);
    check(sums, MANY);
  }
}

TEST(reductions_to_one_rank_are_exact)
{
  double reals[MANY], sums[MANY];
  fill_reals(reals);
  for (int root = 0; root < test_size; root++) {
    const bool receives = test_rank == root;
    MPI_Reduce(reals, receives ? sums : NULL, MANY, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (receives) check(sums, MANY);
    memcpy(sums, reals, sizeof sums);
    MPI_Reduce(receives ? MPI_IN_PLACE : sums, sums, MANY, MPI_DOUBLE, MPI_SUM, root,
               MPI_COMM_WORLD);
    if (receives) check(sums, MANY);
    if (!receives) assert_memory_equal(sums, reals, sizeof sums);
  }
}

TEST(scans_are_exact)
{
  double reals[MANY], sums[MANY];
  fill_reals(reals);
  MPI_Scan(reals, sums, MANY, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < MANY; k++) assert_true(sums[k] == sum_of_first(test_rank + 1, k));
  memcpy(sums, reals, sizeof sums);
  MPI_Exscan(MPI_IN_PLACE, sums, MANY, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < MANY && test_rank > 0; k++) {
    assert_true(sums[k] == sum_of_first(test_rank, k));
  }
  if (test_rank == 0) assert_memory_equal(sums, reals, sizeof sums);
}

/* Rank r has `count[r]` sums; one rank may have none. */
static void check_scattered(const int *count)
{
  double reals[MANY], sums[MANY];
  int first = 0;
  for (int r = 0; r < test_rank; r++) first += count[r];
  for (int in_place = 0; in_place < 2; in_place++) {
    fill_reals(reals);
    memcpy(sums, reals, sizeof sums);
    MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : reals, sums, count, MPI_DOUBLE, MPI_SUM,
                       MPI_COMM_WORLD);
    for (int k = 0; k < count[test_rank]; k++) assert_true(sums[k] == sum_of(first + k));
  }
}

TEST(scattered_sums_are_exact)
{
  enum { EACH = 15 };
  int count[MOST_RANKS];
  double reals[MANY], sums[MANY];
  for (int turn = 0; turn < test_size; turn++) {
    for (int r = 0; r < test_size; r++) count[r] = (r + turn) % test_size * EACH;
    check_scattered(count);
  }
  fill_reals(reals);
  MPI_Reduce_scatter_block(reals, sums, EACH, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < EACH; k++) assert_true(sums[k] == sum_of(test_rank * EACH + k));
  MPI_Reduce_scatter_block(MPI_IN_PLACE, reals, EACH, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert_memory_equal(reals, sums, EACH * sizeof *sums);
}

/* Many are in flight, and completed in several ways, in another order. */
TEST(nonblocking_sums_are_exact)
{
  enum { SUMS = 12 };
  static double reals[MANY], sums[SUMS][MANY];
  MPI_Request requests[SUMS];
  int index, flag = 0;
  fill_reals(reals);
  for (int s = 0; s < SUMS; s++) {
    const int root = s % test_size;
    if (s % 3 == 0) {
      MPI_Ireduce(reals, test_rank == root ? sums[s] : NULL, MANY, MPI_DOUBLE, MPI_SUM, root,
                  MPI_COMM_WORLD, &requests[s]);
    } else if (s % 3 == 1) {
      memcpy(sums[s], reals, sizeof reals);
      MPI_Iallreduce(MPI_IN_PLACE, sums[s], MANY, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                     &requests[s]);
    } else {
      MPI_Iallreduce(reals, sums[s], MANY, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[s]);
    }
  }
  MPI_Wait(&requests[SUMS - 1], MPI_STATUS_IGNORE);
  while (!flag) MPI_Test(&requests[SUMS - 2], &flag, MPI_STATUS_IGNORE);
  MPI_Waitany(SUMS, requests, &index, MPI_STATUS_IGNORE);
  assert_true(requests[index] == MPI_REQUEST_NULL);
  MPI_Waitall(SUMS, requests, MPI_STATUSES_IGNORE);
  for (int s = 0; s < SUMS; s++) {
    if (s % 3 || test_rank == s % test_size) check(sums[s], MANY);
  }
}

TEST(a_begin_waits_for_no_rank)
{
  double one = 1, sum = 0;
  int token = 0;
  MPI_Request request;
  if (test_rank == 0) {
    for (int k = 1; k < test_size; k++) {
      MPI_Recv(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  if (test_rank > 0) MPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_true(sum == test_size);
}

/* One rounding, not a first one to a double: 1 + 2^-24 is halfway between two floats. */
TEST(floats_are_rounded_once)
{
  static const float terms[] = {1, 0x1p-24f, 0x1p-80f};
  static const float mirrored[] = {-1, -0x1p-24f, 0x1p-80f};
  if (test_size != 3) skip();
  float two[2] = {terms[test_rank], mirrored[test_rank]};
  MPI_Allreduce(MPI_IN_PLACE, two, 2, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  assert_true(two[0] == 1 + FLT_EPSILON);
  assert_true(two[1] == -1);
}

/* Few and many doubles take other messages. */
TEST(unusual_sums_are_as_in_plain_sums)
{
  enum { N = 7, COPIES = 3 };
  const bool first = test_rank == 0;
  const double one[N] = {first ? INFINITY : 1,
                         first ? INFINITY : -INFINITY,
                         first ? NAN : 1,
                         first ? -INFINITY : 1,
                         DBL_MAX,
                         first ? 0x1p-1074 : 0,
                         -0.0};
  double d[COPIES * N];
  for (int copies = 1; copies <= COPIES; copies += 2) {
    for (int k = 0; k < copies * N; k++) d[k] = one[k % N];
    MPI_Allreduce(MPI_IN_PLACE, d, copies * N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (const double *s = d; s < d + (ptrdiff_t)copies * N; s += N) {
      assert_true(s[0] == INFINITY && isnan(s[1]) && isnan(s[2]) && s[3] == -INFINITY);
      assert_true(s[4] == INFINITY && s[5] == 0x1p-1074 && s[6] == 0);
    }
  }
  float f[] = {first ? INFINITY : 1, first ? INFINITY : -INFINITY, FLT_MAX, first ? 0x1p-149f : 0};
  MPI_Allreduce(MPI_IN_PLACE, f, 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  assert_true(f[0] == INFINITY && isnan(f[1]) && f[2] == INFINITY && f[3] == 0x1p-149f);
}

TEST(complex_sums_are_exact_in_both_parts)
{
  double parts[2] = {real_of(test_rank, 0), real_of(test_rank, 1)}, sums[2];
  MPI_Allreduce(parts, sums, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  check(sums, 2);
}

TEST(other_operations_and_types_stay)
{
  double most = test_rank;
  int sum = test_rank;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert_true(most == test_size - 1);
  assert_int_equal(sum, test_size * (test_size - 1) / 2);
  sum = 1;
  MPI_Scan(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert_int_equal(sum, test_rank + 1);
}

TEST(errors_are_those_of_the_mpi_and_sums_go_on)
{
  double reals[2] = {1, 2}, sums[2];
  SCOPED(MPI_Comm_free) MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
#ifndef MPICH_VERSION /* that of Debian does not check arguments */
  assert_int_not_equal(MPI_Allreduce(reals, sums, -1, MPI_DOUBLE, MPI_SUM, comm), MPI_SUCCESS);
  assert_int_not_equal(MPI_Reduce(reals, sums, 2, MPI_DOUBLE, MPI_SUM, test_size, comm),
                       MPI_SUCCESS);
#endif
  assert_int_equal(MPI_Allreduce(reals, sums, 2, MPI_DOUBLE, MPI_SUM, comm), MPI_SUCCESS);
  assert_true(sums[1] == 2 * test_size);
}
