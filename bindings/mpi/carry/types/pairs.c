/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of a value and an index, for MPI_MAXLOC and MPI_MINLOC. The gap after an index does not
 * belong to the MPI, so it is neither read nor written. */
#include "carry/types/types.h"

#include <stddef.h>

#define ITEMS(bytes, pair) (((bytes) + sizeof(pair) - 1) / sizeof(pair))

/* to <- the pair with the value that comes first in the order; of equal ones, with the least
 * index. */
#define COMBINE(name, pair, comes_before)                                                          \
  static void name(void *to, const void *from, size_t bytes)                                       \
  {                                                                                                \
    pair *a = to;                                                                                  \
    const pair *b = from;                                                                          \
    for (size_t i = 0; i < ITEMS(bytes, pair); i++) {                                              \
      if (b[i].value comes_before a[i].value) {                                                    \
        a[i].value = b[i].value;                                                                   \
        a[i].at = b[i].at;                                                                         \
      } else if (b[i].value == a[i].value && b[i].at < a[i].at) {                                  \
        a[i].at = b[i].at;                                                                         \
      }                                                                                            \
    }                                                                                              \
  }

#define PAIRS(place, name, number, index)                                                          \
  typedef struct name {                                                                            \
    number value;                                                                                  \
    index at;                                                                                      \
  } name;                                                                                          \
  COMBINE(maxloc_##name, name, >)                                                                  \
  COMBINE(minloc_##name, name, <)                                                                  \
  static void store_##name(void *to, const void *from, size_t bytes)                               \
  {                                                                                                \
    name *a = to;                                                                                  \
    const name *b = from;                                                                          \
    for (size_t i = 0; i < ITEMS(bytes, name); i++) {                                              \
      a[i].value = b[i].value;                                                                     \
      a[i].at = b[i].at;                                                                           \
    }                                                                                              \
  }                                                                                                \
  const carry_pairs carry_##name = {.extent = sizeof(name),                                        \
                                    .gap = sizeof(name) - offsetof(name, at) - sizeof(index),      \
                                    .maxloc = {2 * (place), maxloc_##name, store_##name},          \
                                    .minloc = {2 * (place) + 1, minloc_##name, store_##name}};

PAIRS(0, double_int, double, int)
PAIRS(1, float_int, float, int)
PAIRS(2, long_int, long, int)
PAIRS(3, short_int, short, int)
PAIRS(4, int_int, int, int)
PAIRS(5, float_float, float, float)
PAIRS(6, double_double, double, double)
