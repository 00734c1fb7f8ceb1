/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference for exact sums: positive and negative numbers are summed separately, in binary. */
#include "support/exact_reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* bit[k] has weight 2^(k - 1074); large enough for 2^40 doubles */
enum { LEAST = -1074, BITS = 2100 + 40 };

typedef struct total {
  long long bit[BITS];
} total;

static void add(total *to, double magnitude)
{
  int weight;
  double rest = frexp(magnitude, &weight); /* 0.1... times 2^weight, or 0 */
  while (rest > 0) {
    rest *= 2;
    weight--;
    if (rest >= 1) {
      to->bit[weight - LEAST]++;
      rest -= 1;
    }
  }
}

/* Makes every bit 0 or 1. */
static void carry(total *t)
{
  long long rest = 0;
  for (int k = 0; k < BITS; k++) {
    rest += t->bit[k];
    t->bit[k] = rest % 2;
    rest /= 2;
  }
}

static int compare(const total *a, const total *b)
{
  for (int k = BITS - 1; k >= 0; k--) {
    if (a->bit[k] != b->bit[k]) return a->bit[k] > b->bit[k] ? 1 : -1;
  }
  return 0;
}

/* a <- a - b >= 0 */
static void subtract(total *a, const total *b)
{
  for (int k = 0; k < BITS; k++) {
    a->bit[k] -= b->bit[k];
    if (a->bit[k] < 0) {
      a->bit[k] += 2;
      a->bit[k + 1]--;
    }
  }
}

/* The leading 53 bits, but none below the smallest unit, plus one unit if the remainder is more
 * than half a unit, or exactly half and the last unit is odd. */
static double round_to_double(const total *t)
{
  int highest = BITS - 1;
  while (highest >= 0 && !t->bit[highest]) highest--;
  const int unit = highest > 52 ? highest - 52 : 0;
  double units = 0; /* up to 2^53: exact */
  for (int k = highest; k >= unit; k--) units = 2 * units + (double)t->bit[k];
  bool more = unit > 0 && t->bit[unit];
  for (int k = 0; k + 1 < unit; k++) more = more || t->bit[k];
  if (unit > 0 && t->bit[unit - 1] && more) units += 1;
  return ldexp(units, unit + LEAST);
}

double reference_sum(const double *values, size_t n)
{
  total above, below;
  memset(&above, 0, sizeof above);
  memset(&below, 0, sizeof below);
  double special = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) {
      special += values[i];
    } else {
      add(values[i] > 0 ? &above : &below, fabs(values[i]));
    }
  }
  if (special != 0) return isnan(special) ? (double)NAN : special;
  carry(&above);
  carry(&below);
  const int sign = compare(&above, &below);
  if (sign == 0) return 0;
  total *larger = sign > 0 ? &above : &below, *smaller = sign > 0 ? &below : &above;
  subtract(larger, smaller);
  return sign * round_to_double(larger);
}
