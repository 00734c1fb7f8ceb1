/* SPDX-License-Identifier: BSD-2-Clause */
/* Plots convergence: solves one system with three preconditioners, records the norm of the residual
 * after each iteration with a monitor, and writes a program for gnuplot.
 *
 *     mpiexec -n 2 ex16_convergence_plot
 *     gnuplot convergence.gp                   writes convergence.svg
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { CURVES = 3, CAPACITY = 200 }; /* CAPACITY: entries of a history */

static const char *const preconds[CURVES] = {"none", "chebyshev", "ic"};

typedef struct curve {
  ovk_progress entries[CAPACITY];
  ovk_history history;
} curve;

/* Records one solve with a preconditioner; collective. */
static ovk_err record(ovk_mat *A, const char *precond, ovk_vec *b, ovk_vec *x, curve *c)
{
  ovk_precond *M = NULL;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_result result = OVK_RESULT;
  c->history = (ovk_history){.entries = c->entries, .capacity = CAPACITY};
  opts.method = "cg";
  opts.monitor = ovk_monitor_record;
  opts.monitor_arg = &c->history;
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_precond_create(A, precond, &M));
  OVK_CALL(err, ovk_vec_fill(x, 0));
  OVK_CALL(err, ovk_pcg_solve(A, M, b, x, &opts, &result));
  ovk_precond_destroy(&M);
  return err;
}

/* Writes the curves as data blocks of a program for gnuplot. Returns false if that fails. */
static bool write_plot(const char *name, const curve curves[CURVES])
{
  FILE *file = fopen(name, "w");
  if (!file) return false;
  for (int k = 0; k < CURVES; k++) {
    const ovk_history *h = &curves[k].history;
    fprintf(file, "$%s << END\n", preconds[k]);
    for (int i = 0; i < h->count && i < h->capacity; i++) {
      const ovk_progress *p = &h->entries[i];
      fprintf(file, "%d %.6e\n", p->iteration, p->residual_norm / p->rhs_norm);
    }
    fprintf(file, "END\n");
  }
  fprintf(file, "set terminal svg\nset output 'convergence.svg'\nset logscale y\n"
                "set xlabel 'iteration'\nset ylabel '||r|| / ||b||'\nplot ");
  for (int k = 0; k < CURVES; k++) {
    fprintf(file, "%s$%s with lines title '%s'", k ? ", " : "", preconds[k], preconds[k]);
  }
  fprintf(file, "\n");
  return fclose(file) == 0;
}

int main(int argc, char **argv)
{
  static curve curves[CURVES];
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  int rank, nranks;
  bool written = true;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nranks);
  const int n[3] = {20, 20, 20}, grid[3] = {1, 1, nranks};
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  OVK_CALL(err, ovk_gallery_laplace7(ctx, n, grid, NULL, &A));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1));
  for (int k = 0; k < CURVES; k++) {
    OVK_CALL(err, record(A, preconds[k], b, x, &curves[k]));
    if (!err && rank == 0) {
      printf("%-10s %d iterations\n", preconds[k], curves[k].history.count - 1);
    }
  }
  if (!err && rank == 0) written = write_plot("convergence.gp", curves);
  if (rank == 0 && err) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  if (!written) perror("convergence.gp");
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && written ? 0 : 1;
}
