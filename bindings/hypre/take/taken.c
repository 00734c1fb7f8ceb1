/* SPDX-License-Identifier: BSD-2-Clause */
/* A solver of hypre that is taken: HYPRE_ParCSROvk... with its settings, or the functions of hypre
 * if ovkrylov lacks a setting. */
#include "take.h"

#include <_hypre_parcsr_mv.h>
#include <limits.h>
#include <math.h>
#include <ovk_hypre.h>
#include <stdio.h>
#include <stdlib.h>

struct ovk__taken {
  HYPRE_Solver solver; /* of hypre */
  ovk__take_family family;
  HYPRE_Solver ovk; /* made by the first setup */
  MPI_Comm comm;    /* of the matrix; a duplicate */
  /* of the last setup: */
  HYPRE_ParCSRMatrix A; /* NULL: there was none, or the solver of hypre is used */
  ovk__take_settings settings;
  bool own;  /* the solver of hypre has been set up */
  bool told; /* of an error */
  ovk__taken *next;
};

static ovk__taken *first;

void ovk__taken_add(ovk__take_family family, HYPRE_Solver solver)
{
  ovk__taken *t = calloc(1, sizeof *t);
  if (!t) return;
  *t = (ovk__taken){.solver = solver, .family = family, .comm = MPI_COMM_NULL, .next = first};
  first = t;
}

static ovk__taken **place_of(HYPRE_Solver solver)
{
  ovk__taken **place = &first;
  while (*place && (*place)->solver != solver) place = &(*place)->next;
  return place;
}

ovk__taken *ovk__taken_find(HYPRE_Solver solver)
{
  return *place_of(solver);
}

static void clear(ovk__taken *t)
{
  int finalized = 0;
  if (t->ovk) (void)HYPRE_ParCSROvkDestroy(t->ovk);
  t->ovk = NULL;
  t->A = NULL;
  (void)MPI_Finalized(&finalized);
  if (t->comm != MPI_COMM_NULL && !finalized) (void)MPI_Comm_free(&t->comm);
}

void ovk__taken_remove(HYPRE_Solver solver)
{
  ovk__taken **place = place_of(solver), *t = *place;
  if (!t) return;
  *place = t->next;
  clear(t);
  free(t);
}

enum { SOLVE, SET_UP, OWN };

/* The action, the greatest that any rank needs. */
typedef struct todo {
  int what;     /* SOLVE and so on */
  int residual; /* for HYPRE_PCGGetResidual() */
} todo;

static todo agree(HYPRE_ParCSRMatrix A, todo mine)
{
  int all[2] = {mine.what, mine.residual};
  const MPI_Comm comm = hypre_ParCSRMatrixComm((hypre_ParCSRMatrix *)A);
  (void)MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, comm);
  return (todo){all[0], all[1]};
}

/* A solver of ovkrylov on the ranks of the matrix. It is kept for the same ranks; each rank can see
 * that without communication. */
static HYPRE_Int taken_create_solver(ovk__taken *t, MPI_Comm comm)
{
  int same = MPI_UNEQUAL;
  if (t->ovk) (void)MPI_Comm_compare(comm, t->comm, &same);
  if (same == MPI_IDENT || same == MPI_CONGRUENT) return HYPRE_GetError();
  clear(t);
  (void)MPI_Comm_dup(comm, &t->comm);
  return HYPRE_ParCSROvkCreate(t->comm, &t->ovk);
}

static void give_tolerances(const ovk__taken *t, const ovk__take_settings *s)
{
  const HYPRE_Int most = s->max_iter < INT_MAX ? s->max_iter : INT_MAX;
  (void)HYPRE_ParCSROvkSetTol(t->ovk, s->tol);
  (void)HYPRE_ParCSROvkSetAbsoluteTol(t->ovk, s->a_tol);
  (void)HYPRE_ParCSROvkSetMaxIter(t->ovk, most > 0 ? most : 0);
  (void)HYPRE_ParCSROvkSetPrintLevel(t->ovk, s->print_level);
}

/* A program that uses PCG declares A and the preconditioner definite. */
static void give_settings(const ovk__taken *t, const ovk__take_settings *s)
{
  (void)HYPRE_ParCSROvkSetTwoNorm(t->ovk, s->two_norm);
  (void)HYPRE_ParCSROvkSetSPD(t->ovk, t->family == OVK_TAKE_PCG);
  (void)HYPRE_ParCSROvkSetMethod(t->ovk, s->method[0] ? s->method : NULL);
  if (s->precond) {
    (void)HYPRE_ParCSROvkSetPrecond(t->ovk, s->precond, s->precond_setup, s->precond_solver);
  } else {
    (void)HYPRE_ParCSROvkSetPrecondSpec(t->ovk, "none");
  }
  give_tolerances(t, s);
}

