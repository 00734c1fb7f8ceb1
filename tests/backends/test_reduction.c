/* SPDX-License-Identifier: BSD-2-Clause */
/* All backends through the conformance checks, and the front end's handling of faulty backends. */
#include "support/conformance.h"
#include "support/problem.h"

#include <ovkrylov/plugin/backend.h>

TEST(blocking_conforms)
{
  conformance_check("blocking", NULL);
  conformance_check("blocking:bitwise", NULL);
}

TEST(iallreduce_conforms)
{
  conformance_check("iallreduce", NULL);
}

TEST(persistent_iallreduce_conforms_or_says_what_is_missing)
{
  ovk_reduction *red = NULL;
  const ovk_err err = ovk_reduction_create(test_ctx(), "iallreduce:persistent", 1, &red);
  ovk_reduction_destroy(&red);
  if (err) {
    assert_error(err, OVK_ERR_UNSUPPORTED, "needs MPI_Allreduce_init");
  } else {
    conformance_check("iallreduce:persistent", NULL);
  }
}

TEST(shm_conforms)
{
  conformance_check("shm", NULL);
}

TEST(nbc_conforms_with_every_algorithm)
{
  const char *const specs[] = {"nbc", "nbc:alg=flat", "nbc:alg=kary,k=3",
                               "nbc:alg=tree,reduce=2,bcast=3"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) conformance_check(specs[k], NULL);
}

TEST(nbc_says_what_is_wrong_with_its_keys)
{
  const char *const specs[][2] = {
      {"nbc:fragment=0", "fragment"},
      {"nbc:window=2", "window belongs to fragment="},
      {"nbc:fragment=64,window=0", "window"},
      {"nbc:fragment=64,window=65", "window"},
      {"nbc:core=0", "core belongs to progress=thread"},
      {"nbc:progress=thread,core=-1", "core"},
  };
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    assert_no_sum(specs[k][0], 1, OVK_ERR_ARG, specs[k][1]);
  }
  assert_no_sum("nbc:progress=treads", 1, OVK_ERR_UNKNOWN,
                "progress cannot be 'treads', did you mean 'thread'?");
}

TEST(a_rank_that_waits_lets_other_operations_go_on)
{
  const char *const specs[] = {"auto", "iallreduce", "shm", "nbc", "nbc:channel=shm"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) conformance_check_mixed(specs[k]);
}

TEST(thousands_of_reductions_use_up_nothing)
{
  const char *const specs[] = {"blocking", "iallreduce", "shm", "nbc", "nbc:channel=shm"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) conformance_check_thousands(specs[k]);
}

/* A user's backend with the two required functions only: slow, but it must conform as well. Its
 * calls are counted, and each function can be made to fail. */
typedef struct mock {
  int opened, closed, prepared, released;
  bool fail_open, fail_prepare, fail_begin, fail_test;
  bool silent; /* begin and test set no message when they fail */
  bool never;  /* test never reports completion, unless it fails */
} mock;

static ovk_err mock_open(ovk_backend *backend)
{
  mock *m = backend->user;
  m->opened++;
  return m->fail_open ? ovk_ctx_fail(backend->ctx, OVK_ERR_NETWORK, "no device") : OVK_OK;
}

static void mock_close(ovk_backend *backend)
{
  ((mock *)backend->user)->closed++;
}

static ovk_err mock_prepare(ovk_sum *sum)
{
  mock *m = sum->backend->user;
  if (m->fail_prepare) return OVK_ERR_MEMORY; /* without a message */
  m->prepared++;
  return OVK_OK;
}

static void mock_release(ovk_sum *sum)
{
  ((mock *)sum->backend->user)->released++;
}

static ovk_err mock_begin(ovk_sum *sum)
{
  mock *m = sum->backend->user;
  if (m->fail_begin && m->silent) return OVK_ERR_NETWORK;
  if (m->fail_begin) return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_NETWORK, "begin failed");
  MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, sum->backend->comm);
  return OVK_OK;
}

static ovk_err mock_test(ovk_sum *sum, bool *complete)
{
  mock *m = sum->backend->user;
  if (m->fail_test && m->silent) return OVK_ERR_NETWORK;
  if (m->fail_test) return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_NETWORK, "peer lost");
  *complete = !m->never;
  return OVK_OK;
}

static const ovk_backend_ops minimal_ops = {
    .name = "minimal", .begin = mock_begin, .test = mock_test};

static const ovk_backend_ops mock_ops = {
    .name = "mock",
    .summary = "for tests",
    .begin = mock_begin,
    .test = mock_test,
    .open = mock_open,
    .close = mock_close,
    .prepare = mock_prepare,
    .release = mock_release,
};

static mock minimal_mock, full_mock;

static ovk_err introduce_minimal(ovk_ctx *ctx)
{
  return ovk_backend_register(ctx, &minimal_ops, &minimal_mock);
}

