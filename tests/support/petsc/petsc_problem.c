/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/petsc/petsc_problem.h"

void destroy_ksp(KSP *ksp)
{
  assert_petsc(KSPDestroy(ksp));
}

void destroy_mat(Mat *A)
{
  assert_petsc(MatDestroy(A));
}

void destroy_vec(Vec *v)
{
  assert_petsc(VecDestroy(v));
}

void destroy_nullspace(MatNullSpace *nullspace)
{
  assert_petsc(MatNullSpaceDestroy(nullspace));
}

PetscInt row_begin(Mat A)
{
  PetscInt first;
  assert_petsc(MatGetOwnershipRange(A, &first, NULL));
  return first;
}

PetscInt row_end(Mat A)
{
  PetscInt end;
  assert_petsc(MatGetOwnershipRange(A, NULL, &end));
  return end;
}

void set_value(Mat A, PetscInt i, PetscInt j, double value)
{
  assert_petsc(MatSetValue(A, i, j, value, INSERT_VALUES));
}

void add_value(Mat A, PetscInt i, PetscInt j, double value)
{
  assert_petsc(MatSetValue(A, i, j, value, ADD_VALUES));
}

void assemble(Mat A)
{
  assert_petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  assert_petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

/* The edge between two points. */
static void add_edge(Mat A, PetscInt i, PetscInt j, bool inside, bool singular)
{
  if (inside) add_value(A, i, j, -1);
  if (inside || !singular) add_value(A, i, i, 1);
}

Mat make_laplace(MPI_Comm comm, PetscInt n, bool singular, MatType type)
{
  Mat A;
  assert_petsc(MatCreate(comm, &A));
  assert_petsc(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n));
  assert_petsc(MatSetType(A, type));
  assert_petsc(MatSetUp(A));
  if (strcmp(type, MATSBAIJ) == 0) {
    assert_petsc(MatSetOption(A, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  }
  assert_petsc(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  FOR_EACH_ROW(A, i)
  {
    add_edge(A, i, i - n, i >= n, singular);
    add_edge(A, i, i + n, i < n * n - n, singular);
    add_edge(A, i, i - 1, i % n > 0, singular);
    add_edge(A, i, i + 1, i % n < n - 1, singular);
  }
  assemble(A);
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
  return A;
}

static PetscErrorCode multiply_by_context(Mat shell, Vec x, Vec y)
{
  Mat A;
  PetscFunctionBegin;
  PetscCall(MatShellGetContext(shell, &A));
  PetscCall(MatMult(A, x, y));
  PetscFunctionReturn(0);
}

Mat make_shell_of(Mat A)
{
  Mat shell;
  PetscInt m;
  assert_petsc(MatGetLocalSize(A, &m, NULL));
  assert_petsc(MatCreateShell(PETSC_COMM_WORLD, m, m, PETSC_DECIDE, PETSC_DECIDE, A, &shell));
  assert_petsc(MatShellSetOperation(shell, MATOP_MULT, (void (*)(void))multiply_by_context));
  return shell;
}

void set_constant_nullspace(Mat A)
{
  scoped_MatNullSpace constant = NULL;
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constant));
  assert_petsc(MatSetNullSpace(A, constant));
}

static PetscOptions pushed;

void push_options(const char *defaults, const char *options)
{
  assert_petsc(PetscOptionsCreate(&pushed));
  assert_petsc(PetscOptionsInsertString(pushed, defaults));
  assert_petsc(PetscOptionsInsertString(pushed, options));
  assert_petsc(PetscOptionsPush(pushed));
}

void pop_options(void)
{
  assert_petsc(PetscOptionsPop());
  assert_petsc(PetscOptionsDestroy(&pushed));
}

KSP make_ksp(Mat A, const char *options)
{
  KSP ksp;
  push_options("-ksp_type ovk -ksp_rtol 1e-10", options);
  assert_petsc(KSPCreate(PetscObjectComm((PetscObject)A), &ksp));
  assert_petsc(KSPSetOperators(ksp, A, A));
  assert_petsc(KSPSetFromOptions(ksp));
  assert_petsc(KSPSetUp(ksp));
  assert_petsc(KSPSetUpOnBlocks(ksp));
  pop_options();
  return ksp;
}

typedef PetscErrorCode product_fn(Mat A, Vec x, Vec y);
typedef PetscErrorCode solve_fn(KSP ksp, Vec b, Vec x);

/* The error of the x that `solve` finds where b = product(A, (1, 2, ..., n) / n). */
static PetscErrorCode try_solve_by(KSP ksp, Mat A, product_fn *product, solve_fn *solve,
                                   double *error)
{
  scoped_Vec b = NULL, x = NULL, right = NULL;
  PetscReal norm;
  PetscInt n;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecDuplicate(x, &right));
  assert_petsc(VecGetSize(right, &n));
  FILL_ROWS(right, i, (double)(i + 1) / (double)n);
  assert_petsc(product(A, right, b));
  const PetscErrorCode code = solve(ksp, b, x);
  if (!code) {
    assert_petsc(VecAXPY(x, -1, right));
    assert_petsc(VecNorm(x, NORM_INFINITY, &norm));
    *error = norm;
  }
  return code;
}

