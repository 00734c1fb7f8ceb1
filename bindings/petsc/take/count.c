/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_report [FILE]: at PetscFinalize() rank 0 writes which solves ovkrylov executed, which it did
 * not and why, and their times. The constructors of all types are wrapped. The wrapper puts a
 * function in front of KSPSolve(). */
#include "ksp/ksp.h"
#include "take/take.h"

#include <stdio.h>
#include <string.h>

#define SOLVE "KSPOvkCountedSolve_C" /* the name of the original KSPSolve() of a KSP */

typedef PetscErrorCode (*ksp_function)(KSP);

/* Why ovkrylov did not execute a solve. */
typedef enum reason { OURS, GIVEN_BACK, ASKED_FOR, NAMED, NO_METHOD } reason;

/* Solves of the same kind. */
typedef struct row {
  char type[OVKPETSC_TYPE_SIZE];
  reason why;
  bool inside; /* of the solve of another KSP */
  long solves, iterations;
  double seconds;
} row;

enum { MOST_TYPES = 96, MOST_ROWS = 64 };

/* Global, as solves of all communicators are counted; freed with PETSc. */
typedef struct report {
  ksp_function create[MOST_TYPES];
  row rows[MOST_ROWS];
  int ntypes, nrows;
  KSP solving; /* the innermost */
  char file[PETSC_MAX_PATH_LEN];
} report;
static report *counted;

static bool is_ours(KSP ksp)
{
  return ksp->ops->buildsolution == ovkpetsc_build_solution;
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

static PetscErrorCode find_reason(KSP ksp, const char *type, reason *why)
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
  *why = renamed ? GIVEN_BACK : asked ? ASKED_FOR : ovkpetsc_can_take(type) ? NAMED : NO_METHOD;
  PetscFunctionReturn(0);
}

/* Rows beyond the last place are added to that. */
static row *row_of(report *R, const row *like)
{
  for (int k = 0; k < R->nrows; k++) {
    row *r = &R->rows[k];
    const bool same = r->why == like->why && r->inside == like->inside;
    if (same && strcmp(r->type, like->type) == 0) return r;
  }
  if (R->nrows < MOST_ROWS) R->rows[R->nrows++] = *like;
  return &R->rows[R->nrows - 1];
}

static PetscErrorCode add_solve(KSP ksp, bool inside, double seconds)
{
  row like = {.inside = inside};
  KSPType type;
  PetscFunctionBegin;
  PetscCall(KSPGetType(ksp, &type));
  PetscCall(PetscStrncpy(like.type, type, sizeof like.type));
  PetscCall(find_reason(ksp, like.type, &like.why));
  row *r = row_of(counted, &like);
  r->solves++;
  r->iterations += (long)ksp->its;
  r->seconds += seconds;
  PetscFunctionReturn(0);
}

/* A KSP that changes back to its type within a solve is counted once. */
static PetscErrorCode solve(KSP ksp)
{
  ksp_function own;
  PetscFunctionBegin;
  PetscCall(PetscObjectQueryFunction((PetscObject)ksp, SOLVE, &own));
  KSP around = counted->solving;
  if (around == ksp) {
    PetscCall((*own)(ksp));
    PetscFunctionReturn(0);
  }
  counted->solving = ksp;
  const double start = MPI_Wtime();
  const PetscErrorCode code = (*own)(ksp);
  counted->solving = around;
  PetscCall(code);
  PetscCall(add_solve(ksp, around != NULL, MPI_Wtime() - start));
  PetscFunctionReturn(0);
}

static PetscErrorCode counted_create(KSP ksp, int type)
{
  PetscFunctionBegin;
  PetscCall((*counted->create[type])(ksp));
  PetscCall(PetscObjectComposeFunction((PetscObject)ksp, SOLVE, ksp->ops->solve));
  if (ksp->ops->solve) ksp->ops->solve = solve;
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

static void print_reason(FILE *file, const row *r)
{
  switch (r->why) {
  case OURS:
    break;
  case GIVEN_BACK:
    fputs(": estimates eigenvalues, or solves with the transpose", file);
    break;
  case ASKED_FOR:
    fputs(": asked for by this name", file);
    break;
  case NAMED:
    fprintf(file,
            ": named in the code, or -ksp_type ovk lacks its prefix; -ovk_take %s takes it (ovk "
            "petsc --take)",
            r->type);
    break;
  case NO_METHOD:
    fputs(": ovk has no method in its place", file);
    break;
  }
}

static void print_rows(const report *R, FILE *file, bool inside)
{
  for (int k = 0; k < R->nrows; k++) {
    const row *r = &R->rows[k];
    if (r->inside != inside) continue;
    const bool taken = r->why == OURS && strcmp(r->type, "ovk") != 0;
    fprintf(file, "  %ld %s by %s%s (%ld iterations, %.3g s)", r->solves,
            r->solves == 1 ? "solve" : "solves", r->why == OURS ? "ovk" : r->type,
            inside ? " inside of others" : "", r->iterations, r->seconds);
    if (taken) fprintf(file, " as %s", r->type);
    print_reason(file, r);
    fputs("\n", file);
  }
}

static void print(const report *R)
{
  FILE *file = R->file[0] ? fopen(R->file, "a") : stderr; /* PETSc may be started twice */
  if (!file) return;
  fprintf(file, "ovk: linear solves of this program, times of rank 0%s\n",
          R->nrows ? "" : ": none");
  print_rows(R, file, false);
  print_rows(R, file, true);
  if (file != stderr) fclose(file);
}

static PetscErrorCode registry_finish(void)
{
  PetscFunctionBegin;
  if (PetscGlobalRank == 0) print(counted);
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
