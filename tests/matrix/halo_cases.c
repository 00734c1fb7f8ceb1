/* SPDX-License-Identifier: BSD-2-Clause */
#include "halo_cases.h"

/* A context with this OVK_HALO; NULL: none. */
static ovk_ctx *new_halo_ctx(const char *halo)
{
  if (halo) setenv("OVK_HALO", halo, 1);
  ovk_ctx *ctx = new_ctx();
  unsetenv("OVK_HALO");
  return ctx;
}

void for_each_halo(void (*check)(const ovk_mat *A))
{
  enum { N = 30 };
  static const char *const halos[] = {NULL, "p2p", "nbc"};
  const int n[3] = {4, 3, 5}, grid[3] = {1, 1, test_size};
  const ovk_lidx rest = N - (test_size - 1) * (test_size - 2) / 2;
  scoped_array double *dense = random_spd(N, 10, 3);
  for (int h = 0; h < 3; h++) {
    scoped_ctx *ctx = new_halo_ctx(halos[h]);
    scoped_mat *A = distribute(ctx, dense, N, is_last() ? rest : test_rank);
    check(A);
    ovk_mat_destroy(&A);
    assert_int_equal(ovk_gallery_laplace27(ctx, n, grid, NULL, &A), OVK_OK);
    check(A);
  }
}
