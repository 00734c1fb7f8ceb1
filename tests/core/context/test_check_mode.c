/* SPDX-License-Identifier: BSD-2-Clause */
/* Check mode, OVK_CHECK=1: each kind of difference between ranks, made on purpose, is the same
 * error on all of them. */
#include "core/context/compare.h"
#include "support/problem.h"
#include "support/system/comma_locale.h"

#include <ovkrylov/plugin/backend.h>

/* The fault of the backend "weak" on the last rank. */
static struct {
  bool other_bits, other_mark, fails_in_test, never_completes;
} fault;

static ovk_err weak_begin(ovk_sum *sum)
{
  MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, sum->backend->comm);
  if (fault.other_bits && is_last()) sum->values[0] = nextafter(sum->values[0], INFINITY);
  if (fault.other_mark && is_last()) sum->values[sum->count - 1] += 1;
  return OVK_OK;
}

static ovk_err weak_test(ovk_sum *sum, bool *complete)
{
  *complete = !fault.never_completes;
  if (!fault.fails_in_test || !is_last()) return OVK_OK;
  return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_NETWORK, "cable lost");
}

static const ovk_backend_ops weak = {.name = "weak", .begin = weak_begin, .test = weak_test};

static const char *const specs[] = {"blocking",
                                    "iallreduce",
                                    "shm",
                                    "nbc:alg=doubling",
                                    "nbc:fragment=8,window=1",
                                    "verbs:device=emulated,mode=atomic",
                                    "emulate-latency:us=20|nbc",
                                    "weak",
                                    NULL};

/* A context in check mode with a timeout of `seconds`. */
static ovk_ctx *open_ctx(const char *seconds)
{
  setenv("OVK_CHECK", "1", 1);
  setenv("OVK_CHECK_TIMEOUT", seconds, 1);
  ovk_ctx *ctx = new_ctx();
  unsetenv("OVK_CHECK");
  unsetenv("OVK_CHECK_TIMEOUT");
  assert_int_equal(ovk_backend_register(ctx, &weak, NULL), OVK_OK);
  return ctx;
}

static ovk_reduction *make_sum(ovk_ctx *ctx, const char *spec, int count)
{
  ovk_reduction *red = NULL;
  if (ovk_reduction_create(ctx, spec, count, &red)) fail_msg("%s: %s", spec, ovk_ctx_error(ctx));
  for (int k = 0; k < count; k++) ovk_reduction_values(red)[k] = k + 1;
  return red;
}

/* The error on this rank, the same message on all. */
static void expect(ovk_ctx *ctx, ovk_err err, const char *part)
{
  char first[1024];
  const char *said = ovk_ctx_error(ctx);
  if (err != OVK_ERR_DIFFER || !strstr(said, part)) {
    fail_msg("%s, \"%s\" without \"%s\"", ovk_err_name(err), said, part);
  }
  snprintf(first, sizeof first, "%s", said);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(first, said);
}

/* Memory of messages that others did not receive in time is never freed, as MPI may still write
 * there; it is no leak. Defined in sanitizer builds only. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void expect_leaks(bool yes)
{
  if (__lsan_disable && yes) __lsan_disable();
  if (__lsan_enable && !yes) __lsan_enable();
}

TEST(sums_begun_in_other_orders_fail_on_all_ranks)
{
  for (int s = 0; specs[s] && test_size > 1; s++) {
    scoped_ctx *ctx = open_ctx("60");
    ovk_reduction *red[2] = {make_sum(ctx, specs[s], 3), make_sum(ctx, specs[s], 1000)};
    ovk_err err[2];
    for (int k = 0; k < 2; k++) err[k] = ovk_reduction_begin(red[k ^ is_last()]);
    for (int k = 0; k < 2; k++) {
      if (!err[k]) err[k] = ovk_reduction_wait(red[k ^ is_last()]);
      expect(ctx, err[k], "the ranks begin different reductions of");
    }
    for (int k = 0; k < 2; k++) ovk_reduction_destroy(&red[k]);
    red[0] = make_sum(ctx, specs[s], 1); /* the backend itself is correct */
    assert_int_equal(ovk_reduction_begin(red[0]), OVK_OK);
    assert_int_equal(ovk_reduction_wait(red[0]), OVK_OK);
    assert_true(ovk_reduction_values(red[0])[0] == test_size);
    ovk_reduction_destroy(&red[0]);
  }
}

