/* SPDX-License-Identifier: BSD-2-Clause */
#include "precond_case.h"
#include "support/test_main.h"

#include <stdlib.h>
#include <string.h>

precond_case case_make(double *dense, int n, const char *spec)
{
  precond_case P = {.n = n, .dense = dense};
  P.local = test_size == 1 ? n : test_rank == 0 ? 0 : even_share(n, test_rank - 1, test_size - 1);
  P.A = distribute(test_ctx(), dense, n, P.local);
  P.first = (int)ovk_mat_first(P.A);
  assert_ok(ovk_precond_create(P.A, spec, &P.M));
  assert_ok(ovk_mat_create_vec(P.A, &P.r));
  assert_ok(ovk_mat_create_vec(P.A, &P.z));
  assert_ok(ovk_mat_create_vec(P.A, &P.t));
  for (int i = 0; i < P.local; i++) {
    ovk_vec_array(P.r)[i] = random_number(21, (uint64_t)(P.first + i)) - 0.5;
  }
  return P;
}

void case_clear(precond_case *P)
{
  free(P->dense);
  ovk_precond_destroy(&P->M);
  ovk_mat_destroy(&P->A);
  ovk_vec_destroy(&P->r);
  ovk_vec_destroy(&P->z);
  ovk_vec_destroy(&P->t);
}

double case_entry(const precond_case *P, int i, int j)
{
  const int end = P->first + P->local;
  return i >= P->first && j >= P->first && i < end && j < end ? P->dense[i * P->n + j] : 0;
}

void case_check_factors(precond_case *P)
{
  const ovk_poll none = ovk_poll_none();
  ovk_vec *w = NULL;
  double rz, tt;
  assert_ok(ovk_mat_create_vec(P->A, &w));
  assert_ok(ovk_precond_factor(P->M));
  assert_ok(ovk_precond_apply(P->M, P->r, P->z, none));
  assert_ok(ovk_precond_apply_left(P->M, P->r, P->t, none));
  assert_ok(ovk_precond_apply_right(P->M, P->t, w, none));
  for (int i = 0; i < P->local; i++) {
    assert_close(ovk_vec_array(w)[i], ovk_vec_array(P->z)[i], 1e-13);
  }
  assert_ok(ovk_vec_dot(P->r, P->z, &rz));
  assert_ok(ovk_vec_dot(P->t, P->t, &tt));
  assert_close(tt, rz, 1e-13);
  ovk_vec_destroy(&w);
}

static void count(void *arg)
{
  ++*(int *)arg;
}

typedef ovk_err apply_fn(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll);

static void check_polls(precond_case *P, apply_fn *apply, int least)
{
  int polls = 0;
  assert_ok(apply(P->M, P->r, P->z, ovk_poll_none()));
  assert_ok(apply(P->M, P->r, P->t, (ovk_poll){count, &polls, 1}));
  assert_true(polls >= least);
  assert_memory_equal(ovk_vec_array(P->z), ovk_vec_array(P->t), (size_t)P->local * sizeof(double));
}

void case_check_polls(precond_case *P, int least, bool factors)
{
  check_polls(P, ovk_precond_apply, least);
  if (!factors) return;
  assert_ok(ovk_precond_factor(P->M));
  check_polls(P, ovk_precond_apply_left, least / 2);
  check_polls(P, ovk_precond_apply_right, least / 2);
}
