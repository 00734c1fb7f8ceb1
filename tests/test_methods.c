/* SPDX-License-Identifier: BSD-2-Clause */
/* Every method of the list against a textbook CG and against LAPACK, over both backends. */
#include "support/matrices.h"
#include "support/test_main.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

static const char *const backends[] = {"blocking", "iallreduce", "nbc", "nbc:alg=flat", "shm"};
enum { BACKENDS = sizeof backends / sizeof *backends };

/* Textbook preconditioned CG (Hestenes and Stiefel 1952; Saad 2003, algorithm 9.1) with the
 * diagonal preconditioner: ||r|| after each of `steps` iterations, and x at the end. */
static void textbook_cg(const double *A, const double *b, int steps, double *norms, double *x)
{
  double r[N], z[N], p[N], Ap[N], rz = 0;
  for (int i = 0; i < N; i++) {
    x[i] = 0;
    r[i] = b[i];
    p[i] = z[i] = r[i] / A[i * N + i];
    rz += r[i] * z[i];
  }
  for (int k = 0; k < steps; k++) {
    double pAp = 0, rr = 0, rz_new = 0;
    for (int i = 0; i < N; i++) {
      Ap[i] = 0;
      for (int j = 0; j < N; j++) Ap[i] += A[i * N + j] * p[j];
      pAp += p[i] * Ap[i];
    }
    for (int i = 0; i < N; i++) {
      x[i] += rz / pAp * p[i];
      r[i] -= rz / pAp * Ap[i];
      z[i] = r[i] / A[i * N + i];
      rr += r[i] * r[i];
      rz_new += r[i] * z[i];
    }
    for (int i = 0; i < N; i++) p[i] = z[i] + rz_new / rz * p[i];
    rz = rz_new;
    norms[k] = sqrt(rr);
  }
}

typedef struct problem {
  double *dense;
  double b_all[N];
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} problem;

static problem make(double condition)
{
  problem P = {.dense = random_spd(N, condition, 5)};
  P.A = distribute(test_ctx(), P.dense, N, even_share(N, test_rank, test_size));
  assert_ok(ovk_precond_create(P.A, "jacobi", &P.M));
  assert_ok(ovk_mat_create_vec(P.A, &P.b));
  assert_ok(ovk_mat_create_vec(P.A, &P.x));
  for (uint64_t i = 0; i < N; i++) P.b_all[i] = random_number(6, i) - 0.5;
  memcpy(ovk_vec_array(P.b), P.b_all + ovk_vec_first(P.b),
         (size_t)ovk_vec_local_size(P.b) * sizeof(double));
  return P;
}

static void clear(problem *P)
{
  free(P->dense);
  ovk_precond_destroy(&P->M);
  ovk_mat_destroy(&P->A);
  ovk_vec_destroy(&P->b);
  ovk_vec_destroy(&P->x);
}

static void the_first_steps_are_those_of_textbook_cg(void **state)
{
  (void)state;
  enum { STEPS = 12 };
  problem P = make(10);
  double norms[STEPS], x[N];
  textbook_cg(P.dense, P.b_all, STEPS, norms, x);
  ovk_choice method;
  for (int m = 0; ovk_list_methods(test_ctx(), m, &method); m++) {
    for (int k = 0; k < BACKENDS; k++) {
      ovk_progress entries[STEPS + 1];
      ovk_history history = {entries, STEPS + 1, 0};
      ovk_pcg_opts opts = OVK_PCG_OPTS;
      ovk_result res;
      opts.method = method.name;
      opts.backend = backends[k];
      opts.rtol = 0;
      opts.maxit = STEPS;
      opts.true_residual_every = 1;
      opts.monitor = ovk_monitor_record;
      opts.monitor_arg = &history;
      assert_ok(ovk_vec_fill(P.x, 0));
      assert_ok(ovk_pcg_solve(P.A, P.M, P.b, P.x, &opts, &res));
      assert_int_equal(res.reason, OVK_MAXIT);
      assert_int_equal(res.iterations, STEPS);
      assert_int_equal(history.count, STEPS + 1);
      for (int i = 0; i < STEPS; i++) {
        assert_int_equal(entries[i + 1].iteration, i + 1);
        assert_true(fabs(entries[i + 1].residual_norm - norms[i]) < 1e-12 * norms[0]);
        assert_true(fabs(entries[i + 1].true_residual_norm - norms[i]) < 1e-12 * norms[0]);
      }
      for (ovk_lidx i = 0; i < ovk_vec_local_size(P.x); i++) {
        assert_close(ovk_vec_array(P.x)[i], x[ovk_vec_first(P.x) + i], 1e-11);
      }
    }
  }
  clear(&P);
}