/* Begins and waits for one sum of three values. */
static ovk_err add_up(ovk_reduction *red)
{
  const ovk_err err = ovk_reduction_begin(red);
  return err ? err : ovk_reduction_wait(red);
}

TEST(totals_with_other_bits_on_one_rank_fail_on_all)
{
  scoped_ctx *ctx = open_ctx("60");
  scoped_reduction *red = make_sum(ctx, "weak", 3);
  assert_int_equal(add_up(red), OVK_OK);
  fault.other_bits = test_size > 1;
  if (fault.other_bits) expect(ctx, add_up(red), "value 0 is");
  fault.other_bits = false;
}

TEST(totals_of_other_parts_on_one_rank_fail_on_all)
{
  scoped_ctx *ctx = open_ctx("60");
  scoped_reduction *red = make_sum(ctx, "emulate-latency:us=10|weak", 3);
  fault.other_mark = true;
  expect(ctx, add_up(red), "are not those of its parts");
  fault.other_mark = false;
}

TEST(a_sum_that_fails_on_one_rank_alone_fails_on_all)
{
  if (test_size == 1) return;
  scoped_ctx *ctx = open_ctx("60");
  scoped_reduction *red = make_sum(ctx, "weak", 3);
  fault.fails_in_test = true;
  expect(ctx, add_up(red), "cable lost");
  fault.fails_in_test = false;
}

