/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment: rank 0's counts, whatever the other ranks have. */
#include "core/ctx_impl.h"
#include "support/test_main.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"OVK_BACKEND", "OVK_METHOD", "OVK_HALO", "OVK_LOG"};

/* Sets all of them on this rank; NULL unsets. */
static void set_all(const char *value)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_int_equal(value ? setenv(names[i], value, 1) : unsetenv(names[i]), 0);
}

static ovk_ctx *make_ctx(void)
{
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  return ctx;
}

static void rank_0_decides_for_all(void **state)
{
  (void)state;
  set_all(NULL);
  const char *backend = test_rank == 0 ? "iallreduce" : "blocking";
  assert_int_equal(setenv("OVK_BACKEND", backend, 1), 0);
  if (test_rank == 0) assert_int_equal(setenv("OVK_METHOD", "overlap", 1), 0);
  if (test_rank == 0) assert_int_equal(setenv("OVK_HALO", "nbc", 1), 0);
  ovk_ctx *ctx = make_ctx();
  assert_string_equal(ctx->env.backend, "iallreduce");
  assert_string_equal(ctx->env.method, "overlap");
  assert_string_equal(ctx->env.halo, "nbc");
  assert_null(ctx->env.log);
  ovk_ctx_destroy(&ctx);
}

static void what_only_other_ranks_have_set_does_not_count(void **state)
{
  (void)state;
  set_all(test_rank == 0 ? NULL : "other");
  ovk_ctx *ctx = make_ctx();
  assert_null(ctx->env.backend);
  assert_null(ctx->env.method);
  assert_null(ctx->env.halo);
  assert_null(ctx->env.log);
  ovk_ctx_destroy(&ctx);
}

static void an_empty_value_counts_as_unset(void **state)
{
  (void)state;
  set_all("");
  ovk_ctx *ctx = make_ctx();
  assert_null(ctx->env.backend);
  assert_null(ctx->env.method);
  assert_null(ctx->env.halo);
  assert_null(ctx->env.log);
  ovk_ctx_destroy(&ctx);
}

static void a_long_value_arrives_whole(void **state)
{
  (void)state;
  char value[10000];
  memset(value, 'b', sizeof value);
  value[sizeof value - 1] = '\0';
  set_all(NULL);
  if (test_rank == 0) assert_int_equal(setenv("OVK_BACKEND", value, 1), 0);
  ovk_ctx *ctx = make_ctx();
  assert_string_equal(ctx->env.backend, value);
  ovk_ctx_destroy(&ctx);
}

static void the_environment_is_read_when_a_context_is_made(void **state)
{
  (void)state;
  set_all(NULL);
  assert_int_equal(setenv("OVK_METHOD", "overlap", 1), 0);
  ovk_ctx *ctx = make_ctx();
  assert_int_equal(setenv("OVK_METHOD", "algorithm1", 1), 0);
  ovk_ctx *later = make_ctx();
  assert_string_equal(ctx->env.method, "overlap");
  assert_string_equal(later->env.method, "algorithm1");
  ovk_ctx_destroy(&ctx);
  ovk_ctx_destroy(&later);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rank_0_decides_for_all),
      cmocka_unit_test(what_only_other_ranks_have_set_does_not_count),
      cmocka_unit_test(an_empty_value_counts_as_unset),
      cmocka_unit_test(a_long_value_arrives_whole),
      cmocka_unit_test(the_environment_is_read_when_a_context_is_made),
  };
  const int failures = cmocka_run_group_tests(tests, NULL, NULL);
  set_all(NULL);
  return failures;
}
