/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenarios of preconditioners in which memory runs out. */
#include "malloc_scenarios.h"
#include "support/malloc_fail.h"
#include "support/problem.h"

/* 12 points a rank. */
static ovk_err make_grid(ovk_ctx *ctx, ovk_mat **A)
{
  const int n[3] = {3, 2, 2}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  malloc_pause();
  const ovk_err err = ovk_gallery_laplace7(ctx, n, grid, "auto", A);
  malloc_resume();
  return err;
}

/* Also takes new values, by a second setup. */
ovk_err make_precond(ovk_ctx *ctx, const void *spec)
{
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  ovk_err err = make_grid(ctx, &A);
  OVK_CALL(err, ovk_precond_create(A, spec, &M));
  OVK_CALL(err, ovk_precond_update(M));
  return err;
}

/* A line of points on each rank. Each has two unknowns, and their couplings cancel. */
static ovk_err make_points(ovk_ctx *ctx, ovk_mat **A)
{
  enum { POINTS = 4 };
  malloc_pause();
  ovk_err err = ovk_mat_create(ctx, 2 * POINTS, A);
  for (ovk_gidx k = 0; !err && k < POINTS * POINTS; k++) {
    const ovk_gidx p = k / POINTS, q = k % POINTS, first = ovk_mat_row_begin(*A), i = first + 2 * p,
                   j = first + 2 * q, rows[2] = {i, i + 1}, columns[2] = {j, j + 1};
    const double factor = p != q ? -1 : p == 0 || p == POINTS - 1 ? 1 : 2;
    const double own = factor + (p == q), values[4] = {own, factor / 2, factor / 2, own};
    if (p - q > 1 || q - p > 1) continue;
    (void)ovk_mat_add_block(*A, 2, rows, 2, columns, values); /* assembly reports a failure */
  }
  OVK_CALL(err, ovk_mat_assemble(*A));
  malloc_resume();
  return err;
}

/* Points that are found by the preconditioner, and by a copy in another order. */
ovk_err find_points(ovk_ctx *ctx, const void *arg)
{
  scoped_mat *A = NULL, *B = NULL;
  scoped_precond *M = NULL;
  ovk_err err = make_points(ctx, &A);
  OVK_CALL(err, ovk_precond_create(A, "amg", &M));
  OVK_CALL(err, ovk_mat_reorder(A, &B));
  if (!err) assert_non_null(strstr(ovk_precond_info(M), "found 2 unknowns a point"));
  return err;
}
