/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment: rank 0's value is used, independent of the other ranks'. */
#include "core/context/ctx_impl.h"
#include "support/problem.h"

#include <ovkrylov/comm/reduction.h>

static const char *const names[] = {"OVK_BACKEND", "OVK_METHOD", "OVK_HALO", "OVK_LOG"};

/* Sets all of them on this rank; NULL unsets. */
static void set_all(const char *value)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_int_equal(value ? setenv(names[i], value, 1) : unsetenv(names[i]), 0);
}

static void assert_no_settings(const ovk_ctx *ctx)
{
  assert_null(ctx->env.backend);
  assert_null(ctx->env.method);
  assert_null(ctx->env.halo);
  assert_null(ctx->env.log);
}

TEST(rank_0_decides_for_all)
{
  set_all(NULL);
  const char *backend = test_rank == 0 ? "iallreduce" : "blocking";
  assert_int_equal(setenv("OVK_BACKEND", backend, 1), 0);
  if (test_rank == 0) assert_int_equal(setenv("OVK_METHOD", "overlap", 1), 0);
  if (test_rank == 0) assert_int_equal(setenv("OVK_HALO", "nbc", 1), 0);
  scoped_ctx *ctx = new_ctx();
  assert_string_equal(ctx->env.backend, "iallreduce");
  assert_string_equal(ctx->env.method, "overlap");
  assert_string_equal(ctx->env.halo, "nbc");
  assert_null(ctx->env.log);
}

TEST(what_only_other_ranks_have_set_does_not_count)
{
  set_all(test_rank == 0 ? NULL : "other");
  scoped_ctx *ctx = new_ctx();
  assert_no_settings(ctx);
}

TEST(an_empty_value_counts_as_unset)
{
  set_all("");
  scoped_ctx *ctx = new_ctx();
  assert_no_settings(ctx);
}

TEST(a_long_value_arrives_whole)
{
  char value[10000];
  memset(value, 'b', sizeof value);
  value[sizeof value - 1] = '\0';
  set_all(NULL);
  if (test_rank == 0) assert_int_equal(setenv("OVK_BACKEND", value, 1), 0);
  scoped_ctx *ctx = new_ctx();
  assert_string_equal(ctx->env.backend, value);
}

TEST(a_context_without_the_environment_has_no_settings)
{
  ovk_ctx *ctx;
  set_all("other");
  assert_ok(ovk_ctx_create_no_env(MPI_COMM_WORLD, &ctx));
  assert_no_settings(ctx);
  ovk_ctx_destroy(&ctx);
  set_all(NULL);
}

/* Functions that read a variable; the halo's is read if there is something to exchange. */
typedef ovk_err reader(ovk_ctx *ctx, const char *given);

static ovk_err read_backend(ovk_ctx *ctx, const char *given)
{
  ovk_reduction *red = NULL;
  return ovk_reduction_create(ctx, given, 1, &red);
}

static ovk_err read_method(ovk_ctx *ctx, const char *given)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_solver *solver = NULL;
  scoped_mat *A = NULL;
  const int n[3] = {2, 1, 1}, grid[3] = {test_size, 1, 1};
  opts.method = given;
  assert_int_equal(ovk_gallery_laplace7(ctx, n, grid, NULL, &A), OVK_OK);
  return ovk_solver_create(A, NULL, &opts, &solver);
}

static ovk_err read_halo(ovk_ctx *ctx, const char *given)
{
  if (given) return OVK_ERR_ARG; /* the variable is the only source */
  scoped_mat *A = NULL;
  assert_int_equal(ovk_mat_create(ctx, 2, &A), OVK_OK);
  return ovk_mat_assemble(A);
}

