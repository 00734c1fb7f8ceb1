/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvk...: creating a solver and its options. */
#include "parcsr_ovk.h"

#include <_hypre_utilities.h>
#include <stdlib.h>
#include <string.h>

static ovk_err parcsr_create(MPI_Comm comm, ovk__parcsr_solver *s)
{
  s->opts = ovk_solver_opts_default();
  s->opts.rtol = 1e-6; /* as HYPRE_ParCSRPCG has it, */
  s->opts.maxit = 1000;
  s->opts.norm = OVK_NORM_NATURAL;
  s->functions = 1;
  OVK_TRY(ovk_ctx_create(comm, &s->ctx));
  OVK_TRY(ovk__hypre_dup(s->ctx, comm, &s->comm));
  (void)HYPRE_Init();
  return ovk__hypre_agree(s->ctx, s->comm, ovk_hypre_register(s->ctx), OVK_ERR_MEMORY,
                          "another rank has no memory for \"boomeramg\"");
}

HYPRE_Int HYPRE_ParCSROvkCreate(MPI_Comm comm, HYPRE_Solver *solver)
{
  ovk__parcsr_solver *s = calloc(1, sizeof *s);
  if (solver) *solver = NULL;
  const ovk_err mine = !solver ? OVK_ERR_ARG : s ? OVK_OK : OVK_ERR_MEMORY;
  if (!ovk__hypre_all_well(comm, mine)) {
    free(s);
    return ovk__parcsr_raise(NULL, mine ? mine : OVK_ERR_DIFFER);
  }
  s->comm = MPI_COMM_NULL;
  const ovk_err err = parcsr_create(comm, s);
  *solver = (HYPRE_Solver)s;
  if (!err) return HYPRE_GetError();
  (void)ovk__parcsr_raise(s, err);
  (void)HYPRE_ParCSROvkDestroy(*solver);
  *solver = NULL;
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkDestroy(HYPRE_Solver solver)
{
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  if (!s) return HYPRE_GetError();
  const ovk_err err = ovk__parcsr_check_idle(s);
  if (err) return ovk__parcsr_raise(s, err);
  ovk__parcsr_tear_down(s);
  ovk_ctx_destroy(&s->ctx);
  if (s->comm != MPI_COMM_NULL && ovk__hypre_mpi_runs()) (void)MPI_Comm_free(&s->comm);
  free(s->method);
  free(s->backend);
  free(s->exact);
  free(s->format);
  free(s->precond);
  free(s->vectors);
  free(s);
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkSetMaxIter(HYPRE_Solver solver, HYPRE_Int max_iter)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  if (max_iter < 0 || max_iter > INT32_MAX) {
    return ovk__parcsr_raise(
        s, ovk_ctx_fail(s->ctx, OVK_ERR_ARG, "max_iter is %lld", (long long)max_iter));
  }
  s->opts.maxit = (int)max_iter;
  return HYPRE_GetError();
}

/* *place <- a copy of `text`, NULL for NULL */
static HYPRE_Int set_text(ovk__parcsr_solver *s, const char *text, char **place)
{
  const size_t size = text ? strlen(text) + 1 : 0;
  char *own = text ? malloc(size) : NULL;
  if (text && !own) {
    return ovk__parcsr_raise(s, ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory for '%s'", text));
  }
  if (own) memcpy(own, text, size);
  free(*place);
  *place = own;
  return HYPRE_GetError();
}

/* A function that sets an option of s from `value`. */
#define SETTER(function, type, ...)                                                                \
  HYPRE_Int function(HYPRE_Solver solver, type value)                                              \
  {                                                                                                \
    OVK__PARCSR_CHECK(solver);                                                                     \
    ovk__parcsr_solver *s = ovk__parcsr_of(solver);                                                \
    __VA_ARGS__;                                                                                   \
    return HYPRE_GetError();                                                                       \
  }
SETTER(HYPRE_ParCSROvkSetTol, HYPRE_Real, s->opts.rtol = value)
SETTER(HYPRE_ParCSROvkSetAbsoluteTol, HYPRE_Real, s->opts.atol = value)
SETTER(HYPRE_ParCSROvkSetTwoNorm, HYPRE_Int,
       s->opts.norm = value ? OVK_NORM_UNPRECONDITIONED : OVK_NORM_NATURAL)
SETTER(HYPRE_ParCSROvkSetSPD, HYPRE_Int, s->opts.spd = value != 0)
SETTER(HYPRE_ParCSROvkSetSymmetric, HYPRE_Int, s->opts.symmetric = value != 0)
SETTER(HYPRE_ParCSROvkSetGuesses, HYPRE_Int,
       s->opts.guesses = value < 0 || value > INT32_MAX ? -1 : (int)value)
SETTER(HYPRE_ParCSROvkSetMethod, const char *, (void)set_text(s, value, &s->method))
SETTER(HYPRE_ParCSROvkSetBackend, const char *, (void)set_text(s, value, &s->backend))
SETTER(HYPRE_ParCSROvkSetExact, const char *, (void)set_text(s, value, &s->exact))
SETTER(HYPRE_ParCSROvkSetFormat, const char *, (void)set_text(s, value, &s->format))

HYPRE_Int HYPRE_ParCSROvkSetPrecondSpec(HYPRE_Solver solver, const char *spec)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  s->with = (ovk__hypre_solver){NULL, NULL, NULL, NULL};
  s->scales = false;
  return set_text(s, spec, &s->precond);
}

HYPRE_Int HYPRE_ParCSROvkSetPrecond(HYPRE_Solver solver, HYPRE_PtrToParSolverFcn precond,
                                    HYPRE_PtrToParSolverFcn precond_setup,
                                    HYPRE_Solver precond_solver)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  if (precond == HYPRE_ParCSRDiagScale) {
    const HYPRE_Int flags = HYPRE_ParCSROvkSetPrecondSpec(solver, "jacobi");
    s->scales = true;
    return flags;
  }
  s->scales = false;
  s->with = (ovk__hypre_solver){precond_solver, precond_setup, precond, NULL};
  return set_text(s, NULL, &s->precond);
}

HYPRE_Int HYPRE_ParCSROvkSetMonitor(HYPRE_Solver solver, ovk_monitor_fn monitor, void *arg)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  s->opts.monitor = monitor;
  s->opts.monitor_arg = arg;
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkSetPrintLevel(HYPRE_Solver solver, HYPRE_Int print_level)
{
  enum { LINES = 2 };
  OVK__PARCSR_CHECK(solver);
  FILE *file = ovk_ctx_rank(ovk__parcsr_of(solver)->ctx) == 0 ? stdout : NULL;
  return HYPRE_ParCSROvkSetMonitor(solver, print_level >= LINES ? ovk_monitor_print : NULL, file);
}
