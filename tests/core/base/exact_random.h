/* SPDX-License-Identifier: BSD-2-Clause */
/* Random bits, sums of both forms, and the comparison of sums, for the tests of exact sums. */
#ifndef OVK_TEST_EXACT_RANDOM_H
#define OVK_TEST_EXACT_RANDOM_H

#include "core/exact/exact_window.h"
#include "support/test_main.h"

static inline uint64_t random_bits(uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1du;
}

static inline int random_below(uint64_t *state, int n)
{
  return (int)((random_bits(state) >> 33) % (uint64_t)n);
}

/* How many vectors of parts a test draws: OVK_TEST_VECTORS, or 20000. */
static inline int random_vectors(void)
{
  const char *vectors = getenv("OVK_TEST_VECTORS");
  return vectors ? atoi(vectors) : 20000;
}

/* Compares bits, so that 0 differs from -0, and NaN equals NaN. */
static inline void check_bits(double is, double should)
{
  if (isnan(should)) should = NAN;
  assert_memory_equal(&is, &should, sizeof is);
}

/* words <- the plain sums of the short forms, in the order of the parts */
static inline void sum_short(int n, const double *parts, int window,
                             double words[OVK__WINDOW_WORDS])
{
  double one[OVK__WINDOW_WORDS];
  memset(words, 0, OVK__WINDOW_WORDS * sizeof *words);
  for (int i = 0; i < n; i++) {
    ovk__window_put(parts[i], window, one);
    for (int k = 0; k < OVK__WINDOW_WORDS; k++) words[k] += one[k];
  }
}

/* The total of the short forms; false: it is not certain. */
static inline bool short_total(int n, const double *parts, int window, double *total)
{
  double words[OVK__WINDOW_WORDS];
  sum_short(n, parts, window, words);
  return ovk__window_round(words, window, total);
}

static inline double long_total(int n, const double *parts)
{
  double words[OVK__LONG_WORDS] = {0}, one[OVK__LONG_WORDS];
  for (int i = 0; i < n; i++) {
    ovk__long_put(parts[i], one);
    for (int k = 0; k < OVK__LONG_WORDS; k++) words[k] += one[k];
  }
  return ovk__long_round(words);
}

#endif
