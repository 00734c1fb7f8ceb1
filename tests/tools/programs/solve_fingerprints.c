/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves a problem in C, and prints the fingerprints that `ovk solve --exact sums` must print for
 * it: those of A, b and x worked out entry by entry, that of the totals as the library has it. */
#include <inttypes.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>
#include <string.h>

/* SplitMix64, after the definition. */
static uint64_t mix(uint64_t n)
{
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t entry(int64_t row, int64_t column, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return mix(bits ^ mix((uint64_t)row ^ mix((uint64_t)column)));
}

static ovk_err add_row(void *sum, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  for (ovk_lidx k = 0; k < n; k++) *(uint64_t *)sum += entry(i, col[k], val[k]);
  return OVK_OK;
}

static uint64_t of_vector(const ovk_vec *v, ovk_gidx first)
{
  uint64_t sum = 0;
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    sum += entry(first + i, 0, ovk_vec_array_const(v)[i]);
  }
  return sum;
}

static void print(ovk_mat *A, const ovk_vec *b, const ovk_vec *x, uint64_t sums)
{
  int rank;
  const ovk_gidx first = ovk_mat_row_begin(A);
  uint64_t all[3] = {0, of_vector(b, first), of_vector(x, first)};
  ovk_mat_for_each_row(A, add_row, &all[0]);
  MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) return;
  printf("A %016" PRIx64 "\nb %016" PRIx64 "\nsums %016" PRIx64 "\nx %016" PRIx64 "\n", all[0],
         all[1], sums, all[2]);
}

int main(void)
{
  const int n[3] = {6, 5, 4};
  int grid[3] = {1, 1, 1};
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_precond *M = NULL;
  ovk_result result = OVK_RESULT;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = "pipecg";
  opts.exact = "sums";
  MPI_Init(NULL, NULL);
  MPI_Comm_size(MPI_COMM_WORLD, &grid[2]);
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  if (!err) err = ovk_gallery_laplace27(ctx, n, grid, NULL, &A);
  if (!err) err = ovk_mat_create_vec(A, &b);
  if (!err) err = ovk_mat_create_vec(A, &x);
  if (!err) err = ovk_vec_fill(b, 1);
  if (!err) err = ovk_precond_create(A, "jacobi", &M);
  if (!err) err = ovk_solve(A, M, b, x, &opts, &result);
  if (!err) print(A, b, x, result.fingerprint);
  ovk_precond_destroy(&M);
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return err != OVK_OK;
}
