/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects may be destroyed in any order: an object that others need stays until these are
 * destroyed, and is then freed, once. */
#include "support/objects.h"
#include "support/test_main.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

enum { ORDERS = 5 };

static void make_objects(objects *o)
{
  const ovk_err err = objects_make(o);
  if (err) print_error("[rank %d] %s\n", test_rank, ovk_ctx_error(o->ctx));
  assert_int_equal(err, OVK_OK);
}

TEST(any_order_frees_everything_once)
{
  for (uint64_t seed = 0; seed < ORDERS; seed++) {
    objects o;
    make_objects(&o);
    objects_destroy_all(&o, seed);
    assert_int_equal(o.shells_freed, 1);
    assert_int_equal(o.backends_closed, 1); /* so the context is gone, too */
  }
}

TEST(ranks_may_destroy_in_different_orders)
{
  for (uint64_t seed = 0; seed < ORDERS; seed++) {
    objects o;
    make_objects(&o);
    objects_destroy_all(&o, seed * (uint64_t)test_size + (uint64_t)test_rank);
    assert_int_equal(o.shells_freed, 1);
    assert_int_equal(o.backends_closed, 1);
  }
}

TEST(a_solver_works_when_what_it_was_made_from_is_destroyed)
{
  objects o;
  ovk_result res = OVK_RESULT;
  make_objects(&o);
  objects_destroy(&o, OBJECT_PRECOND);
  objects_destroy(&o, OBJECT_MAT);
  objects_destroy(&o, OBJECT_CTX);
  assert_null(o.ctx);
  assert_null(o.A);
  assert_null(o.M);
  assert_int_equal(ovk_vec_fill(o.x, 0), OVK_OK);
  assert_int_equal(ovk_solver_solve(o.solver, o.b, o.x, &res), OVK_OK);
  assert_true(res.reason > 0);
  assert_int_equal(ovk_solver_solve(o.solver, o.b, o.b, &res), OVK_ERR_ARG);
  assert_non_null(strstr(ovk_ctx_error(ovk_vec_ctx(o.b)), "same vector"));
  objects_destroy_all(&o, 0);
  assert_int_equal(o.backends_closed, 1);
}

TEST(sums_and_collectives_work_when_the_context_is_destroyed)
{
  objects o;
  make_objects(&o);
  objects_destroy(&o, OBJECT_CTX);
  for (int k = 0; k < OBJECT_SUMS; k++) {
    ovk_reduction *sum = o.sums[k];
    if (!sum) continue;
    for (int i = 0; i < 3; i++) ovk_reduction_values(sum)[i] = test_rank + i;
    assert_int_equal(ovk_reduction_begin(sum), OVK_OK);
    assert_int_equal(ovk_reduction_wait(sum), OVK_OK);
    const double ranks = test_size * (test_size - 1) / 2;
    assert_true(ovk_reduction_values(sum)[2] == ranks + 2 * test_size);
  }
  for (int k = 0; k < OBJECT_COLLECTIVES; k++) {
    assert_int_equal(ovk_collective_begin(o.collectives[k]), OVK_OK);
    assert_int_equal(ovk_collective_wait(o.collectives[k]), OVK_OK);
  }
  objects_destroy_all(&o, 1);
  assert_int_equal(o.backends_closed, 1);
}

TEST(a_preconditioner_keeps_its_matrix)
{
  objects o;
  make_objects(&o);
  objects_destroy(&o, OBJECT_SOLVER);
  objects_destroy(&o, OBJECT_MAT);
  objects_destroy(&o, OBJECT_CTX);
  assert_int_equal(ovk_precond_apply(o.M, o.b, o.x, ovk_poll_none()), OVK_OK);
  assert_true(ovk_vec_array(o.x)[0] == 1.0 / 3);
  objects_destroy_all(&o, 2);
  assert_int_equal(o.backends_closed, 1);
}

TEST(two_solvers_share_what_they_were_made_from)
{
  objects o;
  ovk_solver *second = NULL;
  make_objects(&o);
  assert_int_equal(ovk_solver_create(o.shell, NULL, NULL, &second), OVK_OK);
  objects_destroy(&o, OBJECT_SHELL);
  assert_int_equal(o.shells_freed, 0); /* the second solver needs it */
  assert_int_equal(ovk_solver_solve(second, o.b, o.x, NULL), OVK_OK);
  ovk_solver_destroy(&second);
  assert_int_equal(o.shells_freed, 1);
  objects_destroy_all(&o, 3);
  assert_int_equal(o.shells_freed, 1);
}
