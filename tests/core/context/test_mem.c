/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays: alignment, empty ones, and sizes that no machine has. */
#include "core/context/mem.h"
#include "support/test_main.h"

TEST(arrays_are_aligned_to_64_bytes)
{
  for (size_t n = 0; n < 200; n += 13) {
    scoped_array void *array = ovk__array(n, 3);
    assert_non_null(array);
    assert_int_equal((uintptr_t)array % 64, 0);
    memset(array, 1, 3 * n);
  }
}

TEST(an_empty_array_is_not_null)
{
  scoped_array void *array = ovk__array(0, sizeof(double)), *zeros = ovk__zeros(0, sizeof(double));
  assert_non_null(array);
  assert_non_null(zeros);
}

TEST(zeros_are_zero)
{
  scoped_array unsigned char *zeros = ovk__zeros(1000, 1);
  assert_non_null(zeros);
  for (int i = 0; i < 1000; i++) assert_int_equal(zeros[i], 0);
}

TEST(a_size_that_overflows_gives_null)
{
  assert_null(ovk__array(SIZE_MAX, 8));
  assert_null(ovk__array(SIZE_MAX / 8, 8));     /* fits size_t, but not its rounding up to lines */
  assert_null(ovk__array(SIZE_MAX / 8 + 2, 8)); /* would wrap round to 8 bytes */
  assert_null(ovk__array(SIZE_MAX, 1));
  assert_null(ovk__zeros(SIZE_MAX, 8));
}

static ovk_err allocate(ovk_ctx *ctx, int64_t n, double **numbers)
{
  OVK_NEW_ARRAY(ctx, *numbers, n);
  return OVK_OK;
}

static ovk_err allocate_zeros(ovk_ctx *ctx, int64_t n, double **numbers)
{
  OVK_NEW_ZEROS(ctx, *numbers, n);
  return OVK_OK;
}

TEST(a_failed_new_array_says_what_and_how_much)
{
  double *numbers = NULL;
  assert_ok(allocate(test_ctx(), 3, &numbers));
  free(numbers);
  assert_error(allocate(test_ctx(), -1, &numbers), OVK_ERR_MEMORY,
               "no memory for *numbers: 18446744073709551615 of 8 bytes");
  assert_error(allocate_zeros(test_ctx(), INT64_MAX, &numbers), OVK_ERR_MEMORY,
               "no memory for *numbers: 9223372036854775807 of 8 bytes");
}

TEST(a_copied_text_is_another_text)
{
  const char text[] = "nbc:alg=ring";
  scoped_array char *copy = ovk__copy_text(text), *empty = ovk__copy_text("");
  assert_string_equal(copy, text);
  assert_ptr_not_equal(copy, text);
  assert_string_equal(empty, "");
}
