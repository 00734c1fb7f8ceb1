/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_report [FILE]: at PetscFinalize() rank 0 writes which solves ovkrylov executed, which it did
 * not and why, and their times. The constructors of all types are wrapped. The wrapper puts
 * functions in front of KSPSolve() and KSPMatSolve(). */
#include "take/count.h"
#include "ksp/ksp.h"
#include "take/take.h"

#include <stdio.h>
#include <string.h>

/* The names of the original functions of a KSP. */
#define SOLVE "KSPOvkCountedSolve_C"
#define MAT_SOLVE "KSPOvkCountedMatSolve_C"

typedef PetscErrorCode (*ksp_function)(KSP);
typedef PetscErrorCode (*ksp_mat_function)(KSP, Mat, Mat);

/* Results of the searches that the last solve of a KSP made. */
typedef struct known {
  PetscObjectId id;
  ksp_function solve;         /* the original functions */
  ksp_mat_function mat_solve; /* or NULL */
  ovkpetsc_row *row;          /* of the last solve; or NULL */
} known;

enum { MOST_TYPES = 96, MOST_ROWS = 64, MOST_KNOWN = 64 };

/* Global, as solves of all communicators are counted; freed with PETSc. */
typedef struct report {
  ksp_function create[MOST_TYPES];
  ovkpetsc_row rows[MOST_ROWS];
  known known[MOST_KNOWN]; /* by ids */
  int nrows;
  KSP solving; /* the innermost */
  char file[PETSC_MAX_PATH_LEN];
} report;
static report *counted;

static bool is_ours(KSP ksp)
{
  return ksp->ops->buildsolution == ovkpetsc_build_solution;
}

/* The method of ovkrylov in use; "" if another library solves, or an error came before. */
static const char *method_of(KSP ksp)
{
  const ksp_ovk *K = is_ours(ksp) ? ksp->data : NULL;
  return K && K->now.solver ? ovk_solver_method(K->now.solver) : "";
}

/* Whether this type is the value of the option -ksp_type of the KSP. */
static PetscErrorCode is_asked_for(KSP ksp, const char *type, PetscBool *asked)
{
  const char *prefix;
  char text[OVKPETSC_TYPE_SIZE];
  PetscBool given;
  PetscFunctionBegin;
  PetscCall(KSPGetOptionsPrefix(ksp, &prefix));
  PetscCall(PetscOptionsGetString(((PetscObject)ksp)->options, prefix, "-ksp_type", text,
                                  sizeof text, &given));
  *asked = given && strcmp(text, type) == 0;
  PetscFunctionReturn(0);
}

static PetscErrorCode find_reason(KSP ksp, const char *type, ovkpetsc_reason *why)
{
  char original[2 * OVKPETSC_TYPE_SIZE];
  ksp_function renamed = NULL;
  PetscBool asked = PETSC_FALSE;
  PetscFunctionBegin;
  *why = OURS;
  if (is_ours(ksp)) PetscFunctionReturn(0);
  snprintf(original, sizeof original, OVKPETSC_ORIGINAL "%s", type);
  PetscCall(PetscFunctionListFind(KSPList, original, &renamed));
  PetscCall(is_asked_for(ksp, type, &asked));
  if (strncmp(type, OVKPETSC_ORIGINAL, strlen(OVKPETSC_ORIGINAL)) == 0) asked = PETSC_TRUE;
  *why = ksp->calc_sings || ksp->calc_ritz ? ESTIMATES
         : ksp->pc_side == PC_SYMMETRIC    ? BOTH_SIDES
         : renamed                         ? GIVEN_BACK
         : asked                           ? ASKED_FOR
         : ovkpetsc_can_take(type)         ? NAMED
                                           : NO_METHOD;
  PetscFunctionReturn(0);
}

/* Rows beyond the last place are added to that. */
static ovkpetsc_row *row_of(report *R, const ovkpetsc_row *like)
{
  for (int k = 0; k < R->nrows; k++) {
    ovkpetsc_row *r = &R->rows[k];
    const bool same = r->why == like->why && r->inside == like->inside;
    if (same && strcmp(r->type, like->type) == 0 && strcmp(r->method, like->method) == 0) return r;
  }
  if (R->nrows < MOST_ROWS) R->rows[R->nrows++] = *like;
  return &R->rows[R->nrows - 1];
}

static known *place_of(PetscObjectId id)
{
  return &counted->known[id % MOST_KNOWN];
}

/* Searches lists only if another KSP has had its place since the last solve. */
static PetscErrorCode look_up(KSP ksp, known **out)
{
  const PetscObjectId id = ((PetscObject)ksp)->id;
  known *k = place_of(id);
  PetscFunctionBegin;
  *out = k;
  if (k->id == id) PetscFunctionReturn(0);
  *k = (known){.id = id};
  PetscCall(PetscObjectQueryFunction((PetscObject)ksp, SOLVE, &k->solve));
  PetscCall(PetscObjectQueryFunction((PetscObject)ksp, MAT_SOLVE, &k->mat_solve));
  PetscFunctionReturn(0);
}

/* Whether a solve of a KSP of this type belongs to this row. */
static bool fits(const ovkpetsc_row *r, KSP ksp, const char *type, bool inside)
{
  return r && r->inside == inside && (r->why == OURS) == is_ours(ksp) &&
         strcmp(r->type, type) == 0 && strcmp(r->method, method_of(ksp)) == 0;
}

