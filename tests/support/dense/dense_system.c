/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense systems. */
#include "support/problem.h"

/* A <- H A H with H = I - 2 u u^T / (u,u): keeps the spectrum. */
static void reflect(int n, double *A, const double *u)
{
  double uu = 0;
  for (int i = 0; i < n; i++) uu += u[i] * u[i];
  for (int side = 0; side < 2; side++) {
    const int along = side ? 1 : n, across = side ? n : 1;
    for (int j = 0; j < n; j++) {
      double dot = 0;
      for (int i = 0; i < n; i++) dot += u[i] * A[i * along + j * across];
      for (int i = 0; i < n; i++) A[i * along + j * across] -= 2 * dot / uu * u[i];
    }
  }
}

double *random_spd(int n, double condition, uint64_t seed)
{
  double *A = calloc((size_t)n * (size_t)n, sizeof *A);
  scoped_array double *u = malloc((size_t)n * sizeof *u);
  assert_true(A && u);
  for (int i = 0; i < n; i++) {
    A[i * n + i] =
        pow(condition, n > 1 ? -(double)i / (n - 1) : 0); /* eigenvalues 1 to 1/condition */
  }
  for (uint64_t k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) u[i] = random_number(seed + k, (uint64_t)i) - 0.5;
    reflect(n, A, u);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
  }
  return A;
}

ovk_mat *distribute(ovk_ctx *ctx, const double *dense, int n, ovk_lidx nlocal)
{
  ovk_mat *A = NULL;
  assert_ok(ovk_mat_create(ctx, nlocal, &A));
  assert_int_equal(ovk_mat_size(A), n);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + nlocal; i++) {
    for (ovk_gidx j = 0; j < n; j++) assert_ok(ovk_mat_add(A, i, j, dense[i * n + j]));
  }
  return assembled(A);
}

ovk_lidx even_share(int n, int rank, int size)
{
  return (ovk_lidx)(n / size + (rank < n % size));
}

dense_system new_bare_system(double *A, int n, const double *b)
{
  dense_system S = {.n = n, .A_all = A, .b_all = new_memory((size_t)n * sizeof *S.b_all)};
  for (int i = 0; i < n; i++) S.b_all[i] = b ? b[i] : 1;
  S.A = distribute(test_ctx(), A, n, even_share(n, test_rank, test_size));
  S.b = new_vec(S.A);
  S.x = new_vec(S.A);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(S.b); i++) {
    ovk_vec_array(S.b)[i] = S.b_all[ovk_vec_first(S.b) + i];
  }
  return S;
}

dense_system new_dense_system(double *A, int n, uint64_t seed, double scale_A, double scale_b)
{
  scoped_array double *b = new_memory((size_t)n * sizeof *b);
  for (int i = 0; i < n * n; i++) A[i] *= scale_A;
  for (int i = 0; i < n; i++) b[i] = (random_number(seed, (uint64_t)i) - 0.5) * scale_b;
  dense_system S = new_bare_system(A, n, b);
  S.M = new_precond(S.A, "jacobi");
  return S;
}

dense_system new_random_system(int n, double condition, uint64_t seed)
{
  return new_dense_system(random_spd(n, condition, seed), n, seed + 77, 1, 1);
}

void clear_dense_system(dense_system *S)
{
  free(S->A_all);
  free(S->b_all);
  ovk_precond_destroy(&S->M);
  ovk_mat_destroy(&S->A);
  ovk_vec_destroy(&S->b);
  ovk_vec_destroy(&S->x);
}

ovk_result solve_dense_system(const dense_system *S, ovk_precond *M, const ovk_solver_opts *opts)
{
  assert_ok(ovk_vec_fill(S->x, 0));
  return solve_alike(S->A, M, S->b, S->x, opts);
}

double dense_residual(const dense_system *S, double *rounding)
{
  double *x = calloc((size_t)S->n, sizeof *x), rr = 0, bb = 0, ss = 0;
  assert_non_null(x);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(S->x); i++) {
    x[ovk_vec_first(S->x) + i] = ovk_vec_array(S->x)[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, x, S->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < S->n; i++) {
    double r = S->b_all[i], size = fabs(r);
    for (int j = 0; j < S->n; j++) {
      r -= S->A_all[i * S->n + j] * x[j];
      size += fabs(S->A_all[i * S->n + j] * x[j]);
    }
    rr += r * r;
    ss += size * size;
    bb += S->b_all[i] * S->b_all[i];
  }
  free(x);
  *rounding = 4 * DBL_EPSILON * sqrt(ss / bb);
  return sqrt(rr / bb);
}

void textbook_cg(const dense_system *S, int steps, double *norms, double *x)
{
  const int n = S->n;
  const double *A = S->A_all;
  double *work = calloc(4 * (size_t)n, sizeof *work), rz = 0;
  assert_non_null(work);
  double *r = work, *z = r + n, *p = z + n, *Ap = p + n;
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    r[i] = S->b_all[i];
    p[i] = z[i] = r[i] / A[i * n + i];
    rz += r[i] * z[i];
  }
  for (int k = 0; k < steps; k++) {
    double pAp = 0, rr = 0, rz_new = 0;
    for (int i = 0; i < n; i++) {
      Ap[i] = 0;
      for (int j = 0; j < n; j++) Ap[i] += A[i * n + j] * p[j];
      pAp += p[i] * Ap[i];
    }
    for (int i = 0; i < n; i++) {
      x[i] += rz / pAp * p[i];
      r[i] -= rz / pAp * Ap[i];
      z[i] = r[i] / A[i * n + i];
      rr += r[i] * r[i];
      rz_new += r[i] * z[i];
    }
    for (int i = 0; i < n; i++) p[i] = z[i] + rz_new / rz * p[i];
    rz = rz_new;
    norms[k] = sqrt(rr);
  }
  free(work);
}

void check_steps(const dense_system *S, ovk_precond *M, ovk_solver_opts opts, int steps,
                 const double *norms, double most)
{
  scoped_array ovk_progress *entries = calloc((size_t)steps + 1, sizeof *entries);
  assert_non_null(entries);
  ovk_history history = {entries, steps + 1, 0};
  opts.rtol = 0;
  opts.maxit = steps;
  opts.true_residual_every = 1;
  opts.monitor = ovk_monitor_record;
  opts.monitor_arg = &history;
  const ovk_result res = solve_dense_system(S, M, &opts);
  assert_int_equal(res.reason, OVK_REASON_MAXIT);
  assert_int_equal(res.iterations, steps);
  assert_int_equal(history.count, steps + 1);
  for (int k = 0; k <= steps; k++) {
    const double norm = k ? norms[k - 1] : entries[0].rhs_norm;
    assert_int_equal(entries[k].iteration, k);
    assert_true(fabs(entries[k].residual_norm - norm) < most);
    assert_true(fabs(entries[k].true_residual_norm - norm) < most);
  }
}

int ask(void *arg, const ovk_progress *progress)
{
  asking *a = arg;
  double norm;
  assert_ok(ovk_solver_current_x(a->solver, a->x));
  assert_ok(ovk_mat_mult(a->P->A, a->x, a->r));
  assert_ok(ovk_vec_axpy(-1, a->P->b, a->r));
  assert_ok(ovk_vec_norm(a->r, &norm));
  assert_true(fabs(norm - progress->residual_norm) < a->tolerance * progress->rhs_norm);
  a->calls++;
  return 0;
}
