/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that cannot be made: the same errors on all ranks. */
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>

/* Arguments of the calls. */
static double data[64];

TEST(bad_specs_are_errors_on_all_ranks)
{
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "did you mean 'nbc'", "nbd");
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "'ways'", "nbc:way=2");
  assert_no_collective(barrier, OVK_ERR_ARG, "1 to 7", "nbc:ways=8");
  assert_no_collective(barrier, OVK_ERR_ARG, "levels", "nbc:levels=1");
  assert_no_collective(barrier, OVK_ERR_ARG, "'shm'", "nbc:channel=smh");
  assert_no_collective(barrier, OVK_ERR_ARG, "", "nbc:");
  assert_no_collective(barrier, OVK_ERR_ARG, "decorate", "nbc|nbc");
  assert_no_collective(bcast, OVK_ERR_ARG, "ring", "nbc:alg=ring", data, 1, 8, 0);
  assert_no_collective(scan, OVK_ERR_UNKNOWN, "'alg'", "nbc:alg=tree", data, data, 1,
                       OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_no_collective(alltoall, OVK_ERR_ARG, "window", "nbc:window=0", data, data + 32, 1, 8);
  assert_no_collective(allgather, OVK_ERR_UNKNOWN, "it takes: flat, ring, bruck", "nbc:alg=tree",
                       data, data, 1, 8);
  assert_no_collective(allgather, OVK_ERR_ARG, "belongs to alg=flat", "nbc:alg=ring,window=2", data,
                       data, 1, 8);
}

/* Arguments that are invalid on one rank only. */
TEST(bad_arguments_on_one_rank_are_errors_on_all)
{
  const bool here = is_last();
  scoped_array int *counts = new_memory((size_t)test_size * sizeof *counts);
  scoped_array int64_t *offsets = new_memory((size_t)test_size * sizeof *offsets);
  for (int k = 0; k < test_size; k++) counts[k] = 1, offsets[k] = k;
  ovk_collective *none = NULL;
  assert_error(ovk_collective_create_barrier(test_ctx(), NULL, here ? NULL : &none), OVK_ERR_ARG,
               "out is NULL");
  assert_no_collective(bcast, OVK_ERR_ARG, "-3 items", NULL, data, here ? -3 : 1, 8, 0);
  assert_no_collective(bcast, OVK_ERR_ARG, "0 bytes", NULL, data, 1, here ? 0 : 8, 0);
  assert_no_collective(bcast, OVK_ERR_ARG, "the root is", NULL, data, 1, 8, here ? test_size : 0);
  assert_no_collective(bcast, OVK_ERR_ARG, "the root is -1", NULL, data, 1, 8, here ? -1 : 0);
  assert_no_collective(bcast, OVK_ERR_ARG, "is NULL", NULL, here ? NULL : data, 1, 8, 0);
  assert_no_collective(scan, OVK_ERR_ARG, "the buffer to send is NULL", NULL, here ? NULL : data,
                       data, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_no_collective(scan, OVK_ERR_ARG, "for type 70", NULL, data, data, 1,
                       here ? (ovk_type)70 : OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_no_collective(scan, OVK_ERR_ARG, "operation 90 is not defined", NULL, data, data, 1,
                       OVK_TYPE_DOUBLE, here ? (ovk_op)90 : OVK_OP_SUM);
  assert_no_collective(scan, OVK_ERR_ARG, "for type 0", NULL, data, data, 1, OVK_TYPE_DOUBLE,
                       here ? OVK_OP_BAND : OVK_OP_SUM);
  assert_no_collective(alltoall, OVK_ERR_ARG, "are the same", NULL, data, here ? data : data + 32,
                       1, 8);
  assert_no_collective(allgatherv, OVK_ERR_ARG, "NULL", NULL, data, data, here ? NULL : counts,
                       NULL, 8);
  if (here) counts[0] = -1;
  assert_no_collective(allgatherv, OVK_ERR_ARG, "rank 0 is -1", NULL, data, data, counts, NULL, 8);
  counts[0] = 1;
  if (here) offsets[0] = -1;
  assert_no_collective(allgatherv, OVK_ERR_ARG, "offset -1", NULL, data, data, counts, offsets, 8);
  if (here) offsets[0] = INT64_MAX;
  assert_no_collective(allgatherv, OVK_ERR_ARG, "too far", NULL, data, data, counts, offsets, 8);
  assert_no_collective(gather, OVK_ERR_ARG, "the buffer to receive is NULL", NULL, data,
                       here ? NULL : data, 1, 8, test_size - 1);
}

TEST(what_must_be_the_same_on_all_ranks_is_compared)
{
  if (test_size == 1) skip();
  ovk_ctx *ctx = test_ctx();
  const char *const different = "different collective operations";
  assert_no_collective(barrier, OVK_ERR_ARG, "different specs", is_last() ? "nbc:ways=2" : "nbc");
  assert_no_collective(bcast, OVK_ERR_ARG, different, NULL, data, is_last() ? 2 : 1, 8, 0);
  assert_no_collective(bcast, OVK_ERR_ARG, different, NULL, data, 1, is_last() ? 4 : 8, 0);
  assert_no_collective(bcast, OVK_ERR_ARG, different, NULL, data, 1, 8, is_last() ? 1 : 0);
  assert_no_collective(scan, OVK_ERR_ARG, different, NULL, data, data, 1,
                       is_last() ? OVK_TYPE_INT64 : OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_no_collective(scan, OVK_ERR_ARG, different, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                       is_last() ? OVK_OP_MAX : OVK_OP_SUM);
  ovk_collective *none = NULL;
  assert_error(is_last() ? ovk_collective_create_barrier(ctx, NULL, &none)
                         : ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                                      OVK_OP_SUM, &none),
               OVK_ERR_ARG, different);
}

TEST(what_is_sent_must_be_expected)
{
  const int last = test_size - 1;
  char said[96];
  scoped_array int *ones = new_memory((size_t)test_size * sizeof *ones),
                   *odd = new_memory((size_t)test_size * sizeof *odd);
  for (int k = 0; k < test_size; k++) ones[k] = odd[k] = 1;
  odd[0] = 3; /* on the last rank, where it is used */
  const int *counts = is_last() ? odd : ones;
  snprintf(said, sizeof said, "rank %d sends 2 items to rank 0, which expects 1", last);
  assert_no_collective(gatherv, OVK_ERR_ARG, said, NULL, data, is_last() ? 2 : 1, data + 32, ones,
                       NULL, 8, 0);
  snprintf(said, sizeof said, "rank 0 sends 1 items to rank %d, which expects 2", last);
  assert_no_collective(scatterv, OVK_ERR_ARG, said, NULL, data, ones, NULL, data + 32,
                       is_last() ? 2 : 1, 8, 0);
  snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", last);
  assert_no_collective(alltoallv, OVK_ERR_ARG, said, NULL, data, counts, NULL, data + 32, ones,
                       NULL, 8);
  snprintf(said, sizeof said, "rank 0 sends 1 items to rank %d, which expects 3", last);
  assert_no_collective(alltoallv, OVK_ERR_ARG, said, NULL, data, ones, NULL, data + 32, counts,
                       NULL, 8);
  if (test_size > 1) {
    assert_no_collective(allgatherv, OVK_ERR_ARG, said, NULL, data, data + 32, counts, NULL, 8);
    snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", last);
    assert_no_collective(reduce_scatter, OVK_ERR_ARG, said, NULL, data, data + 32, counts,
                         OVK_TYPE_DOUBLE, OVK_OP_SUM);
  }
}
