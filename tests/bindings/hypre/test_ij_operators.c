/* SPDX-License-Identifier: BSD-2-Clause */
/* The operators of the gallery against those of the hypre program ij, by their entries and by the
 * iterations of conjugate gradients with the Jacobi preconditioner. */
#include "hypre_case.h"
#include "support/problem.h"

#include <HYPRE_parcsr_ls.h>

TEST_GROUP(open_hypre, close_hypre)

static const int boxes[][3] = {{6, 5, 4}, {7, 1, 6}, {30, 1, 1}, {1, 1, 30}};
enum { BOXES = sizeof boxes / sizeof boxes[0] };

/* The operator as ij makes it, for ranks one above the other in z: it chooses the diagonal. */
static HYPRE_ParCSRMatrix generate(const int n[3], int points)
{
  const HYPRE_BigInt x = n[0], y = n[1], z = (HYPRE_BigInt)n[2] * test_size;
  if (points == 27) {
    double value[2] = {26, -1};
    if (x == 1 || y == 1 || z == 1) value[0] = 8;
    if (x * y == 1 || x * z == 1 || y * z == 1) value[0] = 2;
    return GenerateLaplacian27pt(MPI_COMM_WORLD, x, y, z, 1, 1, test_size, 0, 0, test_rank, value);
  }
  double value[4] = {0, -1, -1, -1};
  if (x > 1) value[0] += 2;
  if (y > 1) value[0] += 2;
  if (z > 1) value[0] += 2;
  return GenerateLaplacian(MPI_COMM_WORLD, x, y, z, 1, 1, test_size, 0, 0, test_rank, value);
}

/* Each of our entries is in the hypre row, which has no other entries. */
static ovk_err compare_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                           const double *val)
{
  HYPRE_ParCSRMatrix *theirs = arg;
  HYPRE_Int size = 0;
  HYPRE_BigInt *columns = NULL;
  double *values = NULL;
  assert_hypre(HYPRE_ParCSRMatrixGetRow(*theirs, (HYPRE_BigInt)i, &size, &columns, &values));
  assert_int_equal(size, n);
  for (ovk_lidx k = 0; k < n; k++) {
    int at = 0;
    while (at < size && columns[at] != (HYPRE_BigInt)col[k]) at++;
    assert_in_range(at, 0, size - 1);
    assert_true(values[at] == val[k]);
  }
  assert_hypre(HYPRE_ParCSRMatrixRestoreRow(*theirs, (HYPRE_BigInt)i, &size, &columns, &values));
  return OVK_OK;
}

static int iterations_by_ovk(hypre_case *c)
{
  const ovk_solver_opts opts = solver_opts(.method = "cg", .rtol = 1e-7);
  hypre_case_clear(c);
  scoped_precond *M = new_precond(c->A, "jacobi");
  return solve_alike(c->A, M, c->b, c->x, &opts).iterations;
}

TEST(operators_are_those_of_hypres_program_and_take_as_many_iterations)
{
  const int grid[3] = {1, 1, test_size};
  for (int k = 0; k < 2 * BOXES; k++) {
    const int *n = boxes[k / 2], points = k % 2 ? 27 : 7;
    ovk_mat *A = NULL;
    assert_ok((points == 27 ? ovk_gallery_laplace27 : ovk_gallery_laplace7)(test_ctx(), n, grid,
                                                                            NULL, &A));
    scoped_hypre_case c = hypre_case_of(A);
    HYPRE_ParCSRMatrix theirs = generate(n, points);
    assert_ok(ovk_mat_for_each_row(A, compare_row, &theirs));
    const HYPRE_Int iterations = hypre_case_pcg(&c, theirs, &hypre_diag_scale, 1, 1e-7).iterations;
    assert_true(iterations > 1);
    assert_int_equal(iterations_by_ovk(&c), iterations);
    assert_hypre(HYPRE_ParCSRMatrixDestroy(theirs));
  }
}
