/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvk...: whether A is symmetric and definite, as the program promises or as the values
 * show. */
#include "hypre_case.h"
#include "support/problem.h"

/* Adds `down` below the diagonal, and `shift` to it. */
typedef struct blurring {
  HYPRE_IJMatrix ij;
  double down, shift;
} blurring;

static ovk_err blur_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  blurring *f = arg;
  double values[32];
  for (ovk_lidx k = 0; k < n; k++) {
    values[k] = val[k] + (col[k] < i ? f->down : col[k] == i ? f->shift : 0);
  }
  return hypre_set_row(&f->ij, i, n, col, values);
}

static void blur(hypre_case *c, double down, double shift)
{
  blurring f = {c->ij, down, shift};
  assert_hypre(HYPRE_IJMatrixInitialize(c->ij));
  assert_ok(ovk_mat_for_each_row(c->A, blur_row, &f));
  assert_hypre(HYPRE_IJMatrixAssemble(c->ij));
}

static HYPRE_Solver open_promised(hypre_case *c, int spd, int symmetric)
{
  HYPRE_Solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetTwoNorm(solver, 1));
  assert_hypre(HYPRE_ParCSROvkSetMaxIter(solver, 200));
  assert_hypre(HYPRE_ParCSROvkSetSPD(solver, spd));
  assert_hypre(HYPRE_ParCSROvkSetSymmetric(solver, symmetric));
  (void)HYPRE_ParCSROvkSetup(solver, c->par, c->par_b, c->par_x);
  return solver;
}

static void assert_message(HYPRE_Solver solver, const char *part)
{
  const char *message = "";
  (void)HYPRE_ParCSROvkGetMessage(solver, &message);
  if (!strstr(message, part)) fail_msg("\"%s\" should contain \"%s\"", message, part);
  (void)HYPRE_ClearAllErrors();
}

TEST(promises_of_the_matrix_are_believed_and_a_false_one_is_named)
{
  static const struct {
    double down, shift;
    int spd;
    const char *why; /* NULL: true */
  } cases[] = {{1e-9, 0, 1, NULL},
               {1e-9, 0, 0, NULL},
               {12, 0, 1, "A is not symmetric, though the options say so"},
               {12, 0, 0, "A is not symmetric, though the options say so"},
               {0, -5.7, 1, "A is not positive definite, though the options say so"}};
  for (int k = 0; k < 5; k++) {
    scoped_hypre_case c = hypre_case_open();
    blur(&c, cases[k].down, cases[k].shift);
    scoped_ovk_solver solver = open_promised(&c, cases[k].spd, !cases[k].spd);
    const HYPRE_Int flags = HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x);
    assert_int_equal(flags, cases[k].why ? HYPRE_ERROR_CONV : 0);
    if (cases[k].why) assert_message(solver, cases[k].why);
    if (!cases[k].why) assert_true(hypre_case_residual(&c) <= 1.02e-6);
  }
}

TEST(a_promise_of_some_ranks_is_an_error_on_all)
{
  if (test_size == 1) return;
  for (int spd = 0; spd < 2; spd++) {
    scoped_hypre_case c = hypre_case_open();
    scoped_ovk_solver solver = open_promised(&c, spd && test_rank, !spd && test_rank);
    assert_true(HYPRE_GetError() & HYPRE_ERROR_ARG);
    assert_message(solver, spd ? "spd" : "symmetric");
  }
}

/* Only the values change: not symmetric any more, much less so, and symmetric again. */
TEST(auto_follows_values_that_change_the_class_of_A)
{
  static const char *const formats[] = {"csr", "auto", "shell"};
  static const double down[] = {0, 0.9, 0.2, 0};
  for (int f = 0; f < 3; f++) {
    scoped_hypre_case c = hypre_case_open();
    scoped_ovk_solver solver = new_ovk_solver();
    assert_hypre(HYPRE_ParCSROvkSetTwoNorm(solver, 1));
    assert_hypre(HYPRE_ParCSROvkSetFormat(solver, formats[f]));
    assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
    for (int k = 0; k < 4; k++) {
      blur(&c, down[k], 0);
      hypre_case_clear(&c);
      if (HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x)) {
        const char *message = "";
        (void)HYPRE_ParCSROvkGetMessage(solver, &message);
        fail_msg("format %s, %g below the diagonal: %s", formats[f], down[k], message);
      }
      assert_true(hypre_case_residual(&c) <= 1.02e-6);
    }
  }
}

TEST_GROUP(open_hypre, close_hypre)
