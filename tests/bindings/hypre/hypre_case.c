/* SPDX-License-Identifier: BSD-2-Clause */
/* One system, in objects of ovkrylov and of hypre. */
#include "hypre_case.h"

#include <HYPRE_IJ_mv.h>

ovk_err hypre_set_row(void *ij, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  HYPRE_BigInt row = (HYPRE_BigInt)i, cols[32];
  HYPRE_Int entries = n;
  for (ovk_lidx k = 0; k < n; k++) cols[k] = (HYPRE_BigInt)col[k];
  assert_hypre(HYPRE_IJMatrixSetValues(*(const HYPRE_IJMatrix *)ij, 1, &entries, &row, cols, val));
  return OVK_OK;
}

/* The hypre copy of a matrix, through the public interface. */
static HYPRE_IJMatrix copy_matrix(const ovk_mat *A)
{
  HYPRE_IJMatrix ij = NULL;
  const HYPRE_BigInt first = (HYPRE_BigInt)ovk_mat_row_begin(A);
  const HYPRE_BigInt last = first + ovk_mat_local_size(A) - 1;
  assert_hypre(HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &ij));
  assert_hypre(HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR));
  assert_hypre(HYPRE_IJMatrixInitialize(ij));
  assert_ok(ovk_mat_for_each_row(A, hypre_set_row, &ij));
  assert_hypre(HYPRE_IJMatrixAssemble(ij));
  return ij;
}

static HYPRE_IJVector make_vector(const ovk_vec *v, HYPRE_ParVector *par)
{
  HYPRE_IJVector ij = NULL;
  void *object = NULL;
  const HYPRE_BigInt first = (HYPRE_BigInt)ovk_vec_first(v);
  assert_hypre(HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, first + ovk_vec_local_size(v) - 1, &ij));
  assert_hypre(HYPRE_IJVectorSetObjectType(ij, HYPRE_PARCSR));
  assert_hypre(HYPRE_IJVectorInitialize(ij));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    const HYPRE_BigInt row = first + i;
    assert_hypre(HYPRE_IJVectorSetValues(ij, 1, &row, &ovk_vec_array_const(v)[i]));
  }
  assert_hypre(HYPRE_IJVectorAssemble(ij));
  assert_hypre(HYPRE_IJVectorGetObject(ij, &object));
  *par = object;
  return ij;
}

/* As ij does with -rhsrand: its seed, and the norm 1. */
static void fill_randomly(hypre_case *c)
{
  double square = 0;
  assert_hypre(HYPRE_ParVectorSetRandomValues(c->par_b, 22775));
  assert_hypre(HYPRE_ParVectorInnerProd(c->par_b, c->par_b, &square));
  assert_hypre(HYPRE_ParVectorScale(1 / sqrt(square), c->par_b));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(c->b); i++) {
    HYPRE_BigInt row = (HYPRE_BigInt)ovk_vec_first(c->b) + i;
    assert_hypre(HYPRE_IJVectorGetValues(c->ij_b, 1, &row, &ovk_vec_array(c->b)[i]));
  }
}

hypre_case hypre_case_open(void)
{
  const int n[3] = {10, (10 + test_size - 1) / test_size, 10}, grid[3] = {1, test_size, 1};
  ovk_mat *A = NULL;
  assert_ok(ovk_gallery_laplace7(test_ctx(), n, grid, NULL, &A));
  return hypre_case_of(A);
}

hypre_case hypre_case_of(ovk_mat *A)
{
  hypre_case c = {.A = A};
  void *object = NULL;
  assert_ok(ovk_mat_create_vec(c.A, &c.b));
  assert_ok(ovk_mat_create_vec(c.A, &c.x));
  c.ij = copy_matrix(c.A);
  assert_hypre(HYPRE_IJMatrixGetObject(c.ij, &object));
  c.par = object;
  c.ij_b = make_vector(c.b, &c.par_b);
  c.ij_x = make_vector(c.x, &c.par_x);
  fill_randomly(&c);
  return c;
}

void hypre_case_close(hypre_case *c)
{
  assert_hypre(HYPRE_IJVectorDestroy(c->ij_b));
  assert_hypre(HYPRE_IJVectorDestroy(c->ij_x));
  assert_hypre(HYPRE_IJMatrixDestroy(c->ij));
  ovk_vec_destroy(&c->b);
  ovk_vec_destroy(&c->x);
  ovk_mat_destroy(&c->A);
}

void hypre_case_clear(hypre_case *c)
{
  assert_ok(ovk_vec_fill(c->x, 0));
  assert_hypre(HYPRE_ParVectorSetConstantValues(c->par_x, 0));
}

