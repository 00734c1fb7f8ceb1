/* SPDX-License-Identifier: BSD-2-Clause */
/* The timed trial of formats, with formats of the test and "csr": the slow one loses, one that
 * cannot hold the matrix is passed over, a failure leaves the matrix as it was. */
#include "format_blocks.h"
#include "matrix/formats/trial.h"
#include "support/test_main.h"

#include <time.h>

static int destroyed; /* blocks of the formats of this file */

static ovk_err build_csr(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block)
{
  return ovk__format_csr.build(ctx, A, exact, block);
}

static void destroy_counted(void *block)
{
  destroyed++;
  ovk__format_csr.destroy(block);
}

static double sleep_and_multiply(const void *block, const double *x, double *y, ovk_poll poll,
                                 const ovk__finish *finish)
{
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  return ovk__format_csr.products->dot(block, x, y, poll, finish);
}

static ovk_err refuse(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block)
{
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED, "not this one");
}

static ovk_err fail_to_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block)
{
  return OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for it");
}

static ovk_err estimate_nothing(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                                void **block)
{
  *cost = -1;
  return OVK_OK;
}

static const ovk__format without_functions = {.name = "none"};
static const ovk__products slow_products = {.dot = sleep_and_multiply};
static const ovk__format slow = {
    .name = "slow", .build = build_csr, .destroy = destroy_counted, .products = &slow_products};
static const ovk__format refusing = {.name = "refusing", .build = refuse};
static const ovk__format failing = {.name = "failing", .build = fail_to_build};
static const ovk__format inapt = {
    .name = "inapt", .estimate = estimate_nothing, .build = fail_to_build};

/* 2 1
 * . 3 */
static ovk__csr two_rows(void)
{
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), 2, 3, &A));
  A.ptr[1] = 2;
  A.ptr[2] = 3;
  for (int k = 0; k < 3; k++) {
    A.col[k] = k > 0;
    A.val[k] = (const double[]){2, 1, 3}[k];
  }
  return A;
}

static void expect_csr(const void *const *formats, int n, int expected)
{
  ovk__csr A = two_rows(), kept = csr_copy(&A);
  void *block = NULL;
  int best = -1;
  assert_ok(ovk__format_trial(test_ctx(), formats, n, false, &A, &best, &block));
  assert_int_equal(best, expected);
  assert_null(A.ptr);
  format_assert_rows(&ovk__format_csr, block, &kept);
  ovk__format_csr.destroy(block);
  ovk__csr_free(&kept);
}

TEST(the_slow_format_loses_wherever_it_stands)
{
  destroyed = 0;
  expect_csr((const void *[]){&slow, &ovk__format_csr}, 2, 1);
  assert_int_equal(destroyed, 1);
  expect_csr((const void *[]){&ovk__format_csr, &slow}, 2, 0);
  assert_int_equal(destroyed, 2);
}

TEST(formats_that_cannot_hold_it_are_passed_over)
{
  expect_csr((const void *[]){&without_functions, &refusing, &ovk__format_csr, &inapt, &refusing},
             5, 2);
}

TEST(a_failure_leaves_the_matrix)
{
  scoped_csr A = two_rows(), kept = csr_copy(&A);
  void *block = NULL;
  int best = -1;
  destroyed = 0;
  assert_local_error(
      ovk__format_trial(test_ctx(), (const void *[]){&slow, &failing}, 2, false, &A, &best, &block),
      OVK_ERR_MEMORY, "no memory for it");
  assert_int_equal(destroyed, 1);
  assert_null(block);
  void *again = format_build(&ovk__format_csr, &A);
  format_assert_rows(&ovk__format_csr, again, &kept);
  ovk__format_csr.destroy(again);
}

TEST(a_block_without_rows_gets_a_format)
{
  const void *const formats[] = {&ovk__format_csr};
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), 0, 0, &A));
  void *block = NULL;
  int best = -1;
  assert_ok(ovk__format_trial(test_ctx(), formats, 1, false, &A, &best, &block));
  assert_int_equal(best, 0);
  ovk__format_csr.destroy(block);
}
