/* SPDX-License-Identifier: BSD-2-Clause */
#include "singular.h"
#include "support/problem.h"

void center(ovk_vec *v)
{
  scoped_vec *ones = NULL;
  double sum = 0;
  assert_ok(ovk_vec_duplicate(v, &ones));
  assert_ok(ovk_vec_fill(ones, 1));
  assert_ok(ovk_vec_dot(ones, v, &sum));
  assert_ok(ovk_vec_axpy(-sum / (double)ovk_vec_size(v), ones, v));
}

singular singular_of(ovk_mat *A, const char *precond)
{
  singular s = {.A = A};
  s.M = new_precond(A, precond);
  s.b = new_vec(A);
  s.x = new_vec(A);
  s.wanted = new_vec(A);
  fill_random(s.wanted, 13);
  center(s.wanted);
  assert_ok(ovk_mat_mult(A, s.wanted, s.b));
  return s;
}

void singular_clear(singular *s)
{
  ovk_vec_destroy(&s->b);
  ovk_vec_destroy(&s->x);
  ovk_vec_destroy(&s->wanted);
  ovk_precond_destroy(&s->M);
  ovk_mat_destroy(&s->A);
}

double distance(const ovk_vec *x, const ovk_vec *wanted)
{
  scoped_vec *difference = NULL;
  double norm = 0, size = 0;
  assert_ok(ovk_vec_duplicate(x, &difference));
  assert_ok(ovk_vec_copy(x, difference));
  assert_ok(ovk_vec_axpy(-1, wanted, difference));
  assert_ok(ovk_vec_norm(difference, &norm));
  assert_ok(ovk_vec_norm(wanted, &size));
  return norm / size;
}