PetscErrorCode try_solve(KSP ksp, Mat A, double *error)
{
  return try_solve_by(ksp, A, MatMult, KSPSolve, error);
}

double solve_error(KSP ksp, Mat A)
{
  double error = 0;
  assert_petsc(try_solve(ksp, A, &error));
  return error;
}

double transpose_error(KSP ksp, Mat A)
{
  double error = 0;
  assert_petsc(try_solve_by(ksp, A, MatMultTranspose, KSPSolveTranspose, &error));
  assert_true(reason_of(ksp) > 0);
  return error;
}

void solve_ones(KSP ksp, Mat A, Vec *b, Vec *x)
{
  assert_petsc(MatCreateVecs(A, x, b));
  assert_petsc(VecSet(*b, 1));
  assert_petsc(KSPSolve(ksp, *b, *x));
}

double norm_of_residual(Mat A, Vec b, Vec x)
{
  scoped_Vec r = NULL;
  PetscReal norm;
  assert_petsc(VecDuplicate(b, &r));
  assert_petsc(MatMult(A, x, r));
  assert_petsc(VecAYPX(r, -1, b));
  assert_petsc(VecNorm(r, NORM_2, &norm));
  return norm;
}

KSPConvergedReason reason_of(KSP ksp)
{
  KSPConvergedReason reason;
  assert_petsc(KSPGetConvergedReason(ksp, &reason));
  return reason;
}

PetscInt iterations_of(KSP ksp)
{
  PetscInt iterations;
  assert_petsc(KSPGetIterationNumber(ksp, &iterations));
  return iterations;
}

int count_events(const char *name)
{
  PetscLogEvent event;
  PetscEventPerfInfo info;
  assert_petsc(PetscLogEventGetId(name, &event));
  assert_petsc(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info));
  return info.count;
}

int count_products(void)
{
  return count_events("MatMult");
}

int count_more_products(KSP ksp, Mat A)
{
  scoped_Vec x = NULL, b = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(b, 1));
  const int before = count_products();
  assert_petsc(KSPSolve(ksp, b, x));
  return count_products() - before - (int)iterations_of(ksp);
}

void assert_ended(KSP ksp, KSPConvergedReason wanted, PetscInt iterations)
{
  assert_int_equal((int)reason_of(ksp), (int)wanted);
  assert_int_equal(iterations_of(ksp), iterations);
}

PetscErrorCode fail_on_last_rank(KSP ksp, PetscInt iteration, PetscReal norm, void *arg)
{
  return iteration == 3 && is_last() ? PETSC_ERR_USER : 0;
}

double solve_once(Mat A, const char *options, PetscInt *iterations)
{
  scoped_KSP ksp = make_ksp(A, options);
  const double error = solve_error(ksp, A);
  if (iterations) *iterations = iterations_of(ksp);
  return error;
}

void assert_code(PetscErrorCode got, PetscErrorCode code, const char *part)
{
  char *text = NULL;
  assert_int_equal((int)got, (int)code);
  assert_petsc(PetscErrorMessage(got, NULL, &text));
  if (part && !strstr(text, part)) fail_msg("\"%s\" should contain \"%s\"", text, part);
}

void assert_solve_fails(KSP ksp, Mat A, PetscErrorCode code, const char *part)
{
  double error;
  assert_refused(try_solve(ksp, A, &error), code, part);
}

int open_petsc(void **state)
{
  return PetscInitializeNoArguments();
}

int close_petsc(void **state)
{
  assert_petsc(PetscFinalize());
  return 0;
}

/* The output of -ksp_view, on all ranks. */
static const char *view(KSP ksp)
{
  static char text[1 << 14];
  FILE *file = tmpfile();
  PetscViewer viewer;
  assert_non_null(file);
  assert_petsc(PetscViewerASCIIOpenWithFILE(PETSC_COMM_WORLD, file, &viewer));
  assert_petsc(KSPView(ksp, viewer));
  assert_petsc(PetscViewerDestroy(&viewer));
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_int_equal(MPI_Bcast(text, sizeof text, MPI_CHAR, 0, PETSC_COMM_WORLD), 0);
  return text;
}

void assert_views(KSP ksp, const char *part)
{
  const char *text = view(ksp);
  if (!strstr(text, part)) fail_msg("\"%s\" should contain \"%s\"", text, part);
}

void assert_views_without(KSP ksp, const char *part)
{
  const char *text = view(ksp);
  if (strstr(text, part)) fail_msg("\"%s\" should not contain \"%s\"", text, part);
}
