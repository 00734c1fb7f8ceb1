/* SPDX-License-Identifier: BSD-2-Clause */
/* The system in another order of its rows, and its solution in the given one. */
#include "problem.h"
#include "tool.h"

/* to <- from, in the order of B, or back in the given one */
static ovk_err change_order(const ovk_mat *B, bool back, const ovk_vec *from, ovk_vec *to)
{
  return back ? ovk_mat_from_order(B, from, to) : ovk_mat_to_order(B, from, to);
}

static ovk_err reorder_vector(const ovk_mat *B, bool back, ovk_vec *v)
{
  ovk_vec *copy = NULL;
  TRY(ovk_mat_create_vec(B, &copy));
  ovk_err err = ovk_vec_copy(v, copy);
  if (!err) err = change_order(B, back, copy, v);
  ovk_vec_destroy(&copy);
  return err;
}

static ovk_err reorder_column(const ovk_mat *B, bool back, ovk_multivec *m, int k, ovk_vec *v)
{
  const ovk_lidx n = ovk_multivec_local_size(m);
  TRY(ovk_multivec_get(m, k, 1, ovk_vec_array(v), n));
  TRY(reorder_vector(B, back, v));
  return ovk_multivec_set(m, k, 1, ovk_vec_array_const(v), n);
}

static ovk_err reorder_columns(const ovk_mat *B, bool back, ovk_multivec *m)
{
  ovk_vec *v = NULL;
  TRY(ovk_mat_create_vec(B, &v));
  ovk_err err = OVK_OK;
  for (int k = 0; k < ovk_multivec_columns(m) && !err; k++) {
    err = reorder_column(B, back, m, k, v);
  }
  ovk_vec_destroy(&v);
  return err;
}

ovk_err problem_reorder(problem_order order, problem *p)
{
  bool reorders = order == ORDER_RCM;
  if (order == ORDER_AUTO) TRY(ovk_mat_is_scattered(p->A, &reorders));
  if (!reorders) return OVK_OK;
  ovk_mat *given = p->A;
  p->A = NULL;
  ovk_err err = ovk_mat_reorder(given, &p->A);
  ovk_mat_destroy(&given);
  if (!err) err = reorder_vector(p->A, false, p->b);
  if (!err && p->columns) err = reorder_columns(p->A, false, p->columns);
  return err;
}

ovk_err problem_restore(const problem *p, ovk_vec *x, ovk_multivec *columns)
{
  if (!ovk_mat_order(p->A)) return OVK_OK;
  TRY(reorder_vector(p->A, true, x));
  return columns ? reorder_columns(p->A, true, columns) : OVK_OK;
}
