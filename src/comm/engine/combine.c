/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of reductions. If values are equal (0 and -0), `to` is kept; if both are NaNs,
 * `from` is stored. So results have the same bits only if values are combined in the same order. */
#include "comm/engine/combine.h"

#include <math.h>

/* Defines a combination: a[i] <- an expression of a[i] and b[i]. */
#define COMBINATION(name, number, expression)                                                      \
  static void name(void *to, const void *from, size_t n)                                           \
  {                                                                                                \
    number *restrict a = to;                                                                       \
    const number *restrict b = from;                                                               \
    for (size_t i = 0; i < n; i++) a[i] = (number)(expression);                                    \
  }

/* Combinations of floating-point numbers. A NaN in `a` stays, because comparisons with it are
 * false, unless b is a NaN, too. */
#define FLOATING(number)                                                                           \
  COMBINATION(sum_##number, number, a[i] + b[i])                                                   \
  COMBINATION(prod_##number, number, a[i] * b[i])                                                  \
  COMBINATION(max_##number, number, b[i] > a[i] || isnan(b[i]) ? b[i] : a[i])                      \
  COMBINATION(min_##number, number, b[i] < a[i] || isnan(b[i]) ? b[i] : a[i])
FLOATING(double)
FLOATING(float)

/* Combinations of integers. Sums, products, logical and bitwise operations of signed integers use
 * unsigned ones, where overflow is defined. A factor 1u prevents that small integers are multiplied
 * as signed ones. */
#define ORDER(number)                                                                              \
  COMBINATION(max_##number, number##_t, b[i] > a[i] ? b[i] : a[i])                                 \
  COMBINATION(min_##number, number##_t, b[i] < a[i] ? b[i] : a[i])
#define INTEGERS(bits)                                                                             \
  COMBINATION(sum_##bits, uint##bits##_t, a[i] + b[i])                                             \
  COMBINATION(prod_##bits, uint##bits##_t, 1u * a[i] * b[i])                                       \
  COMBINATION(land_##bits, uint##bits##_t, a[i] && b[i])                                           \
  COMBINATION(lor_##bits, uint##bits##_t, a[i] || b[i])                                            \
  COMBINATION(lxor_##bits, uint##bits##_t, !a[i] != !b[i])                                         \
  COMBINATION(band_##bits, uint##bits##_t, a[i] & b[i])                                            \
  COMBINATION(bor_##bits, uint##bits##_t, a[i] | b[i])                                             \
  COMBINATION(bxor_##bits, uint##bits##_t, a[i] ^ b[i])                                            \
  ORDER(int##bits)                                                                                 \
  ORDER(uint##bits)
INTEGERS(8)
INTEGERS(16)
INTEGERS(32)
INTEGERS(64)

void ovk__combine_sum_double(void *to, const void *from, size_t n)
{
  sum_double(to, from, n);
}

enum { NTYPES = OVK_TYPE_UINT64 + 1, NOPS = OVK_OP_BXOR + 1 };

#define FLOATING_ROW(number)                                                                       \
  {                                                                                                \
    [OVK_OP_SUM] = sum_##number, [OVK_OP_MAX] = max_##number, [OVK_OP_MIN] = min_##number,         \
    [OVK_OP_PROD] = prod_##number                                                                  \
  }
#define INTEGER_ROW(sign, bits)                                                                    \
  {                                                                                                \
    [OVK_OP_SUM] = sum_##bits, [OVK_OP_MAX] = max_##sign##bits, [OVK_OP_MIN] = min_##sign##bits,   \
    [OVK_OP_PROD] = prod_##bits, [OVK_OP_LAND] = land_##bits, [OVK_OP_LOR] = lor_##bits,           \
    [OVK_OP_LXOR] = lxor_##bits, [OVK_OP_BAND] = band_##bits, [OVK_OP_BOR] = bor_##bits,           \
    [OVK_OP_BXOR] = bxor_##bits                                                                    \
  }

/* NULL: not defined for this type */
static ovk__combine *const table[NTYPES][NOPS] = {
    [OVK_TYPE_DOUBLE] = FLOATING_ROW(double),  [OVK_TYPE_FLOAT] = FLOATING_ROW(float),
    [OVK_TYPE_INT8] = INTEGER_ROW(int, 8),     [OVK_TYPE_INT16] = INTEGER_ROW(int, 16),
    [OVK_TYPE_INT32] = INTEGER_ROW(int, 32),   [OVK_TYPE_INT64] = INTEGER_ROW(int, 64),
    [OVK_TYPE_UINT8] = INTEGER_ROW(uint, 8),   [OVK_TYPE_UINT16] = INTEGER_ROW(uint, 16),
    [OVK_TYPE_UINT32] = INTEGER_ROW(uint, 32), [OVK_TYPE_UINT64] = INTEGER_ROW(uint, 64),
};

/* A type and its name in messages. */
static const struct {
  const char *plural;
  size_t size;
} types[NTYPES] = {
    [OVK_TYPE_DOUBLE] = {"doubles", sizeof(double)},
    [OVK_TYPE_INT64] = {"int64s", sizeof(int64_t)},
    [OVK_TYPE_FLOAT] = {"floats", sizeof(float)},
    [OVK_TYPE_INT8] = {"int8s", sizeof(int8_t)},
    [OVK_TYPE_INT16] = {"int16s", sizeof(int16_t)},
    [OVK_TYPE_INT32] = {"int32s", sizeof(int32_t)},
    [OVK_TYPE_UINT8] = {"uint8s", sizeof(uint8_t)},
    [OVK_TYPE_UINT16] = {"uint16s", sizeof(uint16_t)},
    [OVK_TYPE_UINT32] = {"uint32s", sizeof(uint32_t)},
    [OVK_TYPE_UINT64] = {"uint64s", sizeof(uint64_t)},
};

ovk__combine *ovk__combine_of(ovk_type type, ovk_op op)
{
  const bool known = (unsigned)type < NTYPES && (unsigned)op < NOPS;
  return known ? table[type][op] : NULL;
}

size_t ovk__type_size(ovk_type type)
{
  return (unsigned)type < NTYPES ? types[type].size : 0;
}

const char *ovk__type_name(ovk_type type)
{
  return types[type].plural;
}

const char *ovk__op_name(ovk_op op)
{
  static const char *const names[NOPS] = {
      [OVK_OP_SUM] = "sum",   [OVK_OP_MAX] = "max",   [OVK_OP_MIN] = "min",
      [OVK_OP_PROD] = "prod", [OVK_OP_LAND] = "land", [OVK_OP_LOR] = "lor",
      [OVK_OP_LXOR] = "lxor", [OVK_OP_BAND] = "band", [OVK_OP_BOR] = "bor",
      [OVK_OP_BXOR] = "bxor",
  };
  return names[op];
}
