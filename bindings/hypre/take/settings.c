/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of hypre: reads their settings and writes their results. The four kinds have the same
 * members for their common settings. */
#include "take.h"

#if __has_include(<_hypre_krylov.h>)
#include <_hypre_krylov.h>
#else
#include <krylov.h>
#endif
#include <_hypre_parcsr_ls.h>
#include <stdio.h>
#include <string.h>

/* A function of the preconditioner of the object; NULL for the identity of hypre. */
static HYPRE_PtrToParSolverFcn function_of(HYPRE_Int (*held)(void *, void *, void *, void *))
{
  const bool identity = held == hypre_ParKrylovIdentity || held == hypre_ParKrylovIdentitySetup;
  return identity ? NULL : (HYPRE_PtrToParSolverFcn)(void (*)(void))held;
}

/* The settings of all kinds. Only hypre tests the change of x or slow convergence. */
#define READ_COMMON(d, s)                                                                          \
  do {                                                                                             \
    (s)->tol = (d)->tol;                                                                           \
    (s)->a_tol = (d)->a_tol;                                                                       \
    (s)->max_iter = (d)->max_iter;                                                                 \
    (s)->print_level = (d)->print_level;                                                           \
    (s)->logging = (d)->logging;                                                                   \
    (s)->precond = function_of((d)->functions->precond);                                           \
    (s)->precond_setup = function_of((d)->functions->precond_setup);                               \
    (s)->precond_solver = (d)->precond_data;                                                       \
    (s)->own = !((d)->tol >= 0 && (d)->tol < 1 && (d)->a_tol >= 0) || (d)->cf_tol > 0 ||           \
               (d)->stop_crit || !(s)->precond != !(s)->precond_setup;                             \
  } while (0)

static void read_pcg(const hypre_PCGData *d, ovk__take_settings *s)
{
  READ_COMMON(d, s);
  s->own = s->own || d->rel_change || d->atolf > 0 || d->rtol > 0;
  s->two_norm = d->two_norm;
}

static void read_gmres(const hypre_GMRESData *d, ovk__take_settings *s)
{
  READ_COMMON(d, s);
  s->own = s->own || d->rel_change || d->min_iter > 0 || d->k_dim < 1;
  snprintf(s->method, sizeof s->method, "gmres:restart=%lld,side=right", (long long)d->k_dim);
}

static void read_flexgmres(const hypre_FlexGMRESData *d, ovk__take_settings *s)
{
  READ_COMMON(d, s);
  s->own = s->own || d->rel_change || d->min_iter > 0 || d->k_dim < 1 ||
           d->functions->modify_pc != hypre_FlexGMRESModifyPCDefault;
  snprintf(s->method, sizeof s->method, "fgmres:restart=%lld", (long long)d->k_dim);
}

static void read_bicgstab(const hypre_BiCGSTABData *d, ovk__take_settings *s)
{
  READ_COMMON(d, s);
  s->own = s->own || d->min_iter > 0;
  snprintf(s->method, sizeof s->method, "bcgs:side=right");
}

ovk__take_settings ovk__take_read(ovk__take_family family, HYPRE_Solver solver)
{
  const void *object = solver;
  ovk__take_settings s = {.two_norm = 1};
  switch (family) {
  case OVK_TAKE_PCG:
    read_pcg(object, &s);
    break;
  case OVK_TAKE_GMRES:
    read_gmres(object, &s);
    break;
  case OVK_TAKE_FlexGMRES:
    read_flexgmres(object, &s);
    break;
  default:
    read_bicgstab(object, &s);
  }
  return s;
}

bool ovk__take_same_setup(const ovk__take_settings *a, const ovk__take_settings *b)
{
  return !a->two_norm == !b->two_norm && strcmp(a->method, b->method) == 0 &&
         a->precond == b->precond && a->precond_setup == b->precond_setup &&
         a->precond_solver == b->precond_solver;
}

void ovk__take_write(ovk__take_family family, HYPRE_Solver solver, ovk__take_outcome outcome)
{
  void *object = solver;
  switch (family) {
#define WRITE(name)                                                                                \
  case OVK_TAKE_##name:                                                                            \
    ((hypre_##name##Data *)object)->num_iterations = outcome.iterations;                           \
    ((hypre_##name##Data *)object)->rel_residual_norm = outcome.norm;                              \
    ((hypre_##name##Data *)object)->converged = outcome.converged;                                 \
    break;
    OVK_TAKE_FAMILIES(WRITE)
#undef WRITE
  default:
    break;
  }
}

/* The residual of the object: created when needed, and destroyed with the object. */
static void **residual_of(ovk__take_family family, void *object)
{
  switch (family) {
#define RESIDUAL(name)                                                                             \
  case OVK_TAKE_##name:                                                                            \
    return &((hypre_##name##Data *)object)->r;
    OVK_TAKE_FAMILIES(RESIDUAL)
#undef RESIDUAL
  default:
    return NULL;
  }
}

void ovk__take_write_residual(ovk__take_family family, HYPRE_Solver solver, HYPRE_ParCSRMatrix A,
                              HYPRE_ParVector b, HYPRE_ParVector x)
{
  void **r = residual_of(family, solver);
  if (!*r) *r = hypre_ParKrylovCreateVector(b);
  if (!*r) return;
  (void)HYPRE_ParVectorCopy(b, *r);
  (void)HYPRE_ParCSRMatrixMatvec(-1, A, x, 1, *r);
}