TEST(a_sum_that_one_rank_does_not_begin_is_named)
{
  expect_leaks(true);
  const char *const some[] = {"shm", "nbc:alg=doubling", NULL};
  for (int s = 0; some[s] && test_size > 1; s++) {
    scoped_ctx *ctx = open_ctx("0.2");
    scoped_reduction *red = make_sum(ctx, some[s], 3);
    if (!is_last()) {
      assert_int_equal(ovk_reduction_begin(red), OVK_OK);
      assert_int_equal(ovk_reduction_wait(red), OVK_ERR_DIFFER);
      assert_non_null(strstr(ovk_ctx_error(ctx), "number 0, of 3 values, time 1"));
      assert_non_null(strstr(ovk_ctx_error(ctx), "not all others have begun it"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_last()) { /* too late: the others have timed out */
      assert_int_equal(ovk_reduction_begin(red), OVK_OK);
      assert_int_equal(ovk_reduction_wait(red), OVK_ERR_DIFFER);
    }
  }
  expect_leaks(false);
}

TEST(a_sum_that_the_backend_does_not_complete_is_named)
{
  expect_leaks(true);
  ovk_ctx *ctx = open_ctx("0.2");
  ovk_reduction *red = make_sum(ctx, "weak", 3);
  fault.never_completes = true;
  assert_int_equal(add_up(red), OVK_ERR_DIFFER);
  assert_non_null(strstr(ovk_ctx_error(ctx), "the backend does not complete it"));
  ovk_reduction_destroy(&red);
  fault.never_completes = false;
  ovk_ctx_destroy(&ctx);
  expect_leaks(false);
}

TEST(ranks_in_different_functions_fail_on_all)
{
  if (test_size == 1) return;
  scoped_ctx *ctx = open_ctx("60");
  scoped_mat *A = NULL;
  scoped_reduction *red = NULL;
  const ovk_err err =
      is_last() ? ovk_mat_create(ctx, 3, &A) : ovk_reduction_create(ctx, "shm", 3, &red);
  expect(ctx, err,
         "the ranks differ in the functions they have called; rank 0: ovk_reduction_create() ");
}

TEST(the_function_that_a_rank_has_called_is_named)
{
  if (test_size == 1) return;
  scoped_ctx *ctx = open_ctx("60");
  double one = 1;
  scoped_mat *A = distribute(ctx, &one, 1, test_rank == 0);
  scoped_vec *b = NULL, *x = NULL;
  double norm;
  assert_int_equal(ovk_mat_create_vec(A, &b), OVK_OK);
  assert_int_equal(ovk_mat_create_vec(A, &x), OVK_OK);
  expect(ctx, is_last() ? ovk_vec_norm(b, &norm) : ovk_solve(A, NULL, b, x, NULL, NULL),
         "rank 0: ovk_solve() (solve.c:");
  assert_non_null(strstr(ovk_ctx_error(ctx), ": ovk_vec_norm() (vec_reductions.c:"));
}

TEST(a_rank_that_does_not_come_at_all_is_an_error_of_the_others)
{
  expect_leaks(true);
  ovk_ctx *ctx = open_ctx("0.2");
  ovk_reduction *red = NULL;
  if (test_size > 1 && !is_last()) {
    assert_int_equal(ovk_reduction_create(ctx, "shm", 3, &red), OVK_ERR_DIFFER);
    assert_non_null(strstr(ovk_ctx_error(ctx), "waited 0.2 s for the other ranks"));
    assert_non_null(strstr(ovk_ctx_error(ctx), "reduction_create.c:"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_last() && test_size > 1) {
    assert_int_equal(ovk_reduction_create(ctx, "shm", 3, &red), OVK_ERR_DIFFER);
  }
  ovk_ctx_destroy(&ctx);
  expect_leaks(false);
}

TEST(texts_that_differ_are_told_with_both)
{
  scoped_ctx *ctx = open_ctx("60");
  assert_int_equal(ovk__check_same(ctx, "colors", "red"), OVK_OK);
  if (test_size > 1) {
    expect(ctx, ovk__check_same(ctx, "colors", is_last() ? "blue" : "red"),
           "the ranks differ in colors; rank 0: red; rank ");
  }
  assert_int_equal(ovk__check_same(test_ctx(), "colors", is_last() ? "blue" : "red"), OVK_OK);
}

static ovk_err solve(ovk_ctx *ctx, const char *method, const char *backend, ovk_result *res,
                     double x[20])
{
  scoped_array double *dense = random_spd(20, 100, 7);
  ovk_mat *A = distribute(ctx, dense, 20, even_share(20, test_rank, test_size));
  ovk_solver_opts opts = solver_opts(.method = method, .backend = backend);
  scoped_system s = new_system(A, NULL);
  const ovk_err err = ovk_pcg_solve(A, NULL, s.b, s.x, &opts, res);
  memcpy(x, ovk_vec_array(s.x), (size_t)ovk_vec_local_size(s.x) * sizeof *x);
  return err;
}

TEST(a_solve_gives_the_same_bits_with_and_without)
{
  for (int s = 0; specs[s]; s++) {
    const char *methods[] = {"cg", "groppcg", "pipecg", "pipelcg:l=3"};
    for (int m = s % 2; m < 4; m += 2) {
      ovk_ctx *ctx = open_ctx("60");
      ovk_result with = OVK_RESULT, without = OVK_RESULT;
      double x[20], y[20];
      assert_int_equal(solve(ctx, methods[m], specs[s], &with, x), OVK_OK);
      ovk_ctx_destroy(&ctx);
      assert_int_equal(solve(test_ctx(), methods[m], specs[s], &without, y), OVK_OK);
      assert_int_equal(with.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(with.iterations, without.iterations);
      if (strncmp(specs[s], "nbc:frag", 8) == 0) continue; /* one value more is cut otherwise */
      assert_memory_equal(x, y, (size_t)even_share(20, test_rank, test_size) * sizeof *x);
    }
  }
}

TEST(a_time_limit_that_is_none_is_refused_where_ranks_are_compared)
{
  static const char *const wrong[] = {"soon", "0", "-1", "nan", "5s"};
  ovk_ctx *ctx = NULL;
  setenv("OVK_CHECK", "1", 1);
  for (int k = 0; k < 5; k++) {
    ovk_mat *A = NULL;
    char message[100];
    setenv("OVK_CHECK_TIMEOUT", wrong[k], 1);
    assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
    assert_int_equal(ovk_mat_create(ctx, 3, &A), OVK_ERR_ARG);
    snprintf(message, sizeof message,
             "OVK_CHECK_TIMEOUT is '%s', but must be a number of seconds above 0", wrong[k]);
    assert_string_equal(ovk_ctx_error(ctx), message);
    assert_null(A);
    ovk_ctx_destroy(&ctx);
  }
  setenv("OVK_CHECK", "0", 1); /* off, as if it were not set */
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  assert_false(ovk__checking(ctx));
  ovk_ctx_destroy(&ctx);
  unsetenv("OVK_CHECK");
  unsetenv("OVK_CHECK_TIMEOUT");
}

TEST(a_time_limit_has_a_point_in_every_locale)
{
  if (!use_comma_locale()) skip();
  scoped_ctx *ctx = open_ctx("0.5");
  setlocale(LC_NUMERIC, "C");
  assert_true(ovk__check_timeout(ctx) == 0.5);
}

static int introduce(void **state)
{
  return (int)ovk_backend_register(test_ctx(), &weak, NULL);
}

TEST_GROUP(introduce, NULL)
