/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one preconditioner. */
#include "bench/precond/application.h"
#include "bench/precond/traffic.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>

typedef ovk_err (*action)(const ovk_precond *M, const ovk_vec *in, ovk_vec *out, ovk_poll poll);

/* *seconds <- those of one out <- first(in), and if there is a `second`, x <- second(out) */
static ovk_err time_actions(application *a, const ovk_precond *M, action first, action second,
                            double *seconds)
{
  double start = 0;
  for (int k = -1; k < a->times; k++) { /* -1: the warm-up */
    if (k == 0) TRY(timing_start(a->ctx, &start));
    TRY(first(M, a->in, a->out, ovk_poll_none()));
    if (second) TRY(second(M, a->out, a->x, ovk_poll_none()));
  }
  *seconds = (MPI_Wtime() - start) / a->times;
  return tool_greatest(a->ctx, seconds, 1);
}

/* *seconds <- those of a column of one application to several */
static ovk_err time_columns(application *a, ovk_precond *M, double *seconds)
{
  double start = 0;
  for (int k = -1; k < a->times; k++) { /* -1: the warm-up */
    if (k == 0) TRY(timing_start(a->ctx, &start));
    TRY(ovk_precond_apply_many(M, a->columns_in, a->columns_out, ovk_poll_none()));
  }
  *seconds = (MPI_Wtime() - start) / a->times / ovk_multivec_columns(a->columns_in);
  return tool_greatest(a->ctx, seconds, 1);
}

static ovk_err set_up(const application *a, const char *spec, ovk_precond **M, double *seconds)
{
  double start;
  TRY(timing_start(a->ctx, &start));
  TRY(ovk_precond_create(a->problem.A, spec, M));
  *seconds = MPI_Wtime() - start;
  return tool_greatest(a->ctx, seconds, 1);
}

/* *seconds <- those of an update, here with the values that M has already */
static ovk_err update(const application *a, ovk_precond *M, double *seconds)
{
  double start;
  TRY(timing_start(a->ctx, &start));
  TRY(ovk_precond_update(M));
  *seconds = MPI_Wtime() - start;
  return tool_greatest(a->ctx, seconds, 1);
}

/* Whether M has factors; an error that is not about that is returned. */
static ovk_err find_factors(ovk_precond *M, bool *has)
{
  const ovk_err err = ovk_precond_factor(M);
  *has = err == OVK_OK;
  return err == OVK_ERR_UNSUPPORTED || err == OVK_ERR_INDEFINITE || err == OVK_ERR_ARG ? OVK_OK
                                                                                       : err;
}

/* Bytes of the matrix in compressed rows: 12 an entry and 8 a row. */
static double csr_bytes(const ovk_mat *A)
{
  return 12. * (double)ovk_mat_nnz(A) + 8. * (double)ovk_mat_size(A);
}

static ovk_err measure_applications(application *a, const char *spec, ovk_precond *M, double *f)
{
  bool factors;
  traffic t;
  TRY(time_actions(a, M, ovk_precond_apply, NULL, &f[APPLICATION_APPLY]));
  TRY(time_columns(a, M, &f[APPLICATION_COLUMN]));
  f[APPLICATION_COLUMN] /= f[APPLICATION_APPLY];
  f[APPLICATION_HELD] = (double)ovk_precond_bytes(M);
  f[APPLICATION_OF_CSR] = f[APPLICATION_HELD] / csr_bytes(a->problem.A);
  TRY(find_factors(M, &factors));
  f[APPLICATION_LEFT_RIGHT] = NAN;
  if (factors) {
    TRY(time_actions(a, M, ovk_precond_apply_left, ovk_precond_apply_right,
                     &f[APPLICATION_LEFT_RIGHT]));
  }
  TRY(traffic_of(a->problem.A, M, spec, factors, &t));
  f[APPLICATION_TRAFFIC] = t.read + t.swept;
  TRY(traffic_time(a->ctx, &t, a->times, &f[APPLICATION_MODEL]));
  f[APPLICATION_RATIO] = f[APPLICATION_APPLY] / f[APPLICATION_MODEL];
  return OVK_OK;
}

static ovk_err solve(application *a, ovk_solver *solver, double *f)
{
  ovk_result result = OVK_RESULT;
  double start;
  TRY(ovk_vec_fill(a->x, 0));
  TRY(timing_start(a->ctx, &start));
  TRY(ovk_solver_solve(solver, a->problem.b, a->x, &result));
  double seconds = MPI_Wtime() - start;
  TRY(tool_greatest(a->ctx, &seconds, 1));
  f[APPLICATION_ITERATIONS] = result.reason > 0 ? result.iterations : (double)NAN;
  f[APPLICATION_SOLVE] = result.reason > 0 ? seconds : (double)NAN;
  return OVK_OK;
}

static ovk_err measure_solve_with(application *a, ovk_precond *M, double *f)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_solver *solver = NULL;
  opts.method = a->method;
  opts.rtol = a->rtol;
  opts.maxit = a->maxit;
  ovk_err err = ovk_solver_create(a->problem.A, M, &opts, &solver);
  if (!err) err = solve(a, solver, f);
  ovk_solver_destroy(&solver);
  return err;
}

ovk_err application_measure(application *a, const char *spec, double figures[APPLICATION_FIGURES])
{
  ovk_precond *M = NULL;
  ovk_err err = set_up(a, spec, &M, &figures[APPLICATION_SETUP]);
  if (!err) err = update(a, M, &figures[APPLICATION_UPDATE]);
  if (!err) err = measure_applications(a, spec, M, figures);
  if (!err) err = measure_solve_with(a, M, figures);
  ovk_precond_destroy(&M);
  return err;
}
