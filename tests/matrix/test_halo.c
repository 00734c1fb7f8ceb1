/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange: both ways to move rows give the same bits; OVK_HALO chooses. */
#include "support/matrices.h"
#include "support/test_main.h"

#include <stdlib.h>
#include <string.h>

/* A context made while rank 0 had OVK_HALO set to `value`; NULL: had not. */
static ovk_ctx *make_ctx(const char *value)
{
  const char *had = getenv("OVK_HALO");
  char *kept = had ? strdup(had) : NULL;
  ovk_ctx *ctx = NULL;
  if (test_rank == 0 && value) {
    setenv("OVK_HALO", value, 1);
  } else {
    unsetenv("OVK_HALO");
  }
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  if (kept) setenv("OVK_HALO", kept, 1);
  if (!kept) unsetenv("OVK_HALO");
  free(kept);
  return ctx;
}

/* The product, applied several times to a vector, of the matrix of a grid, or of a full matrix
 * where ranks have 0, 1, 2, ... rows; the rows of all ranks, to be freed. */
static double *products(const char *value, bool dense, ovk_lidx *nrows)
{
  enum { N = 20, TIMES = 3 };
  const int n[3] = {3, 4, 5}, grid[3] = {1, 1, test_size};
  ovk_ctx *ctx = make_ctx(value);
  double *all = dense ? random_spd(N, 10, 7) : NULL;
  ovk_mat *A = NULL;
  ovk_vec *x = NULL, *y = NULL;
  if (dense) {
    const ovk_lidx rest = N - (test_size - 1) * (test_size - 2) / 2;
    A = distribute(ctx, all, N, test_rank == test_size - 1 ? rest : test_rank);
  } else {
    assert_int_equal(ovk_gallery_laplace27(ctx, n, grid, NULL, &A), OVK_OK);
  }
  assert_int_equal(ovk_mat_create_vec(A, &x), OVK_OK);
  assert_int_equal(ovk_vec_duplicate(x, &y), OVK_OK);
  *nrows = ovk_vec_local_size(x);
  for (ovk_lidx i = 0; i < *nrows; i++) {
    ovk_vec_array(x)[i] = random_number((uint64_t)test_rank, (uint64_t)i);
  }
  for (int k = 0; k < TIMES; k++) {
    assert_int_equal(ovk_mat_mult(A, x, y, ovk_poll_none()), OVK_OK);
    memcpy(ovk_vec_array(x), ovk_vec_array(y), (size_t)*nrows * sizeof(double));
  }
  double *result = malloc((size_t)(*nrows + 1) * sizeof *result);
  assert_non_null(result);
  memcpy(result, ovk_vec_array(y), (size_t)*nrows * sizeof *result);
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&y);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  free(all);
  return result;
}

static void both_ways_give_the_same_bits(void **state)
{
  (void)state;
  static const char *const values[] = {"p2p",
                                       "nbc",
                                       "nbc:window=1",
                                       "nbc:window=6",
                                       "verbs:device=emulated",
                                       "verbs:device=emulated,window=1"};
  for (int dense = 0; dense < 2; dense++) {
    ovk_lidx n;
    double *expected = products(NULL, dense, &n);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      double *result = products(values[k], dense, &n);
      assert_memory_equal(result, expected, (size_t)n * sizeof *result);
      free(result);
    }
    free(expected);
  }
}

static void what_is_no_halo_exchange_is_an_error_of_assembly(void **state)
{
  (void)state;
  static const struct {
    const char *value;
    ovk_err err;
    const char *said;
  } list[] = {
      {"rdma", OVK_ERR_UNKNOWN, "unknown halo exchange 'rdma'; there are: p2p, nbc"},
      {"nbd", OVK_ERR_UNKNOWN, "did you mean 'nbc'?"},
      {"p2p:window=2", OVK_ERR_UNKNOWN, "window"},
      {"nbc:widow=2", OVK_ERR_UNKNOWN, "did you mean 'window'?"},
      {"nbc:window=0", OVK_ERR_ARG, "window"},
      {"nbc:", OVK_ERR_ARG, ""},
      {"verbs:device=emulated,widow=2", OVK_ERR_UNKNOWN, "did you mean 'window'?"},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    ovk_ctx *ctx = make_ctx(list[k].value);
    ovk_mat *A = NULL;
    assert_int_equal(ovk_mat_create(ctx, 2, &A), OVK_OK);
    assert_int_equal(ovk_mat_assemble(A), list[k].err);
    if (!strstr(ovk_ctx_error(ctx), list[k].said)) fail_msg("it said: %s", ovk_ctx_error(ctx));
    ovk_mat_destroy(&A);
    ovk_ctx_destroy(&ctx);
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_give_the_same_bits),
      cmocka_unit_test(what_is_no_halo_exchange_is_an_error_of_assembly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
