/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of reductions, at the limits of their types. */
#include "comm/engine/combine.h"
#include "support/test_main.h"

static double combine_doubles(ovk_op op, double to, double from)
{
  ovk__combine_of(OVK_TYPE_DOUBLE, op)(&to, &from, 1);
  return to;
}

static int64_t combine_int64s(ovk_op op, int64_t to, int64_t from)
{
  ovk__combine_of(OVK_TYPE_INT64, op)(&to, &from, 1);
  return to;
}

TEST(sums_maxima_and_minima_of_doubles)
{
  assert_true(combine_doubles(OVK_OP_SUM, 1.5, -4) == -2.5);
  assert_true(combine_doubles(OVK_OP_MAX, 1.5, -4) == 1.5);
  assert_true(combine_doubles(OVK_OP_MAX, -4, 1.5) == 1.5);
  assert_true(combine_doubles(OVK_OP_MIN, 1.5, -4) == -4);
  assert_true(combine_doubles(OVK_OP_MIN, -4, 1.5) == -4);
  assert_true(combine_doubles(OVK_OP_MAX, INFINITY, 1) == INFINITY);
  assert_true(combine_doubles(OVK_OP_MIN, 1, -INFINITY) == -INFINITY);
}

TEST(a_nan_on_either_side_stays)
{
  for (ovk_op op = OVK_OP_SUM; op <= OVK_OP_MIN; op++) {
    assert_true(isnan(combine_doubles(op, NAN, 1)));
    assert_true(isnan(combine_doubles(op, 1, NAN)));
    assert_true(isnan(combine_doubles(op, NAN, INFINITY)));
    assert_true(isnan(combine_doubles(op, -INFINITY, NAN)));
  }
}

TEST(integers_keep_all_their_bits_and_sums_wrap)
{
  assert_true(combine_int64s(OVK_OP_SUM, INT64_MAX - 1, 1) == INT64_MAX);
  assert_true(combine_int64s(OVK_OP_SUM, INT64_MAX, 1) == INT64_MIN);
  assert_true(combine_int64s(OVK_OP_SUM, INT64_MIN, -1) == INT64_MAX);
  assert_true(combine_int64s(OVK_OP_MAX, INT64_MAX, INT64_MAX - 1) == INT64_MAX);
  assert_true(combine_int64s(OVK_OP_MAX, INT64_MIN, INT64_MIN + 1) == INT64_MIN + 1);
  assert_true(combine_int64s(OVK_OP_MIN, INT64_MIN + 1, INT64_MIN) == INT64_MIN);
  assert_true(combine_int64s(OVK_OP_MIN, INT64_MAX - 1, INT64_MAX) == INT64_MAX - 1);
}

/* Each type has its size, and each operation of it combines numbers of that size and no others. */
TEST(every_type_has_its_operations)
{
  const size_t sizes[] = {8, 8, 4, 1, 2, 4, 1, 2, 4, 8};
  for (ovk_type type = OVK_TYPE_DOUBLE; type <= OVK_TYPE_UINT64; type++) {
    const bool real = type == OVK_TYPE_DOUBLE || type == OVK_TYPE_FLOAT;
    assert_int_equal(ovk__type_size(type), sizes[type]);
    for (ovk_op op = OVK_OP_SUM; op <= OVK_OP_BXOR; op++) {
      unsigned char to[16] = {0}, from[16];
      ovk__combine *combine = ovk__combine_of(type, op);
      assert_int_equal(combine == NULL, real && op > OVK_OP_PROD);
      if (!combine) continue;
      memset(to + sizes[type], 0x5a, sizeof to - sizes[type]);
      memset(from, 1, sizeof from);
      combine(to, from, 1);
      for (size_t k = sizes[type]; k < sizeof to; k++) assert_int_equal(to[k], 0x5a);
    }
  }
}

TEST(logical_and_bitwise_operations_differ)
{
  const int64_t a = 6, b = 8;
  assert_int_equal(combine_int64s(OVK_OP_PROD, -3, 5), -15);
  assert_int_equal(combine_int64s(OVK_OP_LAND, a, b), 1);
  assert_int_equal(combine_int64s(OVK_OP_LAND, a, 0), 0);
  assert_int_equal(combine_int64s(OVK_OP_LOR, 0, b), 1);
  assert_int_equal(combine_int64s(OVK_OP_LXOR, a, b), 0);
  assert_int_equal(combine_int64s(OVK_OP_BAND, a, b), 0);
  assert_int_equal(combine_int64s(OVK_OP_BOR, a, b), 14);
  assert_int_equal(combine_int64s(OVK_OP_BXOR, a, 3), 5);
}

/* Of 16 bits both factors become int, where this product overflows. */
TEST(products_of_small_integers_wrap)
{
  uint16_t to = 65535, from = 65535;
  ovk__combine_of(OVK_TYPE_UINT16, OVK_OP_PROD)(&to, &from, 1);
  assert_int_equal(to, 1);
}

TEST(vectors_are_combined_element_by_element)
{
  double to[] = {1, 5, 3}, from[] = {4, 2, 9};
  ovk__combine_of(OVK_TYPE_DOUBLE, OVK_OP_MAX)(to, from, 2);
  assert_true(to[0] == 4 && to[1] == 5 && to[2] == 3);
  ovk__combine_of(OVK_TYPE_DOUBLE, OVK_OP_SUM)(to, from, 0);
  assert_true(to[0] == 4 && to[1] == 5 && to[2] == 3);
}

TEST(there_are_no_other_types_and_operations)
{
  assert_null(ovk__combine_of((ovk_type)10, OVK_OP_SUM));
  assert_null(ovk__combine_of(OVK_TYPE_DOUBLE, (ovk_op)10));
  assert_int_equal(ovk__type_size((ovk_type)10), 0);
  assert_null(ovk__combine_of((ovk_type)-1, OVK_OP_SUM));
  assert_null(ovk__combine_of(OVK_TYPE_INT64, (ovk_op)-1));
}
