/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that cannot be made: the same errors on all ranks. */
#include "support/test_main.h"

#include <ovkrylov/comm/collectives.h>

/* Arguments of the calls. */
static double data[64];
static ovk_collective *none;

TEST(bad_specs_are_errors_on_all_ranks)
{
  ovk_ctx *ctx = test_ctx();
  assert_error(ovk_collective_create_barrier(ctx, "nbd", &none), OVK_ERR_UNKNOWN,
               "did you mean 'nbc'");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:way=2", &none), OVK_ERR_UNKNOWN, "'ways'");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:ways=8", &none), OVK_ERR_ARG, "1 to 7");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:levels=1", &none), OVK_ERR_ARG, "levels");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:channel=smh", &none), OVK_ERR_ARG, "'shm'");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:", &none), OVK_ERR_ARG, "");
  assert_error(ovk_collective_create_barrier(ctx, "nbc|nbc", &none), OVK_ERR_ARG, "decorate");
  assert_error(ovk_collective_create_bcast(ctx, "nbc:alg=ring", data, 1, 8, 0, &none), OVK_ERR_ARG,
               "ring");
  assert_error(ovk_collective_create_scan(ctx, "nbc:alg=tree", data, data, 1, OVK_TYPE_DOUBLE,
                                          OVK_OP_SUM, &none),
               OVK_ERR_UNKNOWN, "'alg'");
  assert_error(ovk_collective_create_alltoall(ctx, "nbc:window=0", data, data + 32, 1, 8, &none),
               OVK_ERR_ARG, "window");
  assert_error(ovk_collective_create_allgather(ctx, "nbc:alg=tree", data, data, 1, 8, &none),
               OVK_ERR_ARG, "allowed are flat and ring");
  assert_error(
      ovk_collective_create_allgather(ctx, "nbc:alg=ring,window=2", data, data, 1, 8, &none),
      OVK_ERR_ARG, "belongs to alg=flat");
  assert_null(none);
}

/* Arguments that are invalid on one rank only. */
TEST(bad_arguments_on_one_rank_are_errors_on_all)
{
  ovk_ctx *ctx = test_ctx();
  const bool here = is_last();
  scoped_array int *counts = malloc((size_t)test_size * sizeof *counts);
  scoped_array int64_t *offsets = malloc((size_t)test_size * sizeof *offsets);
  assert_true(counts && offsets);
  for (int k = 0; k < test_size; k++) counts[k] = 1, offsets[k] = k;
  assert_error(ovk_collective_create_barrier(ctx, NULL, here ? NULL : &none), OVK_ERR_ARG,
               "out is NULL");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, here ? -3 : 1, 8, 0, &none),
               OVK_ERR_ARG, "-3 items");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, here ? 0 : 8, 0, &none), OVK_ERR_ARG,
               "0 bytes");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, 8, here ? test_size : 0, &none),
               OVK_ERR_ARG, "the root is");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, 8, here ? -1 : 0, &none),
               OVK_ERR_ARG, "the root is -1");
  assert_error(ovk_collective_create_bcast(ctx, NULL, here ? NULL : data, 1, 8, 0, &none),
               OVK_ERR_ARG, "is NULL");
  assert_error(ovk_collective_create_scan(ctx, NULL, here ? NULL : data, data, 1, OVK_TYPE_DOUBLE,
                                          OVK_OP_SUM, &none),
               OVK_ERR_ARG, "the buffer to send is NULL");
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1,
                                          here ? (ovk_type)70 : OVK_TYPE_DOUBLE, OVK_OP_SUM, &none),
               OVK_ERR_ARG, "for type 70");
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                          here ? (ovk_op)90 : OVK_OP_SUM, &none),
               OVK_ERR_ARG, "operation 90 is not defined");
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                          here ? OVK_OP_BAND : OVK_OP_SUM, &none),
               OVK_ERR_ARG, "for type 0");
  assert_error(
      ovk_collective_create_alltoall(ctx, NULL, data, here ? data : data + 32, 1, 8, &none),
      OVK_ERR_ARG, "are the same");
  assert_error(
      ovk_collective_create_allgatherv(ctx, NULL, data, data, here ? NULL : counts, NULL, 8, &none),
      OVK_ERR_ARG, "NULL");
  if (here) counts[0] = -1;
  assert_error(ovk_collective_create_allgatherv(ctx, NULL, data, data, counts, NULL, 8, &none),
               OVK_ERR_ARG, "rank 0 is -1");
  counts[0] = 1;
  if (here) offsets[0] = -1;
  assert_error(ovk_collective_create_allgatherv(ctx, NULL, data, data, counts, offsets, 8, &none),
               OVK_ERR_ARG, "offset -1");
  if (here) offsets[0] = INT64_MAX;
  assert_error(ovk_collective_create_allgatherv(ctx, NULL, data, data, counts, offsets, 8, &none),
               OVK_ERR_ARG, "too far");
  assert_error(
      ovk_collective_create_gather(ctx, NULL, data, here ? NULL : data, 1, 8, test_size - 1, &none),
      OVK_ERR_ARG, "the buffer to receive is NULL");
  assert_null(none);
  assert_int_equal(ovk_collective_create_barrier(NULL, NULL, &none), OVK_ERR_ARG);
}

