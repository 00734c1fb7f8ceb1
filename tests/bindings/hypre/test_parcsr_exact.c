/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvkSetExact(solver, "all"): x has the bits of a solve on one rank. */
#include "hypre_case.h"

enum { WIDTH = 7, ROWS = WIDTH * 11, MOST_ENTRIES = 5 };

TEST_GROUP(open_hypre, close_hypre)

/* Row i of a 5-point operator with other values in each row; returns its number of entries. */
static HYPRE_Int row_of(HYPRE_BigInt i, HYPRE_BigInt *col, double *val)
{
  const HYPRE_BigInt neighbor[] = {i - WIDTH, i % WIDTH ? i - 1 : -1, i,
                                   (i + 1) % WIDTH ? i + 1 : -1, i + WIDTH};
  HYPRE_Int n = 0;
  for (int k = 0; k < MOST_ENTRIES; k++) {
    const HYPRE_BigInt j = neighbor[k];
    if (j < 0 || j >= ROWS) continue;
    col[n] = j;
    val[n++] = i == j ? 5 + 1. / (double)(i + 1) : -1 + 1. / (double)(i + j + 3);
  }
  return n;
}

static HYPRE_IJMatrix new_matrix(MPI_Comm comm, HYPRE_BigInt first, HYPRE_BigInt end)
{
  HYPRE_IJMatrix A;
  assert_hypre(HYPRE_IJMatrixCreate(comm, first, end - 1, first, end - 1, &A));
  assert_hypre(HYPRE_IJMatrixSetObjectType(A, HYPRE_PARCSR));
  assert_hypre(HYPRE_IJMatrixInitialize(A));
  for (HYPRE_BigInt i = first; i < end; i++) {
    HYPRE_BigInt col[MOST_ENTRIES];
    double val[MOST_ENTRIES];
    HYPRE_Int n = row_of(i, col, val);
    assert_hypre(HYPRE_IJMatrixSetValues(A, 1, &n, &i, col, val));
  }
  assert_hypre(HYPRE_IJMatrixAssemble(A));
  return A;
}

/* The vector 1 / (i + scale), or 0 for a scale of 0. */
static HYPRE_IJVector new_vector(MPI_Comm comm, HYPRE_BigInt first, HYPRE_BigInt end, int scale)
{
  HYPRE_IJVector v;
  assert_hypre(HYPRE_IJVectorCreate(comm, first, end - 1, &v));
  assert_hypre(HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR));
  assert_hypre(HYPRE_IJVectorInitialize(v));
  for (HYPRE_BigInt i = first; i < end; i++) {
    const double value = scale ? 1. / (double)(i + scale) : 0;
    assert_hypre(HYPRE_IJVectorSetValues(v, 1, &i, &value));
  }
  assert_hypre(HYPRE_IJVectorAssemble(v));
  return v;
}

/* The rows from `first` to end - 1 of the x of a solve over `comm`. */
static void solve_over(MPI_Comm comm, HYPRE_BigInt first, HYPRE_BigInt end, const char *method,
                       const char *precond, double x[ROWS])
{
  void *A, *b, *to;
  HYPRE_Solver solver;
  HYPRE_IJMatrix ij = new_matrix(comm, first, end);
  HYPRE_IJVector ij_b = new_vector(comm, first, end, 3), ij_x = new_vector(comm, first, end, 0);
  assert_hypre(HYPRE_IJMatrixGetObject(ij, &A));
  assert_hypre(HYPRE_IJVectorGetObject(ij_b, &b));
  assert_hypre(HYPRE_IJVectorGetObject(ij_x, &to));
  assert_hypre(HYPRE_ParCSROvkCreate(comm, &solver));
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 1e-10));
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, method));
  assert_hypre(HYPRE_ParCSROvkSetPrecondSpec(solver, precond));
  assert_hypre(HYPRE_ParCSROvkSetExact(solver, "all"));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, A, b, to));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, A, b, to));
  for (HYPRE_BigInt i = first; i < end; i++) {
    assert_hypre(HYPRE_IJVectorGetValues(ij_x, 1, &i, &x[i - first]));
  }
  assert_hypre(HYPRE_ParCSROvkDestroy(solver));
  assert_hypre(HYPRE_IJVectorDestroy(ij_b));
  assert_hypre(HYPRE_IJVectorDestroy(ij_x));
  assert_hypre(HYPRE_IJMatrixDestroy(ij));
}

TEST(every_number_of_ranks_has_the_same_bits)
{
  static const char *const cases[][2] = {
      {"cg", "jacobi"}, {"pipecg", "jacobi"}, {"groppcg", "chebyshev"}, {"cg", "amg"}};
  const HYPRE_BigInt first = (HYPRE_BigInt)ROWS * test_rank / test_size,
                     end = (HYPRE_BigInt)ROWS * (test_rank + 1) / test_size;
  for (int k = 0; k < 4; k++) {
    double all[ROWS], alone[ROWS];
    solve_over(MPI_COMM_WORLD, first, end, cases[k][0], cases[k][1], all);
    solve_over(MPI_COMM_SELF, 0, ROWS, cases[k][0], cases[k][1], alone);
    assert_memory_equal(all, alone + first, (size_t)(end - first) * sizeof *all);
  }
}
