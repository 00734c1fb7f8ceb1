/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver of hypre: its PCG, with the preconditioners of hypre_precond.c, on a ParCSR matrix
 * made through the IJ interface. */
#include "hypre_precond.h"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <stdlib.h>

typedef struct state {
  ovk_ctx *ctx;
  const options *options;
  HYPRE_Int rows;
  HYPRE_BigInt first, *indices; /* of this rank's rows */
  HYPRE_IJMatrix matrix;
  HYPRE_ParCSRMatrix A; /* `matrix` in the type that the solver takes */
  HYPRE_IJVector vectors[PEER_VECTORS];
  HYPRE_Solver solver;
  hypre_precond precond;
} state;

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

static const char *version(void)
{
  return HYPRE_RELEASE_VERSION;
}

/* A block of rows in the types of hypre. */
typedef struct entries {
  HYPRE_Int *counts, *own, *others; /* all of a row, own columns, other ranks' columns */
  HYPRE_BigInt *col;
} entries;

static void free_entries(entries *e)
{
  free(e->counts);
  free(e->own);
  free(e->others);
  free(e->col);
}

static ovk_err make_entries(const state *s, const block *rows, entries *e)
{
  const size_t n = (size_t)s->rows + 1, nnz = (size_t)block_nnz(rows);
  *e = (entries){malloc(n * sizeof *e->counts), malloc(n * sizeof *e->own),
                 malloc(n * sizeof *e->others), malloc((nnz + 1) * sizeof *e->col)};
  if (!e->counts || !e->own || !e->others || !e->col) {
    return ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory for %zu entries", nnz);
  }
  for (ovk_lidx i = 0; i < rows->rows; i++) {
    e->counts[i] = (HYPRE_Int)(rows->ptr[i + 1] - rows->ptr[i]);
    e->own[i] = 0;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      e->col[k] = (HYPRE_BigInt)rows->col[k];
      e->own[i] += rows->col[k] >= rows->first && rows->col[k] < rows->first + rows->rows;
    }
    e->others[i] = e->counts[i] - e->own[i];
  }
  return OVK_OK;
}

static ovk_err set_entries(state *s, const block *rows, entries *e)
{
  const HYPRE_BigInt last = s->first + s->rows - 1;
  HYPRE_IJMatrix *A = &s->matrix;
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixCreate(MPI_COMM_WORLD, s->first, last, s->first, last, A));
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixSetObjectType(*A, HYPRE_PARCSR));
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixSetDiagOffdSizes(*A, e->own, e->others));
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixInitialize(*A));
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixSetValues(*A, s->rows, e->counts, s->indices, e->col, rows->val));
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixAssemble(*A));
  void *object = NULL;
  TRY_HYPRE(s->ctx, HYPRE_IJMatrixGetObject(*A, &object));
  s->A = object;
  return OVK_OK;
}

static ovk_err create_vectors(state *s)
{
  for (int k = 0; k < PEER_VECTORS; k++) {
    HYPRE_IJVector *v = &s->vectors[k];
    TRY_HYPRE(s->ctx, HYPRE_IJVectorCreate(MPI_COMM_WORLD, s->first, s->first + s->rows - 1, v));
    TRY_HYPRE(s->ctx, HYPRE_IJVectorSetObjectType(*v, HYPRE_PARCSR));
    TRY_HYPRE(s->ctx, HYPRE_IJVectorInitialize(*v));
    TRY_HYPRE(s->ctx, HYPRE_IJVectorAssemble(*v));
  }
  return OVK_OK;
}

static ovk_err assemble(ovk_ctx *ctx, const options *o, const block *rows, void **out)
{
  state *s = calloc(1, sizeof *s);
  if (!s) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory");
  *out = s;
  *s = (state){.ctx = ctx, .options = o, .rows = rows->rows, .first = (HYPRE_BigInt)rows->first};
  TRY_HYPRE(ctx, HYPRE_Init());
  s->indices = malloc(((size_t)s->rows + 1) * sizeof *s->indices);
  if (!s->indices) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for indices");
  for (HYPRE_Int i = 0; i < s->rows; i++) s->indices[i] = s->first + i;
  entries e;
  ovk_err err = make_entries(s, rows, &e);
  if (!err) err = set_entries(s, rows, &e);
  free_entries(&e);
  return err ? err : create_vectors(s);
}

static HYPRE_ParVector vector_of(const state *s, int vector)
{
  void *object = NULL;
  (void)HYPRE_IJVectorGetObject(s->vectors[vector], &object);
  return object;
}

/* The same stopping test as ovkrylov's: with its "two-norm" hypre stops at ||r|| <= tol ||b||, of
 * the recurrence's r and without the preconditioner. */
