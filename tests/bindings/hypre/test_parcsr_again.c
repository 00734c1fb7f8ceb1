/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvk...: solves after the first, with other values, without a tolerance, and calls
 * from within one. */
#include "hypre_case.h"
#include "support/problem.h"

/* The values of matrix number `time` of the case, in place. BoomerAMG of hypre, set up for the
 * first values, is no longer definite for much larger ones. */
typedef struct refilling {
  HYPRE_IJMatrix ij;
  int time;
} refilling;

static ovk_err put_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  refilling *f = arg;
  double values[32];
  for (ovk_lidx k = 0; k < n; k++) {
    values[k] = val[k] * (1 - 0.2 * f->time) + (col[k] == i && i % 3 == 0 ? f->time : 0);
  }
  return hypre_set_row(&f->ij, i, n, col, values);
}

static void refill(hypre_case *c, int time)
{
  refilling f = {c->ij, time};
  void *object = NULL;
  assert_hypre(HYPRE_IJMatrixInitialize(c->ij));
  assert_ok(ovk_mat_for_each_row(c->A, put_row, &f));
  assert_hypre(HYPRE_IJMatrixAssemble(c->ij));
  assert_hypre(HYPRE_IJMatrixGetObject(c->ij, &object));
  assert_ptr_equal(object, c->par); /* in place */
}

static HYPRE_Solver open_pcg(hypre_case *c, const hypre_precond *M)
{
  HYPRE_Solver pcg = NULL;
  assert_hypre(HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg));
  assert_hypre(HYPRE_ParCSRPCGSetTwoNorm(pcg, 1));
  assert_hypre(HYPRE_ParCSRPCGSetPrecond(pcg, M->solve, M->setup, M->solver));
  assert_hypre(HYPRE_ParCSRPCGSetup(pcg, c->par, c->par_b, c->par_x));
  return pcg;
}

static HYPRE_Solver open_ovk(hypre_case *c, const hypre_precond *M, const char *format)
{
  HYPRE_Solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetTwoNorm(solver, 1));
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "cg"));
  assert_hypre(HYPRE_ParCSROvkSetFormat(solver, format));
  assert_hypre(HYPRE_ParCSROvkSetPrecond(solver, M->solve, M->setup, M->solver));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c->par, c->par_b, c->par_x));
  return solver;
}

/* With the setup of the first values, as in a solver of hypre; in every format alike. */
TEST(values_changed_in_place_are_those_solved_for)
{
  static const char *const formats[] = {"csr", "auto", "shell"};
  enum { FORMATS = 3 };
  for (int kind = 0; kind < 2; kind++) {
    scoped_hypre_case c = hypre_case_open();
    hypre_precond M = hypre_diag_scale;
    if (kind)
      M = (hypre_precond){HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, hypre_case_boomeramg()};
    HYPRE_Solver pcg = open_pcg(&c, &M), ovk[FORMATS];
    for (int f = 0; f < FORMATS; f++) ovk[f] = open_ovk(&c, &M, formats[f]);
    for (int time = 0; time < 3; time++) {
      HYPRE_Int wanted = -1;
      if (time) refill(&c, time);
      hypre_case_clear(&c);
      assert_hypre(HYPRE_ParCSRPCGSolve(pcg, c.par, c.par_b, c.par_x));
      assert_hypre(HYPRE_ParCSRPCGGetNumIterations(pcg, &wanted));
      for (int f = 0; f < FORMATS; f++) {
        hypre_case_clear(&c);
        assert_hypre(HYPRE_ParCSROvkSolve(ovk[f], c.par, c.par_b, c.par_x));
        assert_true(hypre_case_residual(&c) <= 1.02e-6);
        assert_int_equal(iterations_of(ovk[f]), wanted);
      }
    }
    for (int f = 0; f < FORMATS; f++) assert_hypre(HYPRE_ParCSROvkDestroy(ovk[f]));
    assert_hypre(HYPRE_ParCSRPCGDestroy(pcg));
    if (kind) assert_hypre(HYPRE_BoomerAMGDestroy(M.solver));
  }
}

/* With neither tolerance the number of iterations is the requested one. */
TEST(without_a_tolerance_the_iterations_asked_for_are_no_failure)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_ovk_solver solver = open_ovk(&c, &hypre_diag_scale, "csr");
  ovk_result result = OVK_RESULT;
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 0));
  assert_hypre(HYPRE_ParCSROvkSetMaxIter(solver, 5));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_int_equal(iterations_of(solver), 5);
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result));
  assert_int_equal(result.reason, OVK_REASON_MAXIT);
  assert_hypre(
      HYPRE_ParCSROvkSetMaxIter(solver, 1000)); /* to the attainable accuracy, and no error */
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkSetAbsoluteTol(solver, 1e-30));
  assert_hypre(HYPRE_ParCSROvkSetMaxIter(solver, 1));
  hypre_case_clear(&c);
  assert_true(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x) & HYPRE_ERROR_CONV);
  (void)HYPRE_ClearAllErrors();
}

/* The arguments of a setup function. */
static HYPRE_ParVector given_b, given_x;

static HYPRE_Int note_vectors(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                              HYPRE_ParVector x)
{
  given_b = b;
  given_x = x;
  return HYPRE_ParCSRDiagScaleSetup(solver, A, b, x);
}

static HYPRE_Int scale(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                       HYPRE_ParVector x)
{
  return HYPRE_ParCSRDiagScale(solver, A, b, x);
}

TEST(a_setup_function_is_given_the_programs_vectors)
{
  scoped_hypre_case c = hypre_case_open();
  const hypre_precond M = {scale, note_vectors, NULL};
  scoped_ovk_solver solver = open_ovk(&c, &M, "csr");
  assert_ptr_equal(given_b, c.par_b);
  assert_ptr_equal(given_x, c.par_x);
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
}

typedef struct inner {
  hypre_case *c;
  HYPRE_Solver solver;
} inner;

static int call_from_within(void *arg, const ovk_progress *progress)
{
  const inner *in = arg;
  hypre_case *c = in->c;
  const char *message = "";
  if (progress->iteration != 2) return 0;
  assert_int_equal(HYPRE_ParCSROvkSetup(in->solver, c->par, c->par_b, c->par_x),
                   HYPRE_ERROR_GENERIC);
  (void)HYPRE_ClearAllErrors();
  assert_int_equal(HYPRE_ParCSROvkSolve(in->solver, c->par, c->par_b, c->par_x),
                   HYPRE_ERROR_GENERIC);
  (void)HYPRE_ClearAllErrors();
  assert_int_equal(HYPRE_ParCSROvkDestroy(in->solver), HYPRE_ERROR_GENERIC);
  (void)HYPRE_ClearAllErrors();
  assert_hypre(HYPRE_ParCSROvkGetMessage(in->solver, &message));
  assert_non_null(strstr(message, "the solver is in use"));
  return 0;
}

TEST(a_solver_that_solves_refuses_setup_solve_and_destroy)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_ovk_solver solver = open_ovk(&c, &hypre_diag_scale, "csr");
  inner in = {&c, solver};
  assert_hypre(HYPRE_ParCSROvkSetMonitor(in.solver, call_from_within, &in));
  assert_hypre(HYPRE_ParCSROvkSolve(in.solver, c.par, c.par_b, c.par_x));
  assert_true(iterations_of(in.solver) > 2 && hypre_case_residual(&c) <= 1.02e-6);
}

TEST_GROUP(open_hypre, close_hypre)