static void the_solution_is_that_of_lapack(void **state)
{
  (void)state;
  const double conditions[] = {1, 1e2, 1e6}; /* no residual can be smaller than about eps cond */
  const double rtols[] = {1e-13, 1e-11, 1e-8};
  for (int c = 0; c < 3; c++) {
    problem P = make(conditions[c]);
    double *factor = malloc(N * N * sizeof *factor), x[N];
    assert_non_null(factor);
    memcpy(factor, P.dense, N * N * sizeof *factor);
    memcpy(x, P.b_all, sizeof x);
    assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', N, 1, factor, N, x, 1), 0);
    double size = 0;
    for (int i = 0; i < N; i++) size = fmax(size, fabs(x[i]));
    ovk_choice method;
    for (int m = 0; ovk_list_methods(test_ctx(), m, &method); m++) {
      ovk_pcg_opts opts = OVK_PCG_OPTS;
      ovk_result res;
      opts.method = method.name;
      opts.rtol = rtols[c];
      assert_ok(ovk_vec_fill(P.x, 0));
      assert_ok(ovk_pcg_solve(P.A, P.M, P.b, P.x, &opts, &res));
      assert_int_equal(res.reason, OVK_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01 * rtols[c]);
      for (ovk_lidx i = 0; i < ovk_vec_local_size(P.x); i++) {
        const double error = fabs(ovk_vec_array(P.x)[i] - x[ovk_vec_first(P.x) + i]);
        assert_true(error <= 10 * rtols[c] * conditions[c] * size);
      }
    }
    free(factor);
    clear(&P);
  }
}

/* With rtol = 0 a method runs until it gets no better: as close as classic CG gets, and no lie. */
static void attainable_accuracy_is_reached_and_called_stagnation(void **state)
{
  (void)state;
  problem P = make(1e4);
  ovk_choice method;
  for (int m = 0; ovk_list_methods(test_ctx(), m, &method); m++) {
    ovk_pcg_opts opts = OVK_PCG_OPTS;
    ovk_result res;
    opts.method = method.name;
    opts.rtol = 0;
    assert_ok(ovk_vec_fill(P.x, 0));
    assert_ok(ovk_pcg_solve(P.A, P.M, P.b, P.x, &opts, &res));
    assert_int_equal(res.reason, OVK_STAGNATED);
    assert_true(res.restarts >= 1);
    assert_true(res.true_relative_residual < 1e-12);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "gets no smaller"));
  }
  clear(&P);
}

/* Sizes of b that square out of the comfortable range must not change the iteration. */
static void scaling_b_changes_nothing(void **state)
{
  (void)state;
  const double scales[] = {1, 0x1p332, 0x1p-332}; /* about 1e100: powers of two round nothing */
  problem P = make(1e3);
  ovk_choice method;
  for (int m = 0; ovk_list_methods(test_ctx(), m, &method); m++) {
    int iterations = 0;
    for (int k = 0; k < 3; k++) {
      ovk_pcg_opts opts = OVK_PCG_OPTS;
      ovk_result res;
      opts.method = method.name;
      for (ovk_lidx i = 0; i < ovk_vec_local_size(P.b); i++) {
        ovk_vec_array(P.b)[i] = P.b_all[ovk_vec_first(P.b) + i] * scales[k];
      }
      assert_ok(ovk_vec_fill(P.x, 0));
      assert_ok(ovk_pcg_solve(P.A, P.M, P.b, P.x, &opts, &res));
      assert_int_equal(res.reason, OVK_CONVERGED_RTOL);
      if (k == 0) iterations = res.iterations;
      assert_int_equal(res.iterations, iterations);
    }
  }
  clear(&P);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_steps_are_those_of_textbook_cg),
      cmocka_unit_test(the_solution_is_that_of_lapack),
      cmocka_unit_test(attainable_accuracy_is_reached_and_called_stagnation),
      cmocka_unit_test(scaling_b_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