static ovk_err prepare(void *data, int maxit)
{
  state *s = data;
  if (s->solver) {
    TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGSetMaxIter(s->solver, maxit));
    return OVK_OK;
  }
  TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &s->solver));
  TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGSetTwoNorm(s->solver, 1));
  TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGSetTol(s->solver, s->options->rtol));
  TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGSetMaxIter(s->solver, maxit));
  TRY(hypre_precond_create(s->ctx, s->options->precond, options_unknowns(s->options), &s->precond));
  TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGSetPrecond(s->solver, s->precond.apply, s->precond.setup,
                                              s->precond.solver));
  TRY_HYPRE(s->ctx,
            HYPRE_ParCSRPCGSetup(s->solver, s->A, vector_of(s, PEER_B), vector_of(s, PEER_X)));
  return OVK_OK;
}

static ovk_err refill(void *data, const block *rows)
{
  state *s = data;
  entries e;
  ovk_err err = make_entries(s, rows, &e);
  if (!err &&
      (HYPRE_IJMatrixInitialize(s->matrix) ||
       HYPRE_IJMatrixSetValues(s->matrix, s->rows, e.counts, s->indices, e.col, rows->val) ||
       HYPRE_IJMatrixAssemble(s->matrix))) {
    err = hypre_failed(s->ctx, "HYPRE_IJMatrixSetValues", HYPRE_GetError());
  }
  free_entries(&e);
  return err;
}

/* BoomerAMG keeps nothing. */
static ovk_err update(void *data)
{
  state *s = data;
  TRY_HYPRE(s->ctx,
            HYPRE_ParCSRPCGSetup(s->solver, s->A, vector_of(s, PEER_B), vector_of(s, PEER_X)));
  return OVK_OK;
}

static ovk_err solve(void *data, peer_outcome *out)
{
  state *s = data;
  HYPRE_Int iterations = 0, converged = 0;
  const HYPRE_Int code =
      HYPRE_ParCSRPCGSolve(s->solver, s->A, vector_of(s, PEER_B), vector_of(s, PEER_X));
  if (code && !HYPRE_CheckError(code, HYPRE_ERROR_CONV)) {
    return hypre_failed(s->ctx, "HYPRE_ParCSRPCGSolve", code);
  }
  (void)HYPRE_ClearAllErrors(); /* the iteration limit is one, and would persist */
  TRY_HYPRE(s->ctx, HYPRE_ParCSRPCGGetNumIterations(s->solver, &iterations));
  TRY_HYPRE(s->ctx, HYPRE_PCGGetConverged(s->solver, &converged));
  *out = (peer_outcome){(int)iterations, converged != 0};
  return OVK_OK;
}

static ovk_err product(void *data)
{
  state *s = data;
  TRY_HYPRE(s->ctx,
            HYPRE_ParCSRMatrixMatvec(1, s->A, vector_of(s, PEER_X), 0, vector_of(s, PEER_Y)));
  return OVK_OK;
}

/* Solvers of hypre start from Y: PCG, too, sets it to 0 before. */
static ovk_err precond_apply(void *data)
{
  state *s = data;
  TRY_HYPRE(s->ctx, HYPRE_ParVectorSetConstantValues(vector_of(s, PEER_Y), 0));
  TRY_HYPRE(s->ctx,
            s->precond.apply(s->precond.solver, s->A, vector_of(s, PEER_X), vector_of(s, PEER_Y)));
  return OVK_OK;
}

static ovk_err load(void *data, int vector, const double *values)
{
  state *s = data;
  TRY_HYPRE(s->ctx, HYPRE_IJVectorSetValues(s->vectors[vector], s->rows, s->indices, values));
  return OVK_OK;
}

static ovk_err fetch(void *data, int vector, double *values)
{
  state *s = data;
  TRY_HYPRE(s->ctx, HYPRE_IJVectorGetValues(s->vectors[vector], s->rows, s->indices, values));
  return OVK_OK;
}

static peer_facts facts(const void *data)
{
  const state *s = data;
  return (peer_facts){.method = s->solver ? "pcg" : NULL, .format = "parcsr"};
}

static void close_all(void *data)
{
  state *s = data;
  if (s->solver) (void)HYPRE_ParCSRPCGDestroy(s->solver);
  hypre_precond_destroy(&s->precond);
  for (int k = 0; k < PEER_VECTORS; k++) (void)HYPRE_IJVectorDestroy(s->vectors[k]);
  (void)HYPRE_IJMatrixDestroy(s->matrix);
  free(s->indices);
  free(s);
  (void)HYPRE_Finalize();
}

int main(int argc, char **argv)
{
  static const peer_ops ops = {.program = "hypre_pcg", PEER_FUNCTIONS};
  return peer_main(argc, argv, &ops);
}
