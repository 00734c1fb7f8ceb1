/* SPDX-License-Identifier: BSD-2-Clause */
/* GMRES with a multigrid cycle or a factorization ends without one more application of it, where
 * rounding errors cannot matter. */
#include "support/petsc/petsc_problem.h"

enum { N = 60 };

/* Multigrid with one level, whose smoother is a step of SOR. */
#define ONE_LEVEL                                                                                  \
  "-pc_type mg -pc_mg_levels 1 -mg_levels_ksp_type richardson -mg_levels_ksp_max_it 1 "            \
  "-mg_levels_pc_type sor -ksp_max_it 400 "

/* A Laplacian with less than half of the entries right of the diagonal, and 1 more there. */
static Mat make_unsymmetric(void)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  FOR_EACH_ROW(A, i)
  {
    if (i % N != N - 1) set_value(A, i, i + 1, -0.3);
  }
  assemble(A);
  assert_petsc(MatShift(A, 1));
  return A;
}

/* Solves with b = (1, ..., 1); returns the applications, also those inside. */
static int apply_for_ones(KSP ksp, Mat A)
{
  scoped_Vec x = NULL, b = NULL;
  const int before = count_events("PCApply");
  solve_ones(ksp, A, &b, &x);
  assert_true(reason_of(ksp) > 0);
  return count_events("PCApply") - before;
}

/* As PETSc makes them; and others, where the bound is above the tolerance. */
TEST(gmres_applies_the_pc_as_often_as_that_of_petsc)
{
  static const struct {
    const char *options;
    bool more;
  } cases[] = {{"-ksp_rtol 1e-6 " ONE_LEVEL, false},
               {"-ksp_rtol 1e-6 -pc_type redundant", false},
               {"-ksp_rtol 1e-14 " ONE_LEVEL, true}};
  scoped_Mat A = make_unsymmetric();
  assert_petsc(PetscLogDefaultBegin());
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char options[400];
    snprintf(options, sizeof options, "%s -ksp_type gmres", cases[k].options);
    scoped_KSP own = make_ksp(A, options);
    scoped_KSP ksp = make_ksp(A, cases[k].options);
    (void)apply_for_ones(own, A); /* and sets up all parts of the PC */
    const int of_petsc = apply_for_ones(own, A);
    (void)apply_for_ones(ksp, A);
    const int ours = apply_for_ones(ksp, A);
    assert_views(ksp, "method gmres");
    if (cases[k].more)
      assert_true(ours > of_petsc);
    else {
      assert_int_equal(ours, of_petsc);
      assert_int_equal((int)iterations_of(ksp), (int)iterations_of(own));
    }
  }
}

/* Changes the PC in iteration 2. */
static PetscErrorCode change_pc(KSP ksp, PetscInt iteration, PetscReal norm, void *arg)
{
  KSP smoother;
  PC pc, inner;
  (void)norm;
  (void)arg;
  if (iteration != 2) return 0;
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCMGGetSmoother(pc, 0, &smoother));
  assert_petsc(KSPGetPC(smoother, &inner));
  return PCSORSetOmega(inner, 0.2);
}

TEST(an_end_that_b_less_A_x_belies_is_none)
{
  scoped_Mat A = make_unsymmetric();
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-9 " ONE_LEVEL);
  scoped_Vec x = NULL, b = NULL;
  PetscReal of_b;
  assert_petsc(KSPMonitorSet(ksp, change_pc, NULL, NULL));
  solve_ones(ksp, A, &b, &x);
  assert_true(reason_of(ksp) > 0);
  assert_petsc(VecNorm(b, NORM_2, &of_b));
  assert_true(norm_of_residual(A, b, x) < 1e-7 * of_b);
}

TEST_GROUP(open_petsc, close_petsc)
