/* SPDX-License-Identifier: BSD-2-Clause */
/* Time steps: the heat equation u_t = (a(t) u_x)_x by implicit Euler. The values of A change with
 * the step, its pattern does not, so that matrix, preconditioner, solver and vectors are kept; a
 * solve starts from the last step's solution.
 *
 *     mpiexec -n 2 ex14_time_steps
 */
#include <math.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { ROWS = 500, STEPS = 10 }; /* rows of a rank */

/* I - dt d/dx a d/dx in units of the mesh; collective. */
static ovk_err heat_fill(ovk_mat *A, double a)
{
  const ovk_gidx first = ovk_mat_row_begin(A), n = ovk_mat_size(A);
  for (ovk_gidx i = first; i < first + ROWS; i++) {
    ovk_mat_add(A, i, i, 1 + 2 * a); /* a failure is kept for ovk_mat_assemble() */
    if (i > 0) ovk_mat_add(A, i, i - 1, -a);
    if (i < n - 1) ovk_mat_add(A, i, i + 1, -a);
  }
  return ovk_mat_assemble(A);
}

/* u <- the next step's: A u = old. */
static ovk_err heat_step(ovk_mat *A, ovk_solver *solver, double a, ovk_vec *old, ovk_vec *u,
                         ovk_result *res)
{
  ovk_err err = ovk_mat_reset_values(A); /* the pattern stays */
  OVK_CALL(err, heat_fill(A, a));
  if (!err) err = ovk_solver_update(solver); /* the preconditioner of the new values */
  OVK_CALL(err, ovk_vec_copy(u, old));
  return err ? err : ovk_solver_solve(solver, old, u, res);
}

int main(int argc, char **argv)
{
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_solver *solver = NULL;
  ovk_vec *old = NULL, *u = NULL;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_result res = OVK_RESULT;
  double before = 0, after = 0;
  opts.spd = true;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  ovk_ctx_on_notice(ctx, ovk_notice_print, rank == 0 ? stderr : NULL);
  OVK_CALL(err, ovk_mat_create(ctx, ROWS, &A));
  OVK_CALL(err, heat_fill(A, 1));
  OVK_CALL(err, ovk_precond_create(A, "ic", &M));
  OVK_CALL(err, ovk_solver_create(A, M, &opts, &solver));
  OVK_CALL(err, ovk_mat_create_vec(A, &old));
  OVK_CALL(err, ovk_mat_create_vec(A, &u));
  OVK_CALL(err, ovk_vec_fill(u, 1));
  OVK_CALL(err, ovk_vec_norm(u, &before));
  for (int k = 0; k < STEPS && !err && res.reason >= 0; k++) {
    err = heat_step(A, solver, 1 + sin(0.3 * k), old, u, &res);
    if (rank == 0 && !err)
      printf("step %d: %s, %d iterations\n", k, ovk_reason_text(res.reason), res.iterations);
  }
  OVK_CALL(err, ovk_vec_norm(u, &after));
  if (rank == 0 && (err || res.reason < 0))
    fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_vec_destroy(&u);
  ovk_vec_destroy(&old);
  ovk_solver_destroy(&solver);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && res.reason > 0 && after < before ? 0 : 1; /* heat leaves at the ends */
}
