/* SPDX-License-Identifier: BSD-2-Clause */
/* User-defined decorators, and failures of decorated backends. */
#include "support/conformance.h"
#include "support/problem.h"

#include <ovkrylov/plugin/backend.h>

/* A user's backend that fails in a chosen function, and a user's decorator. */
typedef struct faults {
  bool open, begin, test;
} faults;

static faults fault;

static ovk_err weak_open(ovk_backend *backend)
{
  return fault.open ? ovk_ctx_fail(backend->ctx, OVK_ERR_NETWORK, "no cable") : OVK_OK;
}

static ovk_err weak_begin(ovk_sum *sum)
{
  if (fault.begin) return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_NETWORK, "begin failed");
  MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, sum->backend->comm);
  return OVK_OK;
}

static ovk_err weak_test(ovk_sum *sum, bool *complete)
{
  *complete = !fault.test;
  return fault.test ? ovk_ctx_fail(sum->backend->ctx, OVK_ERR_NETWORK, "peer lost") : OVK_OK;
}

static const ovk_backend_ops weak_ops = {
    .name = "weak", .open = weak_open, .begin = weak_begin, .test = weak_test};

static ovk_err pass_begin(ovk_sum *sum)
{
  return ovk_reduction_begin(sum->inner);
}

static ovk_err pass_test(ovk_sum *sum, bool *complete)
{
  bool arrived = false;
  ovk_err err = ovk_reduction_test(sum->inner, &arrived);
  if (!err && arrived) err = ovk_reduction_wait(sum->inner);
  *complete = !err && arrived;
  return err;
}

static const ovk_backend_ops pass_ops = {
    .name = "pass", .decorates = true, .begin = pass_begin, .test = pass_test};

static ovk_err introduce(ovk_ctx *ctx)
{
  const ovk_err err = ovk_backend_register(ctx, &weak_ops, NULL);
  return err ? err : ovk_backend_register(ctx, &pass_ops, NULL);
}

static int register_all(void **state)
{
  return (int)introduce(test_ctx());
}

static ovk_reduction *make_sum(const char *spec)
{
  return new_sum(spec, 1);
}

static void begin_sum(ovk_reduction *red)
{
  ovk_reduction_values(red)[0] = 1;
  assert_ok(ovk_reduction_begin(red));
}

TEST(a_users_decorator_conforms)
{
  conformance_check("pass|weak", introduce);
  conformance_check("pass|emulate-latency:us=10|pass|shm", introduce);
}

TEST(a_failure_to_open_inside_is_told)
{
  fault.open = test_rank == test_size - 1;
  assert_no_sum("emulate-latency:us=3|weak", 1, OVK_ERR_NETWORK, "no cable");
  fault.open = false;
}

TEST(a_failure_inside_is_kept_for_wait)
{
  static const char spec[] = "emulate-latency:us=10|weak";
  scoped_reduction *polled = make_sum(spec);
  begin_sum(polled);
  fault.test = true;
  ovk_poll_call(ovk_reduction_poll(polled, 1));
  fault.test = false;
  assert_error(ovk_reduction_wait(polled), OVK_ERR_NETWORK, "peer lost");
  assert_error(ovk_reduction_begin(polled), OVK_ERR_STATE, "can only be destroyed");
  scoped_reduction *waited = make_sum(spec);
  fault.test = true;
  begin_sum(waited);
  assert_error(ovk_reduction_wait(waited), OVK_ERR_NETWORK, "peer lost");
  fault.test = false;
  scoped_reduction *begun = make_sum(spec);
  fault.begin = true;
  assert_error(ovk_reduction_begin(begun), OVK_ERR_NETWORK, "begin failed");
  fault.begin = false;
  assert_error(ovk_reduction_wait(begun), OVK_ERR_STATE, "not running");
  scoped_reduction *next = make_sum(spec); /* which shows no trace of the failures */
  begin_sum(next);
  assert_ok(ovk_reduction_wait(next));
  assert_true(ovk_reduction_values(next)[0] == test_size);
}

TEST_GROUP(register_all, NULL)
