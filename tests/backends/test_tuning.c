/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of OVK_TUNING, from which "auto" takes its backend. */
#include "support/problem.h"

#include <ovkrylov/comm/reduction.h>

#define HEAD "ovkrylov tuning 1\n"

/* Rank 0 has a table with this text, and the variable that names it; *ctx <- a new context. */
static ovk_ctx *with_table(const char *text)
{
  static char path[] = "tuning.XXXXXX";
  if (test_rank == 0) {
    strcpy(path, "tuning.XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const size_t size = strlen(text);
    assert_true(write(file, text, size) == (ssize_t)size);
    assert_int_equal(close(file), 0);
    assert_int_equal(setenv("OVK_TUNING", path, 1), 0);
  }
  return new_ctx();
}

static void drop_table(ovk_ctx **ctx)
{
  if (!*ctx) return;
  ovk_ctx_destroy(ctx);
  if (test_rank == 0) assert_int_equal(unlink(getenv("OVK_TUNING")), 0);
  unsetenv("OVK_TUNING");
}

/* A sum of `count` values over `spec` uses `expected`, and is right. */
static void check_sum(ovk_ctx *ctx, const char *spec, int count, const char *expected)
{
  scoped_reduction *red = NULL;
  assert_int_equal(ovk_reduction_create(ctx, spec, count, &red), OVK_OK);
  assert_string_equal(ovk_reduction_spec(red), expected);
  double *values = ovk_reduction_values(red);
  for (int k = 0; k < count; k++) values[k] = k + test_rank;
  assert_int_equal(ovk_reduction_begin(red), OVK_OK);
  assert_int_equal(ovk_reduction_wait(red), OVK_OK);
  const double ranks = test_size * (test_size - 1) / 2.0;
  for (int k = 0; k < count; k++) assert_true(values[k] == k * test_size + ranks);
}

/* Both levels, as an MPI may treat the ranks of the tests as if they were on two nodes. */
#define ROWS                                                                                       \
  "1 1000 16 nbc:alg=flat # microseconds\n"                                                        \
  "2 1000 16 nbc:alg=flat\n"                                                                       \
  "\n"                                                                                             \
  "  1\t1000  80   nbc:alg=ring\r\n"                                                               \
  "2 1000 80 nbc:alg=ring\n"

TEST(the_first_line_that_fits_the_bytes_counts)
{
  SCOPED(drop_table)
  ovk_ctx *ctx = with_table(HEAD "# of this test\n" ROWS "1 1000 90 shm\n2 1000 90 nbc");
  check_sum(ctx, "auto", 1, "nbc:alg=flat");
  check_sum(ctx, NULL, 2, "nbc:alg=flat");
  check_sum(ctx, "auto", 3, "nbc:alg=ring");
  check_sum(ctx, "auto", 10, "nbc:alg=ring");
  check_sum(ctx, "auto", 2, "nbc:alg=flat");
  check_sum(ctx, "nbc", 2, "nbc");
  check_sum(ctx, "emulate-latency:us=1|auto", 3, "emulate-latency:us=1|nbc:alg=ring");
}

/* The backend of "auto" without a table. */
static void read_plain(char plain[128])
{
  scoped_reduction *red = NULL;
  scoped_ctx *ctx = new_ctx();
  assert_int_equal(ovk_reduction_create(ctx, "auto", 1, &red), OVK_OK);
  snprintf(plain, 128, "%s", ovk_reduction_spec(red));
}

TEST(without_a_line_that_fits_auto_is_what_it_is_without_a_table)
{
  char plain[128], too_few_ranks[128];
  read_plain(plain);
  SCOPED(drop_table) ovk_ctx *ctx = with_table(HEAD ROWS);
  check_sum(ctx, "auto", 11, plain);
  drop_table(&ctx);
  ctx = with_table(HEAD);
  check_sum(ctx, "auto", 1, plain);
  drop_table(&ctx);
  if (test_size == 1) return;
  snprintf(too_few_ranks, sizeof too_few_ranks, HEAD "1 %d 99 nbc:alg=ring\n2 %d 99 nbc:alg=ring\n",
           test_size - 1, test_size - 1);
  ctx = with_table(too_few_ranks);
  check_sum(ctx, "auto", 1, plain);
}

TEST(a_solver_takes_the_backend_of_its_longest_reduction)
{
  SCOPED(drop_table) ovk_ctx *ctx = with_table(HEAD ROWS "1 1000 100000 nbc\n2 1000 100000 nbc\n");
  static const char *const methods[][2] = {{"cg", "nbc:alg=flat"}, {"gmres:restart=20", "nbc"}};
  const int n[3] = {4, 4, 4}, grid[3] = {1, 1, test_size};
  scoped_mat *A = NULL;
  assert_int_equal(ovk_gallery_laplace7(ctx, n, grid, NULL, &A), OVK_OK);
  for (int k = 0; k < 2; k++) {
    const ovk_solver_opts opts = with_method(methods[k][0]);
    scoped_solver *solver = new_solver(A, NULL, &opts);
    assert_string_equal(ovk_solver_backend(solver), methods[k][1]);
  }
}

/* All ranks fail with this error, more than once, and other backends work. */
static void check_refused(const char *text, ovk_err expected, const char *message)
{
  SCOPED(drop_table) ovk_ctx *ctx = with_table(text);
  ovk_reduction *red = NULL;
  for (int k = 0; k < 2; k++) {
    const ovk_err err = ovk_reduction_create(ctx, "auto", 1, &red);
    assert_null(red);
    if (err != expected || !strstr(ovk_ctx_error(ctx), message))
      print_message("%s\n", ovk_ctx_error(ctx));
    assert_int_equal(err, expected);
    assert_non_null(strstr(ovk_ctx_error(ctx), message));
    assert_non_null(strstr(ovk_ctx_error(ctx), "OVK_TUNING: tuning."));
  }
  check_sum(ctx, "nbc", 1, "nbc");
}

TEST(a_wrong_table_is_an_error_of_all_ranks_with_its_line)
{
  check_refused("", OVK_ERR_FORMAT, "its first line is not 'ovkrylov tuning 1'");
  check_refused("ovkrylov tuning 2\n", OVK_ERR_FORMAT, "its first line is not");
  check_refused(HEAD "3 8 8 nbc\n", OVK_ERR_FORMAT,
                "line 2: LEVELS is '3', and not a whole number from 1 to 2");
  check_refused(HEAD "\n\n1 x 8 nbc\n", OVK_ERR_FORMAT, "line 4: RANKS is 'x'");
  check_refused(HEAD "1 99999999999999999999 8 nbc\n", OVK_ERR_FORMAT, "RANKS is '9999");
  check_refused(HEAD "1 8 -8 nbc\n", OVK_ERR_FORMAT, "BYTES is '-8'");
  check_refused(HEAD "1 8 8 # nbc\n", OVK_ERR_FORMAT, "line 2: there is no spec");
  check_refused(HEAD "1 8 8 nbc shm\n", OVK_ERR_FORMAT, "line 2: 'shm' follows the spec");
  check_refused(HEAD "1 8 8 nbk\n", OVK_ERR_UNKNOWN, "did you mean 'nbc'");
  check_refused(HEAD "1 8 8 nbc:agl=flat\n", OVK_ERR_UNKNOWN, "line 2: ");
  check_refused(HEAD "1 8 8 auto\n", OVK_ERR_FORMAT, "'auto' must name one backend");
  check_refused(HEAD "1 8 8 emulate-latency:us=1|nbc\n", OVK_ERR_FORMAT, "must name one backend");
}

TEST(a_table_that_cannot_be_read_is_an_error_of_all_ranks)
{
  if (test_rank == 0) assert_int_equal(setenv("OVK_TUNING", "no/such/table", 1), 0);
  ovk_ctx *ctx = new_ctx();
  ovk_reduction *red = NULL;
  assert_int_equal(ovk_reduction_create(ctx, "auto", 1, &red), OVK_ERR_IO);
  assert_non_null(strstr(ovk_ctx_error(ctx), "OVK_TUNING: no/such/table: No such file"));
  ovk_ctx_destroy(&ctx);
  unsetenv("OVK_TUNING");
}
