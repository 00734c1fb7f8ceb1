/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreements of ranks that share memory. Collective calls of MPI are counted through the profiling
 * interface, and shm_open() can be made to fail by the linker. */
#include "core/context/agree.h"
#include "core/node/node.h"
#include "support/system/no_shared_memory.h"
#include "support/test_main.h"

static int calls; /* of MPI, since it was set to 0 */

int MPI_Iallreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
  calls++;
  return PMPI_Iallreduce(in, out, n, type, op, comm, request);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  calls++;
  return PMPI_Allreduce(in, out, n, type, op, comm);
}

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
  calls++;
  return PMPI_Reduce(in, out, n, type, op, root, comm);
}

static ovk_ctx *new_node_ctx(void)
{
  ovk_ctx *ctx = NULL;
  ovk__node *node;
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  assert_int_equal(ovk__node_find(ctx, &node), OVK_OK);
  calls = 0;
  return ctx;
}

/* 1, 2, ... on rank 0, 2, 3, ... on rank 1, and so on: the totals of n numbers are right. */
static void check_totals(ovk_ctx *ctx, int n)
{
  enum { MOST = 200 };
  double sums[MOST], most[MOST];
  int64_t counts[MOST];
  for (int k = 0; k < n; k++) sums[k] = most[k] = k + 1 + test_rank;
  for (int k = 0; k < n; k++) counts[k] = k + 1 + test_rank;
  assert_int_equal(ovk__total(ctx, sums, n, MPI_SUM), OVK_OK);
  assert_int_equal(ovk__total(ctx, most, n, MPI_MAX), OVK_OK);
  assert_int_equal(ovk__total_of(ctx, counts, n, MPI_INT64_T, MPI_SUM), OVK_OK);
  for (int k = 0; k < n; k++) {
    const int64_t sum = test_size * (k + 1) + test_size * (test_size - 1) / 2;
    assert_true(sums[k] == (double)sum && counts[k] == sum && most[k] == k + test_size);
  }
}

/* All ranks get the error of the last one. */
static void check_error(ovk_ctx *ctx)
{
  const ovk_err mine =
      is_last() ? ovk_ctx_fail(ctx, OVK_ERR_RANGE, "only here: %d", test_rank) : OVK_OK;
  assert_int_equal(ovk__agree(ctx, mine), OVK_ERR_RANGE);
  assert_non_null(strstr(ovk_ctx_error(ctx), "only here"));
  assert_int_equal(ovk__agree(ctx, OVK_OK), OVK_OK);
}

/* Errors and totals in one sum: the totals are right where no rank has an error. */
static void check_agreed_totals(ovk_ctx *ctx)
{
  int64_t counts[2] = {1, test_rank};
  double most[2] = {-1 - test_rank, test_rank};
  assert_int_equal(ovk__agree_total(ctx, OVK_OK, counts, 2, MPI_INT64_T, MPI_SUM), OVK_OK);
  assert_true(counts[0] == test_size && counts[1] == test_size * (test_size - 1) / 2);
  assert_int_equal(ovk__agree_total(ctx, OVK_OK, most, 2, MPI_DOUBLE, MPI_MAX), OVK_OK);
  assert_true(most[0] == -1 && most[1] == test_size - 1);
  const ovk_err mine = is_last() ? ovk_ctx_fail(ctx, OVK_ERR_RANGE, "only here") : OVK_OK;
  assert_int_equal(ovk__agree_total(ctx, mine, most, 2, MPI_DOUBLE, MPI_MAX), OVK_ERR_RANGE);
  assert_non_null(strstr(ovk_ctx_error(ctx), "only here"));
}

TEST(ranks_that_share_memory_agree_without_mpi)
{
  scoped_ctx *ctx = new_node_ctx();
  for (int k = 0; k < 100; k++) assert_int_equal(ovk__agree(ctx, OVK_OK), OVK_OK);
  for (int n = 1; n < 20; n++) check_totals(ctx, n);
  assert_int_equal(calls, 0);
  check_agreed_totals(ctx);
  check_error(ctx);
}

TEST(more_values_than_a_meeting_takes_are_added_by_mpi)
{
  scoped_ctx *ctx = new_node_ctx();
  check_totals(ctx, 200);
  assert_int_equal(calls > 0, test_size > 1); /* a rank alone has nothing to add */
  check_totals(ctx, 3);
}

/* It is missing on one rank. */
TEST(without_shared_memory_ranks_agree_by_mpi)
{
  no_shared_memory = is_last();
  scoped_ctx *ctx = new_node_ctx();
  no_shared_memory = false;
  assert_string_equal(ovk_ctx_error(ctx), "");
  check_totals(ctx, 3);
  check_agreed_totals(ctx);
  check_error(ctx);
  assert_int_equal(calls > 0, test_size > 1);
}

/* Some ranks come late, others at once to the next meeting. */
TEST(ranks_that_are_late_lose_no_values)
{
  scoped_ctx *ctx = new_node_ctx();
  for (int k = 0; k < 200; k++) {
    for (volatile int wait = 0; wait < 1000 * ((k + test_rank) % 3); wait++) continue;
    double values[2] = {k, test_rank == k % test_size};
    assert_int_equal(ovk__total(ctx, values, 2, MPI_SUM), OVK_OK);
    assert_true(values[0] == k * test_size && values[1] == 1);
  }
}
