/* SPDX-License-Identifier: BSD-2-Clause */
#include "diffusion.h"
#include "support/problem.h"

double constant(int direction, const int at[3])
{
  return 1;
}

double stretched(int direction, const int at[3])
{
  return direction == 0 ? 100 : 1;
}

/* The harmonic mean of the coefficients of two points. */
double jumping(int direction, const int at[3])
{
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    int p[3] = {at[0], at[1], at[2]};
    p[direction] += k;
    const uint64_t number = (uint64_t)(p[0] + 100 * (p[1] + 100 * p[2]));
    sum += random_number(9, number) < 0.5 ? 1 : 1e-6;
  }
  return 2 / sum;
}

static void add_edge(ovk_mat *A, ovk_gidx row, ovk_gidx other, double value)
{
  assert_ok(ovk_mat_add(A, row, row, value));
  if (other >= 0) assert_ok(ovk_mat_add(A, row, other, -value));
}

void fill_diffusion(ovk_mat *A, int n, coefficient_fn *coefficient)
{
  const int stride[3] = {1, n, n * n};
  const int first = (int)ovk_mat_row_begin(A), end = first + ovk_mat_local_size(A);
  for (int row = first; row < end; row++) {
    for (int d = 0; d < 3; d++) {
      int at[3] = {row % n, row / n % n, row / (n * n)};
      add_edge(A, row, at[d] + 1 < n ? row + stride[d] : -1, coefficient(d, at));
      at[d]--;
      add_edge(A, row, at[d] >= 0 ? row - stride[d] : -1, coefficient(d, at));
    }
  }
  assert_ok(ovk_mat_assemble(A));
}

ovk_mat *new_diffusion(ovk_ctx *ctx, int n, coefficient_fn *coefficient)
{
  const int rows = n * n * n;
  ovk_mat *A;
  assert_ok(ovk_mat_create(ctx, even_share(rows, ovk_ctx_rank(ctx), ovk_ctx_size(ctx)), &A));
  fill_diffusion(A, n, coefficient);
  return A;
}