TEST(a_bad_value_is_told_with_its_variable)
{
  static const struct {
    const char *name, *value;
    reader *read;
  } list[] = {
      {"OVK_BACKEND", "octopus", read_backend},   {"OVK_BACKEND", "shm:k=3", read_backend},
      {"OVK_BACKEND", "nbc:alg", read_backend},   {"OVK_METHOD", "octopus", read_method},
      {"OVK_METHOD", "pipelcg:l=9", read_method}, {"OVK_HALO", "octopus", read_halo},
      {"OVK_HALO", "nbc:window=0", read_halo},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    set_all(NULL);
    assert_int_equal(setenv(list[k].name, list[k].value, 1), 0);
    scoped_ctx *ctx = new_ctx();
    assert_int_not_equal(list[k].read(ctx, NULL), OVK_OK);
    const size_t length = strlen(list[k].name);
    assert_int_equal(strncmp(ovk_ctx_error(ctx), list[k].name, length), 0);
    assert_int_equal(strncmp(ovk_ctx_error(ctx) + length, ": ", 2), 0);
    assert_int_not_equal(list[k].read(ctx, list[k].value), OVK_OK);
    if (list[k].read != read_halo) assert_null(strstr(ovk_ctx_error(ctx), list[k].name));
  }
  set_all(NULL);
}

TEST(the_environment_is_read_when_a_context_is_made)
{
  set_all(NULL);
  assert_int_equal(setenv("OVK_METHOD", "overlap", 1), 0);
  scoped_ctx *ctx = new_ctx();
  assert_int_equal(setenv("OVK_METHOD", "cg", 1), 0);
  scoped_ctx *later = new_ctx();
  assert_string_equal(ctx->env.method, "overlap");
  assert_string_equal(later->env.method, "cg");
}

typedef struct notices {
  int count;
  char text[2048];
} notices;

static void take_notice(void *arg, const char *message)
{
  notices *n = arg;
  n->count++;
  snprintf(n->text + strlen(n->text), sizeof n->text - strlen(n->text), "%s\n", message);
}

TEST(a_mistyped_variable_is_a_notice_with_the_closest_name)
{
  static const char *const list[][2] = {{"OVK_CHEK", "did you mean 'OVK_CHECK'?"},
                                        {"OVK_LOGG", "did you mean 'OVK_LOG'?"},
                                        {"OVK_MPI_BACKND", "did you mean 'OVK_MPI_BACKEND'?"},
                                        {"OVK_DELAY_MS", "did you mean 'OVK_DELAY_US'?"},
                                        {"OVK_COLOR_OF_LINES", "does not know"}};
  enum { N = sizeof list / sizeof *list };
  notices n = {0};
  set_all(NULL);
  for (int k = 0; k < N; k++) assert_int_equal(setenv(list[k][0], "1", 1), 0);
  scoped_ctx *ctx = new_ctx();
  ovk_ctx_on_notice(ctx, take_notice, &n);
  ovk_ctx_on_notice(ctx, take_notice, &n);
  assert_int_equal(n.count, test_rank == 0 ? N : 0);
  for (int k = 0; k < N; k++) {
    if (test_rank == 0 && !strstr(n.text, list[k][1])) fail_msg("%s: %s", list[k][0], n.text);
    assert_int_equal(unsetenv(list[k][0]), 0);
  }
}

TEST(variables_of_the_preloaded_libraries_are_known)
{
  static const char *const list[] = {"OVK_DELAY_US", "OVK_MPI_BACKEND", "OVK_MPI_MAX_BYTES",
                                     "OVK_MPI_LOG", "OVK_MPI_EXACT"};
  notices n = {0};
  set_all(NULL);
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) setenv(list[k], "1", 1);
  ovk_ctx *ctx = new_ctx();
  ovk_ctx_on_notice(ctx, take_notice, &n);
  assert_string_equal(n.text, "");
  ovk_ctx_destroy(&ctx);
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) unsetenv(list[k]);
}

static int unset_all(void **state)
{
  set_all(NULL);
  return 0;
}

TEST_GROUP(NULL, unset_all)
