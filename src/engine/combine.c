/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of reductions. Of equal values (0 and -0) `to` is kept; of two NaNs `from` is
 * taken. So results have the same bits only if values are combined in the same order. */
#include "engine/combine.h"

#include <math.h>

/* Defines a combination: a[i] <- the expression of a[i] and b[i]. */
#define COMBINATION(name, number, expression)                                                      \
  static void name(void *to, const void *from, size_t n)                                           \
  {                                                                                                \
    number *restrict a = to;                                                                       \
    const number *restrict b = from;                                                               \
    for (size_t i = 0; i < n; i++) a[i] = (number)(expression);                                    \
  }

void ovk__combine_sum_double(void *to, const void *from, size_t n)
{
  double *restrict a = to;
  const double *restrict b = from;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

COMBINATION(sum_float, float, a[i] + b[i])
COMBINATION(prod_double, double, a[i] * b[i])
COMBINATION(prod_float, float, a[i] * b[i])

/* A NaN in `a` stays, as comparisons with it are false, unless b is a NaN, too. */
COMBINATION(max_double, double, b[i] > a[i] || isnan(b[i]) ? b[i] : a[i])
COMBINATION(min_double, double, b[i] < a[i] || isnan(b[i]) ? b[i] : a[i])
COMBINATION(max_float, float, b[i] > a[i] || isnan(b[i]) ? b[i] : a[i])
COMBINATION(min_float, float, b[i] < a[i] || isnan(b[i]) ? b[i] : a[i])

/* Sums, products, logical and bitwise operations of signed integers are those of unsigned ones,
 * where overflow is defined; a factor 1u keeps small ones from being multiplied as signed. */
COMBINATION(sum_uint8, uint8_t, a[i] + b[i])
COMBINATION(sum_uint16, uint16_t, a[i] + b[i])
COMBINATION(sum_uint32, uint32_t, a[i] + b[i])
COMBINATION(sum_uint64, uint64_t, a[i] + b[i])

COMBINATION(prod_uint8, uint8_t, 1u * a[i] * b[i])
COMBINATION(prod_uint16, uint16_t, 1u * a[i] * b[i])
COMBINATION(prod_uint32, uint32_t, 1u * a[i] * b[i])
COMBINATION(prod_uint64, uint64_t, 1u * a[i] * b[i])

COMBINATION(land_uint8, uint8_t, a[i] && b[i])
COMBINATION(land_uint16, uint16_t, a[i] && b[i])
COMBINATION(land_uint32, uint32_t, a[i] && b[i])
COMBINATION(land_uint64, uint64_t, a[i] && b[i])

COMBINATION(lor_uint8, uint8_t, a[i] || b[i])
COMBINATION(lor_uint16, uint16_t, a[i] || b[i])
COMBINATION(lor_uint32, uint32_t, a[i] || b[i])
COMBINATION(lor_uint64, uint64_t, a[i] || b[i])

COMBINATION(lxor_uint8, uint8_t, !a[i] != !b[i])
COMBINATION(lxor_uint16, uint16_t, !a[i] != !b[i])
COMBINATION(lxor_uint32, uint32_t, !a[i] != !b[i])
COMBINATION(lxor_uint64, uint64_t, !a[i] != !b[i])

COMBINATION(band_uint8, uint8_t, a[i] & b[i])
COMBINATION(band_uint16, uint16_t, a[i] & b[i])
COMBINATION(band_uint32, uint32_t, a[i] & b[i])
COMBINATION(band_uint64, uint64_t, a[i] & b[i])

COMBINATION(bor_uint8, uint8_t, a[i] | b[i])
COMBINATION(bor_uint16, uint16_t, a[i] | b[i])
COMBINATION(bor_uint32, uint32_t, a[i] | b[i])
COMBINATION(bor_uint64, uint64_t, a[i] | b[i])

COMBINATION(bxor_uint8, uint8_t, a[i] ^ b[i])
COMBINATION(bxor_uint16, uint16_t, a[i] ^ b[i])
COMBINATION(bxor_uint32, uint32_t, a[i] ^ b[i])
COMBINATION(bxor_uint64, uint64_t, a[i] ^ b[i])

COMBINATION(max_int8, int8_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_int16, int16_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_int32, int32_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_int64, int64_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_uint8, uint8_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_uint16, uint16_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_uint32, uint32_t, b[i] > a[i] ? b[i] : a[i])
COMBINATION(max_uint64, uint64_t, b[i] > a[i] ? b[i] : a[i])

COMBINATION(min_int8, int8_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_int16, int16_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_int32, int32_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_int64, int64_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_uint8, uint8_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_uint16, uint16_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_uint32, uint32_t, b[i] < a[i] ? b[i] : a[i])
COMBINATION(min_uint64, uint64_t, b[i] < a[i] ? b[i] : a[i])

enum { NTYPES = OVK_TYPE_UINT64 + 1, NOPS = OVK_OP_BXOR + 1 };

/* NULL: not for this type. */
static ovk__combine *const table[NTYPES][NOPS] = {
    [OVK_TYPE_DOUBLE] = {[OVK_OP_SUM] = ovk__combine_sum_double,
                         [OVK_OP_MAX] = max_double,
                         [OVK_OP_MIN] = min_double,
                         [OVK_OP_PROD] = prod_double},
    [OVK_TYPE_INT64] = {[OVK_OP_SUM] = sum_uint64,
                        [OVK_OP_MAX] = max_int64,
                        [OVK_OP_MIN] = min_int64,
                        [OVK_OP_PROD] = prod_uint64,
                        [OVK_OP_LAND] = land_uint64,
                        [OVK_OP_LOR] = lor_uint64,
                        [OVK_OP_LXOR] = lxor_uint64,
                        [OVK_OP_BAND] = band_uint64,
                        [OVK_OP_BOR] = bor_uint64,
                        [OVK_OP_BXOR] = bxor_uint64},
    [OVK_TYPE_FLOAT] = {[OVK_OP_SUM] = sum_float,
                        [OVK_OP_MAX] = max_float,
                        [OVK_OP_MIN] = min_float,
                        [OVK_OP_PROD] = prod_float},
    [OVK_TYPE_INT8] = {[OVK_OP_SUM] = sum_uint8,
                       [OVK_OP_MAX] = max_int8,
                       [OVK_OP_MIN] = min_int8,
                       [OVK_OP_PROD] = prod_uint8,
                       [OVK_OP_LAND] = land_uint8,
                       [OVK_OP_LOR] = lor_uint8,
                       [OVK_OP_LXOR] = lxor_uint8,
                       [OVK_OP_BAND] = band_uint8,
                       [OVK_OP_BOR] = bor_uint8,
                       [OVK_OP_BXOR] = bxor_uint8},
    [OVK_TYPE_INT16] = {[OVK_OP_SUM] = sum_uint16,
                        [OVK_OP_MAX] = max_int16,
                        [OVK_OP_MIN] = min_int16,
                        [OVK_OP_PROD] = prod_uint16,
                        [OVK_OP_LAND] = land_uint16,
                        [OVK_OP_LOR] = lor_uint16,
                        [OVK_OP_LXOR] = lxor_uint16,
                        [OVK_OP_BAND] = band_uint16,
                        [OVK_OP_BOR] = bor_uint16,
                        [OVK_OP_BXOR] = bxor_uint16},
    [OVK_TYPE_INT32] = {[OVK_OP_SUM] = sum_uint32,
                        [OVK_OP_MAX] = max_int32,
                        [OVK_OP_MIN] = min_int32,
                        [OVK_OP_PROD] = prod_uint32,
                        [OVK_OP_LAND] = land_uint32,
                        [OVK_OP_LOR] = lor_uint32,
                        [OVK_OP_LXOR] = lxor_uint32,
                        [OVK_OP_BAND] = band_uint32,
                        [OVK_OP_BOR] = bor_uint32,
                        [OVK_OP_BXOR] = bxor_uint32},
    [OVK_TYPE_UINT8] = {[OVK_OP_SUM] = sum_uint8,
                        [OVK_OP_MAX] = max_uint8,
                        [OVK_OP_MIN] = min_uint8,
                        [OVK_OP_PROD] = prod_uint8,
                        [OVK_OP_LAND] = land_uint8,
                        [OVK_OP_LOR] = lor_uint8,
                        [OVK_OP_LXOR] = lxor_uint8,
                        [OVK_OP_BAND] = band_uint8,
                        [OVK_OP_BOR] = bor_uint8,
                        [OVK_OP_BXOR] = bxor_uint8},
    [OVK_TYPE_UINT16] = {[OVK_OP_SUM] = sum_uint16,
                         [OVK_OP_MAX] = max_uint16,
                         [OVK_OP_MIN] = min_uint16,
                         [OVK_OP_PROD] = prod_uint16,
                         [OVK_OP_LAND] = land_uint16,
                         [OVK_OP_LOR] = lor_uint16,
                         [OVK_OP_LXOR] = lxor_uint16,
                         [OVK_OP_BAND] = band_uint16,
                         [OVK_OP_BOR] = bor_uint16,
                         [OVK_OP_BXOR] = bxor_uint16},
    [OVK_TYPE_UINT32] = {[OVK_OP_SUM] = sum_uint32,
                         [OVK_OP_MAX] = max_uint32,
                         [OVK_OP_MIN] = min_uint32,
                         [OVK_OP_PROD] = prod_uint32,
                         [OVK_OP_LAND] = land_uint32,
                         [OVK_OP_LOR] = lor_uint32,
                         [OVK_OP_LXOR] = lxor_uint32,
                         [OVK_OP_BAND] = band_uint32,
                         [OVK_OP_BOR] = bor_uint32,
                         [OVK_OP_BXOR] = bxor_uint32},
    [OVK_TYPE_UINT64] = {[OVK_OP_SUM] = sum_uint64,
                         [OVK_OP_MAX] = max_uint64,
                         [OVK_OP_MIN] = min_uint64,
                         [OVK_OP_PROD] = prod_uint64,
                         [OVK_OP_LAND] = land_uint64,
                         [OVK_OP_LOR] = lor_uint64,
                         [OVK_OP_LXOR] = lxor_uint64,
                         [OVK_OP_BAND] = band_uint64,
                         [OVK_OP_BOR] = bor_uint64,
                         [OVK_OP_BXOR] = bxor_uint64},
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