TEST(a_users_backend_with_two_functions_conforms)
{
  assert_ok(introduce_minimal(test_ctx()));
  conformance_check("minimal", introduce_minimal);
}

TEST(open_and_prepare_are_paired_with_close_and_release)
{
  mock m = {0};
  ovk_ctx *ctx = new_ctx();
  assert_int_equal(ovk_backend_register(ctx, &mock_ops, &m), OVK_OK);
  for (int k = 0; k < 3; k++) {
    scoped_reduction *red = NULL;
    assert_int_equal(ovk_reduction_create(ctx, "mock", 2, &red), OVK_OK);
  }
  assert_int_equal(m.opened, 1);
  assert_int_equal(m.prepared, 3);
  assert_int_equal(m.released, 3);
  assert_int_equal(m.closed, 0);
  ovk_ctx_destroy(&ctx);
  assert_int_equal(m.closed, 1);
}

TEST(a_failure_to_open_or_prepare_on_one_rank_undoes_it_on_all)
{
  scoped_reduction *red = NULL;
  full_mock = (mock){.fail_open = is_last()};
  assert_no_sum("mock", 2, OVK_ERR_NETWORK, "no device");
  assert_int_equal(full_mock.closed, is_last() ? 0 : 1);
  full_mock = (mock){.fail_prepare = is_last()};
  assert_no_sum("mock", 2, OVK_ERR_MEMORY, "prepare returned OVK_ERR_MEMORY");
  assert_int_equal(full_mock.released, full_mock.prepared);
  full_mock = (mock){0}; /* opened by now: no further failure */
  assert_ok(ovk_reduction_create(test_ctx(), "mock", 2, &red));
}

/* Point 5 of the contract. */
TEST(a_failure_while_polling_is_kept_for_wait)
{
  ovk_reduction *red = new_sum("mock", 1);
  full_mock = (mock){.never = true};
  assert_ok(ovk_reduction_begin(red));
  const ovk_poll poll = ovk_reduction_poll(red, 1);
  ovk_poll_call(poll);
  full_mock.fail_test = true;
  ovk_poll_call(poll);
  full_mock.fail_test = false;
  ovk_poll_call(poll);
  assert_local_error(ovk_reduction_begin(red), OVK_ERR_STATE, "running"); /* another message */
  assert_error(ovk_reduction_wait(red), OVK_ERR_NETWORK, "peer lost");
  assert_error(ovk_reduction_begin(red), OVK_ERR_STATE, "can only be destroyed");
  assert_error(ovk_reduction_wait(red), OVK_ERR_STATE, "not running");
  ovk_reduction_destroy(&red);
  assert_ok(ovk_reduction_create(test_ctx(), "mock", 1, &red));
  full_mock.fail_begin = full_mock.silent = true;
  assert_error(ovk_reduction_begin(red), OVK_ERR_NETWORK,
               "the backend's begin returned OVK_ERR_NETWORK");
  assert_error(ovk_reduction_begin(red), OVK_ERR_STATE, "can only be destroyed");
  ovk_reduction_destroy(&red);
  full_mock = (mock){0};
}

TEST(bad_arguments_and_specs_are_told_on_all_ranks)
{
  assert_no_sum("blocking", is_last() ? 0 : 1, OVK_ERR_ARG, "0 values");
  assert_no_sum("blokcing", 1, OVK_ERR_UNKNOWN, "did you mean 'blocking'");
  assert_no_sum("blocking:fast", 1, OVK_ERR_UNKNOWN, "no key 'fast'");
  assert_no_sum("iallreduce:persistant", 1, OVK_ERR_UNKNOWN, "did you mean 'persistent'");
  assert_no_sum("blocking|iallreduce", 1, OVK_ERR_ARG, "is no decorator");
  assert_no_sum("", 1, OVK_ERR_ARG, "name is missing");
  if (test_size > 1) {
    assert_no_sum(is_last() ? "blocking" : "iallreduce", 1, OVK_ERR_ARG, "different backends");
    assert_no_sum("blocking", is_last() ? 2 : 1, OVK_ERR_ARG, "different sizes");
  }
}

TEST(bad_backends_are_not_registered)
{
  ovk_ctx *ctx = test_ctx();
  const ovk_backend_ops no_test = {.name = "half", .begin = mock_begin};
  const ovk_backend_ops taken = {.name = "blocking", .begin = mock_begin, .test = mock_test};
  const ovk_backend_ops odd = {.name = "a:b", .begin = mock_begin, .test = mock_test};
  assert_error(ovk_backend_register(ctx, &no_test, NULL), OVK_ERR_ARG, "begin and test");
  assert_error(ovk_backend_register(ctx, &taken, NULL), OVK_ERR_ARG, "'blocking' already");
  assert_error(ovk_backend_register(ctx, &odd, NULL), OVK_ERR_ARG, "'a:b'");
}

static int register_mock(void **state)
{
  return (int)ovk_backend_register(test_ctx(), &mock_ops, &full_mock);
}

TEST_GROUP(register_mock, NULL)
