/* SPDX-License-Identifier: BSD-2-Clause */
#include "precond/amg/truss.h"
#include "precond/precond_case.h"

int truss_share(const ovk_ctx *ctx, int n)
{
  return DIM * even_share(n * n * n, ovk_ctx_rank(ctx), ovk_ctx_size(ctx));
}

/* Adds to point `row` the block of a spring to a point at this distance; `other` is -1 for a wall.
 */
static void add_spring(ovk_mat *A, ovk_gidx row, ovk_gidx other, const int to[DIM],
                       double stiffness)
{
  const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
  for (int i = 0; i < DIM; i++) {
    for (int j = 0; j < DIM; j++) {
      const double value = stiffness * to[i] * to[j] / square;
      assert_ok(ovk_mat_add(A, DIM * row + i, DIM * row + j, value));
      if (other >= 0) assert_ok(ovk_mat_add(A, DIM * row + i, DIM * other + j, -value));
    }
  }
}

static int point_number(int n, const int at[DIM])
{
  return at[0] + n * (at[1] + n * at[2]);
}

/* The springs of a point to its 26 neighbors, and to the wall below the lattice if it has one. */
static void add_point(ovk_mat *A, int n, int point, bool wall, double stiffness)
{
  for (int k = 0; k < 27; k++) {
    const int to[DIM] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const int at[DIM] = {point % n + to[0], point / n % n + to[1], point / (n * n) + to[2]};
    const bool inside = at[0] >= 0 && at[0] < n && at[1] >= 0 && at[1] < n && at[2] < n;
    if (k == 13 || !inside || (at[2] < 0 && !wall)) continue;
    add_spring(A, point, at[2] < 0 ? -1 : point_number(n, at), to, stiffness);
  }
}

void fill_truss(ovk_mat *A, int n, bool wall, double stiffness)
{
  for (ovk_gidx p = ovk_mat_row_begin(A) / DIM; p < ovk_mat_row_end(A) / DIM; p++) {
    add_point(A, n, (int)p, wall, stiffness);
  }
  assert_ok(ovk_mat_assemble(A));
}

ovk_mat *new_loose_truss(ovk_ctx *ctx, int n, bool wall, int split)
{
  const int last = ovk_ctx_size(ctx) - 1, rank = ovk_ctx_rank(ctx);
  const int more = last == 0 ? 0 : rank == 0 ? split : rank == last ? -split : 0;
  ovk_mat *A;
  assert_ok(ovk_mat_create(ctx, truss_share(ctx, n) + more, &A));
  fill_truss(A, n, wall, 1);
  return A;
}

ovk_mat *new_truss(ovk_ctx *ctx, int n, bool wall, bool coordinates)
{
  ovk_mat *A = new_loose_truss(ctx, n, wall, 0);
  assert_ok(ovk_mat_set_block_size(A, DIM));
  scoped_array double *xyz = calloc((size_t)ovk_mat_local_size(A) + 1, sizeof *xyz);
  assert_non_null(xyz);
  for (ovk_lidx i = 0; i < ovk_mat_local_size(A); i++) {
    const int point = (int)(ovk_mat_row_begin(A) + i) / DIM;
    const int at[DIM] = {point % n, point / n % n, point / (n * n)};
    xyz[i] = at[i % DIM];
  }
  if (coordinates) assert_ok(ovk_mat_set_coordinates(A, DIM, xyz));
  return A;
}
