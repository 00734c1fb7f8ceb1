/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_take: the norms that the types test and show, and their sides of the PC. */
#include "named.h"

static const char *const names[] = {"cg",    "groppcg",  "pipecg", "pipecgrr", "pipecg2",
                                    "fcg",   "pipefcg",  "minres", "symmlq",   "gmres",
                                    "bcgs",  "pgmres",   "fgmres", "gcr",      "pipefgmres",
                                    "ibcgs", "pipebcgs", "lgmres", "dgmres",   "bcgsl"};
enum { NAMES = sizeof names / sizeof *names };

/* The norm that is tested, the side of the PC and the solution. */
static void assert_same_defaults(Mat A, const char *name)
{
  char renamed[64];
  KSPNormType norm, wanted_norm;
  PCSide side, wanted_side;
  snprintf(renamed, sizeof renamed, "petsc-%s", name);
  scoped_KSP ours = make_named(A, name, ""), petsc = make_named(A, renamed, "");
  assert_petsc(KSPSetUp(petsc));
  assert_true(solve_error(ours, A) < 1e-6);
  assert_taken(ours);
  assert_petsc(KSPGetNormType(ours, &norm));
  assert_petsc(KSPGetNormType(petsc, &wanted_norm));
  assert_petsc(KSPGetPCSide(ours, &side));
  assert_petsc(KSPGetPCSide(petsc, &wanted_side));
  if (norm != wanted_norm || side != wanted_side) {
    fail_msg("%s: norm %d, side %d, PETSc: %d, %d", name, norm, side, wanted_norm, wanted_side);
  }
}

TEST(norms_and_sides_are_those_of_the_type)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  for (int k = 0; k < NAMES; k++) assert_same_defaults(A, names[k]);
}

/* An indefinite A with a diagonal from 1e-6 to 1, so that norms of the residual differ. */
static Mat make_graded(void)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  PetscInt n;
  scoped_Vec d = NULL;
  assert_petsc(MatShift(A, -0.4));
  assert_petsc(MatCreateVecs(A, &d, NULL));
  assert_petsc(VecGetSize(d, &n));
  FILL_ROWS(d, i, pow(1e-3, (double)i / (double)n));
  assert_petsc(MatDiagonalScale(A, d, d));
  return A;
}

TEST(minres_stops_where_that_of_petsc_does)
{
  double error;
  scoped_Mat A = make_graded();
  scoped_KSP ours = make_named(A, KSPMINRES, ""), petsc = make_named(A, "petsc-minres", "");
  assert_petsc(try_solve(ours, A, &error));
  assert_petsc(try_solve(petsc, A, &error));
  const PetscInt its = iterations_of(ours), wanted = iterations_of(petsc);
  if (its < wanted - 1 || its > wanted + 1)
    fail_msg("%d iterations, not %d", (int)its, (int)wanted);
}

enum { SHOWN = 6 }; /* values of a history */

static void show_norms(Mat A, const char *type, PetscReal *norms)
{
  scoped_KSP ksp = make_named(A, type, "");
  scoped_Vec b = NULL, x = NULL;
  PetscInt n;
  assert_petsc(KSPSetResidualHistory(ksp, norms, SHOWN, PETSC_TRUE));
  solve_ones(ksp, A, &b, &x);
  assert_petsc(KSPGetResidualHistory(ksp, NULL, &n));
  assert_int_equal((int)n, SHOWN);
}

/* PETSc 3.18 multiplies its values by a constant, as docs/petsc.md says. */
TEST(minres_shows_the_norms_that_petsc_shows)
{
  PetscReal norms[SHOWN], wanted[SHOWN];
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ); /* M = 4 I */
  show_norms(A, KSPMINRES, norms);
  show_norms(A, "petsc-minres", wanted);
  assert_true(fabs(norms[0] - 12 / sqrt(4)) < 1e-12);
  const double factor = PETSC_VERSION_LT(3, 19, 0) ? 12.0 / 4 / norms[0] : 1;
  for (int k = 0; k < SHOWN; k++) assert_true(fabs(wanted[k] - factor * norms[k]) < 1e-8);
}

TEST_GROUP(open_library, close_petsc)
