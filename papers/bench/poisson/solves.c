/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with each transport of faces, and their verification. */
#include "bench/poisson/solves.h"
#include "tool.h"

#include <math.h>
#include <string.h>

static int record(void *self, const ovk_progress *progress)
{
  const solves *s = self;
  s->now->residuals[progress->iteration] = progress->residual_norm;
  return 0;
}

static ovk_err create_solver(solves *s, double rtol, ovk_solver **out)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = s->request.method;
  opts.backend = s->request.backend;
  opts.rtol = rtol;
  opts.maxit = SOLVES_MAXIT;
  opts.monitor = record;
  opts.monitor_arg = s;
  return ovk_solver_create(s->A, NULL, &opts, out);
}

ovk_err solves_create(ovk_ctx *ctx, const solves_request *request, solves *out)
{
  out->ctx = ctx;
  out->request = *request;
  TRY(laplace_create(ctx, request->points, request->spec, request->polls,
                     &out->operator, & out->A));
  TRY(ovk_mat_create_vec(out->A, &out->b));
  TRY(ovk_mat_create_vec(out->A, &out->first.u));
  TRY(ovk_mat_create_vec(out->A, &out->other.u));
  laplace_rhs(&out->operator, ovk_vec_array(out->b));
  for (int k = 0; k < request->nstops; k++) {
    TRY(create_solver(out, request->rtol[k], &out->solvers[k]));
  }
  return OVK_OK;
}

void solves_destroy(solves *s)
{
  for (int k = 0; k < SOLVES_STOPS; k++) ovk_solver_destroy(&s->solvers[k]);
  ovk_vec_destroy(&s->other.u);
  ovk_vec_destroy(&s->first.u);
  ovk_vec_destroy(&s->b);
  ovk_mat_destroy(&s->A);
  laplace_destroy(&s->operator);
}

static bool are_same(const double *a, const double *b, int n)
{
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* Whether two solves have the same residuals and result, bit for bit. */
static bool took_same(const path *a, const path *b)
{
  return a->result.iterations == b->result.iterations &&
         are_same(a->residuals, b->residuals, a->result.iterations + 1) &&
         are_same(ovk_vec_array_const(a->u), ovk_vec_array_const(b->u), ovk_vec_local_size(a->u));
}

/* The maximum of |u - 1| on this rank. */
static double error_of(const ovk_vec *u)
{
  double error = 0;
  for (ovk_lidx k = 0; k < ovk_vec_local_size(u); k++) {
    const double here = fabs(ovk_vec_array_const(u)[k] - 1);
    error = isnan(here) ? INFINITY : fmax(error, here);
  }
  return error;
}

/* The smallest eigenvalue of the operator. */
static double smallest_eigenvalue(const int points[3])
{
  double sum = 0;
  for (int d = 0; d < 3; d++) sum += 4 * pow(sin(acos(-1) / 2 / (points[d] + 1.0)), 2);
  return sum;
}

/* The error of u is A^-1 (b - A u), so its norm is at most that of the residual over the smallest
 * eigenvalue. The iterates of all ways must be the same. */
static ovk_err check(const solves *s, const char *transport)
{
  const ovk_result *result = &s->now->result;
  if (result->reason < 0) {
    return ovk_ctx_fail(s->ctx, OVK_ERR_INTERNAL, "%s: CG did not converge: %s", transport,
                        ovk_reason_text(result->reason));
  }
  double found[2] = {!took_same(&s->first, s->now), error_of(s->now->u)};
  TRY(tool_greatest(s->ctx, found, 2));
  if (found[0] != 0) {
    return ovk_ctx_fail(s->ctx, OVK_ERR_INTERNAL, "%s: other iterates than with %s", transport,
                        halo_names[HALO_BLOCKING]);
  }
  const double residual = result->true_relative_residual * result->rhs_norm;
  const double allowed = residual / smallest_eigenvalue(s->request.points) + 1e-10;
  if (found[1] <= allowed) return OVK_OK;
  return ovk_ctx_fail(s->ctx, OVK_ERR_INTERNAL, "%s: u is wrong by %.3g, its residual allows %.3g",
                      transport, found[1], allowed);
}

ovk_err solves_run(solves *s, int stop, halo_transport transport)
{
  path *now = s->now = transport == HALO_BLOCKING ? &s->first : &s->other;
  s->operator.halo.transport = transport;
  TRY(ovk_vec_fill(now->u, 0));
  TRY(tool_mpi(s->ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"));
  TRY(ovk_solver_solve(s->solvers[stop], s->b, now->u, &now->result));
  TRY(tool_greatest(s->ctx, &now->result.seconds.solve, 1));
  return check(s, halo_names[transport]);
}