HYPRE_Solver hypre_case_boomeramg(void)
{
  HYPRE_Solver amg = NULL;
  assert_hypre(HYPRE_BoomerAMGCreate(&amg));
  assert_hypre(HYPRE_BoomerAMGSetTol(amg, 0));
  assert_hypre(HYPRE_BoomerAMGSetMaxIter(amg, 1));
  assert_hypre(HYPRE_BoomerAMGSetMaxRowSum(amg, 1));
  return amg;
}

HYPRE_Solver new_ovk_solver(void)
{
  HYPRE_Solver solver = NULL;
  assert_hypre(HYPRE_ParCSROvkCreate(MPI_COMM_WORLD, &solver));
  return solver;
}

void destroy_ovk_solver(HYPRE_Solver *solver)
{
  assert_hypre(HYPRE_ParCSROvkDestroy(*solver));
}

HYPRE_Int iterations_of(HYPRE_Solver solver)
{
  HYPRE_Int iterations = -1;
  assert_hypre(HYPRE_ParCSROvkGetNumIterations(solver, &iterations));
  return iterations;
}

int open_hypre(void **state)
{
  assert_hypre(HYPRE_Init());
  return 0;
}

int open_hypre_and_register(void **state)
{
  open_hypre(state);
  assert_ok(ovk_hypre_register(test_ctx()));
  return 0;
}

int close_hypre(void **state)
{
  (void)HYPRE_Finalize();
  return 0;
}

double hypre_case_residual(hypre_case *c)
{
  double b2, r2;
  HYPRE_ParVector r = NULL;
  HYPRE_IJVector ij = make_vector(c->b, &r);
  assert_hypre(HYPRE_ParVectorCopy(c->par_b, r));
  assert_hypre(HYPRE_ParCSRMatrixMatvec(-1, c->par, c->par_x, 1, r));
  assert_hypre(HYPRE_ParVectorInnerProd(c->par_b, c->par_b, &b2));
  assert_hypre(HYPRE_ParVectorInnerProd(r, r, &r2));
  assert_hypre(HYPRE_IJVectorDestroy(ij));
  return sqrt(r2 / b2);
}

const hypre_precond hypre_diag_scale = {HYPRE_ParCSRDiagScale, HYPRE_ParCSRDiagScaleSetup, NULL};

hypre_outcome hypre_case_pcg(hypre_case *c, HYPRE_ParCSRMatrix A, const hypre_precond *M,
                             HYPRE_Int two_norm, double tolerance)
{
  HYPRE_Solver pcg = NULL;
  hypre_outcome out = {0};
  hypre_case_clear(c);
  assert_hypre(HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg));
  assert_hypre(HYPRE_ParCSRPCGSetTwoNorm(pcg, two_norm));
  assert_hypre(HYPRE_ParCSRPCGSetTol(pcg, tolerance));
  assert_hypre(HYPRE_ParCSRPCGSetPrecond(pcg, M->solve, M->setup, M->solver));
  assert_hypre(HYPRE_ParCSRPCGSetup(pcg, A, c->par_b, c->par_x));
  assert_hypre(HYPRE_ParCSRPCGSolve(pcg, A, c->par_b, c->par_x));
  assert_hypre(HYPRE_ParCSRPCGGetNumIterations(pcg, &out.iterations));
  assert_hypre(HYPRE_ParCSRPCGGetFinalRelativeResidualNorm(pcg, &out.residual));
  assert_hypre(HYPRE_ParCSRPCGDestroy(pcg));
  return out;
}

hypre_outcome hypre_case_solve(hypre_case *c, HYPRE_Int two_norm, double tolerance)
{
  const hypre_precond M = {HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, hypre_case_boomeramg()};
  const hypre_outcome out = hypre_case_pcg(c, c->par, &M, two_norm, tolerance);
  assert_hypre(HYPRE_BoomerAMGDestroy(M.solver));
  return out;
}

hypre_ParVector *hypre_case_components(const hypre_case *c, int components)
{
  hypre_ParCSRMatrix *A = (hypre_ParCSRMatrix *)c->par;
  hypre_ParVector *v =
      hypre_ParMultiVectorCreate(hypre_ParCSRMatrixComm(A), hypre_ParCSRMatrixGlobalNumRows(A),
                                 hypre_ParCSRMatrixRowStarts(A), components);
  assert_hypre(hypre_ParVectorInitialize(v));
  return v;
}

void destroy_components(hypre_ParVector **v)
{
  assert_hypre(hypre_ParVectorDestroy(*v));
}

void assert_flagged(HYPRE_Int flags, HYPRE_Int expected, HYPRE_Solver solver, const char *part)
{
  const char *message = "";
  assert_true(flags & expected);
  (void)HYPRE_ClearAllErrors();
  assert_hypre(HYPRE_ParCSROvkGetMessage(solver, &message));
  if (!strstr(message, part)) fail_msg("'%s' is not in '%s'", part, message);
}
