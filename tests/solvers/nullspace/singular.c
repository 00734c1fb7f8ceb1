/* SPDX-License-Identifier: BSD-2-Clause */
#include "singular.h"

void center(ovk_vec *v)
{
  double sum = 0;
  scoped_vec *ones = new_vec_like(v);
  assert_ok(ovk_vec_fill(ones, 1));
  assert_ok(ovk_vec_dot(ones, v, &sum));
  assert_ok(ovk_vec_axpy(-sum / (double)ovk_vec_size(v), ones, v));
}

linear_system singular_of(ovk_mat *A, const char *precond)
{
  linear_system s = new_system(A, precond);
  s.wanted = new_vec(A);
  fill_random(s.wanted, 13);
  center(s.wanted);
  assert_ok(ovk_mat_mult(A, s.wanted, s.b));
  return s;
}

double distance(const ovk_vec *x, const ovk_vec *wanted)
{
  double norm = 0, size = 0;
  scoped_vec *difference = new_vec_like(x);
  assert_ok(ovk_vec_copy(x, difference));
  assert_ok(ovk_vec_axpy(-1, wanted, difference));
  assert_ok(ovk_vec_norm(difference, &norm));
  assert_ok(ovk_vec_norm(wanted, &size));
  return norm / size;
}