/* Functions of hypre of the common interface: those of ParCSR call them, and would reach this
 * library. */
static HYPRE_Int set_up_own(ovk__taken *t, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                            HYPRE_ParVector x)
{
  clear(t);
  t->own = true;
  return ovk__take_original_of(t->family)->setup_any(t->solver, (HYPRE_Matrix)A, (HYPRE_Vector)b,
                                                     (HYPRE_Vector)x);
}

static HYPRE_Int set_up(ovk__taken *t, const ovk__take_settings *s, HYPRE_ParCSRMatrix A,
                        HYPRE_ParVector b, HYPRE_ParVector x)
{
  (void)taken_create_solver(t, hypre_ParCSRMatrixComm((hypre_ParCSRMatrix *)A));
  t->own = false;
  t->A = A;
  t->settings = *s;
  if (!t->ovk) return HYPRE_GetError();
  give_settings(t, s);
  return HYPRE_ParCSROvkSetup(t->ovk, A, b, x);
}

HYPRE_Int ovk__taken_setup(ovk__taken *t, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                           HYPRE_ParVector x)
{
  const ovk__take_settings s = ovk__take_read(t->family, t->solver);
  const todo all = agree(A, (todo){s.own ? OWN : SET_UP, 0});
  return all.what == OWN ? set_up_own(t, A, b, x) : set_up(t, &s, A, b, x);
}

/* Settings that changed since setup may need another setup. */
static todo needed(const ovk__taken *t, const ovk__take_settings *s, HYPRE_ParCSRMatrix A)
{
  const bool again = t->A != A || !ovk__take_same_setup(&t->settings, s);
  return (todo){s->own || t->own ? OWN : again ? SET_UP : SOLVE, s->logging > 0};
}

static HYPRE_Int solve_own(ovk__taken *t, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                           HYPRE_ParVector x)
{
  if (!t->own) (void)set_up_own(t, A, b, x);
  return ovk__take_original_of(t->family)->solve_any(t->solver, (HYPRE_Matrix)A, (HYPRE_Vector)b,
                                                     (HYPRE_Vector)x);
}

/* hypre flags NaN and Inf in its input so, and not as a solve that does not converge. `earlier`:
 * the flags before the solve. */
static void flag_bad_input(const ovk_result *result, HYPRE_Int earlier)
{
  if (result->reason != OVK_REASON_NAN || result->iterations > 0) return;
  if (!HYPRE_CheckError(earlier, HYPRE_ERROR_CONV)) (void)HYPRE_ClearError(HYPRE_ERROR_CONV);
  hypre_error(HYPRE_ERROR_GENERIC);
}

/* A program of hypre cannot ask for the message of an error, such as of a method that does not
 * exist: the first rank prints it, once a solver. */
static void tell_error(ovk__taken *t)
{
  const char *message = NULL;
  int rank = 0;
  if (t->told) return;
  t->told = true;
  (void)MPI_Comm_rank(t->comm, &rank);
  (void)HYPRE_ParCSROvkGetMessage(t->ovk, &message);
  if (rank == 0 && message) fprintf(stderr, "libovkhypre_take: %s\n", message);
}

HYPRE_Int ovk__taken_solve(ovk__taken *t, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                           HYPRE_ParVector x)
{
  ovk_result result = OVK_RESULT;
  const ovk__take_settings s = ovk__take_read(t->family, t->solver);
  const todo all = agree(A, needed(t, &s, A));
  if (all.what == OWN) return solve_own(t, A, b, x);
  if (all.what == SET_UP) (void)set_up(t, &s, A, b, x);
  if (!t->ovk) return HYPRE_GetError();
  give_tolerances(t, &s);
  const HYPRE_Int earlier = HYPRE_GetError();
  (void)HYPRE_ParCSROvkSolve(t->ovk, A, b, x);
  (void)HYPRE_ParCSROvkGetResult(t->ovk, &result);
  const bool failed = result.reason == OVK_REASON_NOT_RUN;
  if (failed) tell_error(t);
  flag_bad_input(&result, earlier);
  ovk__take_write(t->family, t->solver,
                  (ovk__take_outcome){.iterations = result.iterations,
                                      .converged = result.reason > 0,
                                      .norm = failed ? (HYPRE_Real)NAN : result.relative_residual});
  if (all.residual) ovk__take_write_residual(t->family, t->solver, A, b, x);
  return HYPRE_GetError();
}