/* Adds the counts of `more` to the row of the KSP. */
static PetscErrorCode add_solves(KSP ksp, const ovkpetsc_row *more)
{
  ovkpetsc_row like = {.inside = more->inside};
  known *k;
  KSPType type;
  PetscFunctionBegin;
  PetscCall(look_up(ksp, &k));
  PetscCall(KSPGetType(ksp, &type));
  if (!fits(k->row, ksp, type, more->inside)) {
    PetscCall(PetscStrncpy(like.type, type, sizeof like.type));
    PetscCall(PetscStrncpy(like.method, method_of(ksp), sizeof like.method));
    PetscCall(find_reason(ksp, like.type, &like.why));
    k->row = row_of(counted, &like);
  }
  k->row->solves += more->solves;
  k->row->iterations += more->iterations;
  k->row->seconds += more->seconds;
  PetscFunctionReturn(0);
}

/* KSPMatSolve() counts the columns of B; without a B this is KSPSolve(). A KSP that changes back to
 * its type within a solve is counted once. */
static PetscErrorCode solve_counted(KSP ksp, Mat B, Mat X)
{
  KSP around = counted->solving;
  const PetscInt before = ksp->totalits;
  const double start = MPI_Wtime();
  ovkpetsc_row more = {.inside = around != NULL};
  PetscInt columns = 1;
  known *k;
  PetscFunctionBegin;
  if (B) PetscCall(MatGetSize(B, NULL, &columns));
  PetscCall(look_up(ksp, &k));
  counted->solving = ksp;
  const PetscErrorCode code = B ? (*k->mat_solve)(ksp, B, X) : (*k->solve)(ksp);
  counted->solving = around;
  PetscCall(code);
  if (around == ksp || columns == 0) PetscFunctionReturn(0);
  const PetscInt summed = ksp->totalits - before; /* of all columns, if ovkrylov has solved them */
  more.solves = (long)columns;
  more.iterations = (long)(summed > 0 ? summed : ksp->its);
  more.seconds = MPI_Wtime() - start;
  PetscCall(add_solves(ksp, &more));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(KSP ksp)
{
  PetscFunctionBegin;
  PetscCall(solve_counted(ksp, NULL, NULL));
  PetscFunctionReturn(0);
}

static PetscErrorCode counted_create(KSP ksp, int type)
{
  PetscFunctionBegin;
  PetscCall((*counted->create[type])(ksp));
  *place_of(((PetscObject)ksp)->id) = (known){0};
  PetscCall(PetscObjectComposeFunction((PetscObject)ksp, SOLVE, ksp->ops->solve));
  PetscCall(PetscObjectComposeFunction((PetscObject)ksp, MAT_SOLVE, ksp->ops->matsolve));
  if (ksp->ops->solve) ksp->ops->solve = solve;
  if (ksp->ops->matsolve) ksp->ops->matsolve = solve_counted;
  PetscFunctionReturn(0);
}

/* KSPSetType() does not pass the type to a constructor: one constructor for each entry of
 * counted->create. The numbers are octal. */
#define EIGHT(X, a) X(a##0) X(a##1) X(a##2) X(a##3) X(a##4) X(a##5) X(a##6) X(a##7)
#define FOUR(X, a, b, c, d) EIGHT(X, a) EIGHT(X, b) EIGHT(X, c) EIGHT(X, d)
#define EACH(X) FOUR(X, 00, 01, 02, 03) FOUR(X, 04, 05, 06, 07) FOUR(X, 010, 011, 012, 013)
#define CREATE(k)                                                                                  \
  static PetscErrorCode create_##k(KSP ksp)                                                        \
  {                                                                                                \
    return counted_create(ksp, k);                                                                 \
  }
EACH(CREATE)
#define NAME(k) create_##k,
static const ksp_function wrappers[MOST_TYPES] = {EACH(NAME)};

/* Types that a program registers later, or that do not fit, are not counted. */
static PetscErrorCode wrap_all(report *R)
{
  const char **names;
  int n;
  PetscFunctionBegin;
  PetscCall(PetscFunctionListGet(KSPList, &names, &n));
  for (int k = 0; k < n && k < MOST_TYPES; k++) {
    PetscCall(PetscFunctionListFind(KSPList, names[k], &R->create[k]));
    PetscCall(KSPRegister(names[k], wrappers[k]));
  }
  PetscCall(PetscFree(names));
  PetscFunctionReturn(0);
}

static PetscErrorCode registry_finish(void)
{
  PetscFunctionBegin;
  if (PetscGlobalRank == 0) ovkpetsc_count_print(counted->rows, counted->nrows, counted->file);
  free(counted);
  counted = NULL;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_count(void)
{
  char file[PETSC_MAX_PATH_LEN];
  PetscBool given;
  PetscFunctionBegin;
  PetscCall(PetscOptionsGetString(NULL, NULL, "-ovk_report", file, sizeof file, &given));
  if (!given || counted) PetscFunctionReturn(0);
  counted = calloc(1, sizeof *counted);
  PetscCheck(counted, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for -ovk_report");
  PetscCall(PetscStrncpy(counted->file, file, sizeof counted->file));
  PetscCall(PetscRegisterFinalize(registry_finish));
  PetscCall(wrap_all(counted));
  PetscFunctionReturn(0);
}
