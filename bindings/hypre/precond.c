/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers of hypre as preconditioners. hypre never polls: its kernels have no place for that. */
#include "precond.h"
#include "ovk_hypre.h"

#include <_hypre_parcsr_mv.h>
#include <stdlib.h>
#include <string.h>

ovk__hypre_precond *ovk__hypre_precond_open(ovk_ctx *ctx, ovk_err *err)
{
  MPI_Comm comm = MPI_COMM_NULL;
  *err = ovk__hypre_dup(ctx, ovk_ctx_comm(ctx), &comm);
  if (*err) return NULL;
  ovk__hypre_precond *P = calloc(1, sizeof *P);
  if (!P) *err = ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  if (!ovk__hypre_all_well(comm, *err)) {
    (void)MPI_Comm_free(&comm);
    free(P);
    return NULL;
  }
  P->ctx = ctx;
  P->comm = comm;
  (void)HYPRE_Init();
  return P;
}

void ovk__hypre_precond_destroy(void *state)
{
  ovk__hypre_precond *P = state;
  if (!P || !ovk__hypre_mpi_runs()) return; /* hypre would free its communicators */
  if (P->with.solver && P->with.destroy) (void)P->with.destroy(P->with.solver);
  ovk__hypre_vectors_destroy(&P->vectors);
  ovk__hypre_matrix_destroy(&P->copy);
  (void)MPI_Comm_free(&P->comm);
  free(P);
}

/* A Krylov solver of hypre begins with a product, which creates the communication package of A.
 * HYPRE_SchwarzSolve() uses it without a check. */
static void prepare_products(hypre_ParCSRMatrix *A)
{
  if (!hypre_ParCSRMatrixCommPkg(A)) (void)hypre_MatvecCommPkgCreate(A);
}

static ovk_err call_setup(ovk__hypre_precond *P)
{
  const HYPRE_ParVector b = P->b ? P->b : P->vectors.in, x = P->x ? P->x : P->vectors.out;
  P->b = P->x = NULL; /* of the program, which may destroy it */
  prepare_products((hypre_ParCSRMatrix *)P->A);
  const HYPRE_PtrToParSolverFcn setup_function = P->with.setup; /* its name in messages */
  OVK_TRY_HYPRE(P->ctx, setup_function(P->with.solver, P->A, b, x));
  return OVK_OK;
}

/* Setup functions need vectors, although those of hypre do not use their entries. */
static ovk_err set_up_on_matrix(ovk__hypre_precond *P)
{
  const size_t rows = (size_t)ovk__hypre_rows(P->A) + 1;
  double *zeros = calloc(rows, 2 * sizeof *zeros);
  ovk_err err = zeros ? OVK_OK : ovk_ctx_fail(P->ctx, OVK_ERR_MEMORY, "no memory for vectors");
  if (!err && !P->vectors.in) err = ovk__hypre_vectors_create(P->ctx, P->A, &P->vectors);
  if (ovk__hypre_all_well(P->comm, err)) {
    ovk__hypre_vectors_set(&P->vectors, zeros, zeros + rows);
    err = call_setup(P);
  }
  free(zeros);
  return err;
}

static ovk_err hand_over(const ovk_mat *A, ovk__hypre_precond *P)
{
  ovk_err err = OVK_OK;
  if (!P->A) {
    err = ovk__hypre_matrix_create(A, P->comm, &P->copy);
    P->A = P->copy.A;
    if (!ovk__hypre_all_well(P->comm, P->A ? OVK_OK : OVK_ERR_USER)) return err;
  }
  return set_up_on_matrix(P);
}

/* Freeing is collective: if a rank has failed, all ranks free their objects. */
ovk_err ovk__hypre_precond_set_up(const ovk_mat *A, ovk__hypre_precond *P, void **state)
{
  const ovk_err err = hand_over(A, P);
  *state = P;
  if (ovk__hypre_all_well(P->comm, err)) return OVK_OK;
  ovk__hypre_precond_destroy(P);
  *state = NULL;
  return err;
}

ovk_err ovk__hypre_precond_update(const ovk_mat *A, void *state)
{
  ovk__hypre_precond *P = state;
  bool well = true;
  if (P->copy.ij) {
    const ovk_err err = ovk__hypre_matrix_refill(A, &P->copy, &well);
    if (!well) return err;
    if (!ovk__hypre_all_well(P->comm, err)) return err;
  }
  return set_up_on_matrix(P);
}

/* Solvers of hypre start from z. */
ovk_err ovk__hypre_precond_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  ovk__hypre_precond *P = state;
  (void)poll;
  const HYPRE_Int rows = ovk__hypre_rows(P->A);
  if (rows) memset(z, 0, (size_t)rows * sizeof *z);
  ovk__hypre_vectors_set(&P->vectors, r, z);
  const HYPRE_PtrToParSolverFcn solve_function = P->with.solve; /* its name in messages */
  OVK_TRY_HYPRE(P->ctx, solve_function(P->with.solver, P->A, P->vectors.in, P->vectors.out));
  return OVK_OK;
}

/* The argument of setup in ovk__hypre_precond_create_on(). */
typedef struct request {
  ovk__hypre_given given;
  ovk__hypre_solver with;
} request;

static ovk_err hypre_precond_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  const request *q = user;
  ovk_err err;
  (void)spec;
  ovk__hypre_precond *P = ovk__hypre_precond_open(ovk_mat_ctx(A), &err);
  *state = NULL;
  if (!P) return err;
  P->with = q->with;
  P->A = q->given.A;
  P->b = q->given.b;
  P->x = q->given.x;
  return ovk__hypre_precond_set_up(A, P, state);
}

ovk_err ovk__hypre_precond_create_on(ovk_mat *A, ovk__hypre_given given, ovk__hypre_solver with,
                                     ovk_precond **out)
{
  static const ovk_precond_ops ops = {
      .size = sizeof ops,
      .name = "hypre",
      .apply = ovk__hypre_precond_apply,
      .setup = hypre_precond_setup,
      .destroy = ovk__hypre_precond_destroy,
      .update = ovk__hypre_precond_update,
      .never_polls = true,
  };
  request q = {given, with};
  return ovk_precond_create_from_ops(A, with.setup && with.solve ? &ops : NULL, &q, out);
}

ovk_err ovk_hypre_precond_create(ovk_mat *A, HYPRE_Solver hypre, HYPRE_PtrToParSolverFcn setup_,
                                 HYPRE_PtrToParSolverFcn solve, ovk_precond **out)
{
  const ovk__hypre_solver with = {hypre, setup_, solve, NULL};
  return ovk__hypre_precond_create_on(A, (ovk__hypre_given){NULL, NULL, NULL}, with, out);
}