TEST(what_must_be_the_same_on_all_ranks_is_compared)
{
  if (test_size == 1) skip();
  ovk_ctx *ctx = test_ctx();
  const bool here = is_last();
  const char *const different = "different collective operations";
  assert_error(ovk_collective_create_barrier(ctx, here ? "nbc:ways=2" : "nbc", &none), OVK_ERR_ARG,
               "different specs");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, here ? 2 : 1, 8, 0, &none), OVK_ERR_ARG,
               different);
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, here ? 4 : 8, 0, &none), OVK_ERR_ARG,
               different);
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, 8, here ? 1 : 0, &none), OVK_ERR_ARG,
               different);
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1,
                                          here ? OVK_TYPE_INT64 : OVK_TYPE_DOUBLE, OVK_OP_SUM,
                                          &none),
               OVK_ERR_ARG, different);
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                          here ? OVK_OP_MAX : OVK_OP_SUM, &none),
               OVK_ERR_ARG, different);
  assert_error(here ? ovk_collective_create_barrier(ctx, NULL, &none)
                    : ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                                 OVK_OP_SUM, &none),
               OVK_ERR_ARG, different);
  assert_null(none);
}

TEST(what_is_sent_must_be_expected)
{
  ovk_ctx *ctx = test_ctx();
  const bool here = is_last();
  const int last = test_size - 1;
  char said[96];
  scoped_array int *ones = malloc((size_t)test_size * sizeof *ones),
                   *odd = malloc((size_t)test_size * sizeof *odd);
  assert_true(ones && odd);
  for (int k = 0; k < test_size; k++) ones[k] = odd[k] = 1;
  odd[0] = 3; /* on the last rank, where it is used */
  const int *counts = here ? odd : ones;
  snprintf(said, sizeof said, "rank %d sends 2 items to rank 0, which expects 1", last);
  assert_error(ovk_collective_create_gatherv(ctx, NULL, data, here ? 2 : 1, data + 32, ones, NULL,
                                             8, 0, &none),
               OVK_ERR_ARG, said);
  snprintf(said, sizeof said, "rank 0 sends 1 items to rank %d, which expects 2", last);
  assert_error(ovk_collective_create_scatterv(ctx, NULL, data, ones, NULL, data + 32, here ? 2 : 1,
                                              8, 0, &none),
               OVK_ERR_ARG, said);
  snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", last);
  assert_error(ovk_collective_create_alltoallv(ctx, NULL, data, counts, NULL, data + 32, ones, NULL,
                                               8, &none),
               OVK_ERR_ARG, said);
  snprintf(said, sizeof said, "rank 0 sends 1 items to rank %d, which expects 3", last);
  assert_error(ovk_collective_create_alltoallv(ctx, NULL, data, ones, NULL, data + 32, counts, NULL,
                                               8, &none),
               OVK_ERR_ARG, said);
  if (test_size > 1) {
    assert_error(
        ovk_collective_create_allgatherv(ctx, NULL, data, data + 32, counts, NULL, 8, &none),
        OVK_ERR_ARG, said);
    snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", last);
    assert_error(ovk_collective_create_reduce_scatter(ctx, NULL, data, data + 32, counts,
                                                      OVK_TYPE_DOUBLE, OVK_OP_SUM, &none),
                 OVK_ERR_ARG, said);
  }
  assert_null(none);
}
