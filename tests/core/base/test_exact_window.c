/* SPDX-License-Identifier: BSD-2-Clause */
/* Correctly rounded sums as plain sums of doubles, compared with a slow reference: the short forms
 * in windows near and far from the total, and the long forms. */
#include "core/exact/exact_window.h"
#include "exact_random.h"
#include "support/exact_reference.h"

enum { MOST = 64 };

/* Of either sign, with an exponent from least to most - 1. */
static double random_double(uint64_t *state, int least, int most)
{
  const double significand = 1 + 0x1p-52 * (double)(random_bits(state) >> 12);
  const double value = ldexp(significand, least + random_below(state, most - least));
  return random_bits(state) >> 63 ? -value : value;
}

/* The n parts of a sum; where they cancel, most of the second half are minus the first. */
static void random_parts(uint64_t *state, int n, int least, int most, bool cancel, double *parts)
{
  for (int i = 0; i < n; i++) {
    const bool again = cancel && 2 * i >= n && random_below(state, 8);
    parts[i] = again ? -parts[i - n / 2] : random_double(state, least, most);
  }
}

static void shuffle(uint64_t *state, int n, double *values)
{
  for (int i = n - 1; i > 0; i--) {
    const int j = random_below(state, i + 1);
    const double value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}

/* Asserts the sum of the long forms, and of the short forms in the window of their total. */
static void check_sum(int n, const double *parts, double should)
{
  double total;
  check_bits(long_total(n, parts), should);
  if (short_total(n, parts, ovk__window_of(should, 0), &total)) check_bits(total, should);
}

#define CHECK_SUM(should, ...)                                                                     \
  check_sum((int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)),                         \
            (const double[]){__VA_ARGS__}, should)

TEST(long_totals_are_rounded_correctly)
{
  static const int exponents[][2] = {{-2, 2}, {-300, 300}, {-1074, -1000}, {-1074, 1017}};
  double parts[MOST];
  uint64_t random = 3;
  const int vectors = random_vectors();
  for (int i = 0; i < vectors; i++) {
    const int n = 1 + random_below(&random, MOST), *e = exponents[i % 4];
    random_parts(&random, n, e[0], e[1], i / 4 % 2, parts);
    check_bits(long_total(n, parts), reference_sum(parts, (size_t)n));
  }
}

/* Totals of the iteration before that differ by up to 2^40 and parts that cancel: most short forms
 * suffice, and all that do are right. */
TEST(short_totals_are_rounded_correctly_or_uncertain)
{
  double parts[MOST], total;
  uint64_t random = 4;
  int certain = 0;
  const int cases = random_vectors();
  for (int i = 0; i < cases; i++) {
    const int n = 1 + random_below(&random, MOST), middle = random_below(&random, 600) - 300;
    const double before = random_double(&random, middle - 40, middle + 40);
    random_parts(&random, n, middle - random_below(&random, 60) - 1, middle, i % 2, parts);
    if (!short_total(n, parts, ovk__window_of(before, 0), &total)) continue;
    check_bits(total, reference_sum(parts, (size_t)n));
    certain++;
  }
  assert_true(certain > 0.9 * cases);
}

TEST(any_window_gives_the_same_total_or_none)
{
  double parts[MOST], total;
  uint64_t random = 5;
  for (int i = 0; i < 200; i++) {
    const int n = 1 + random_below(&random, MOST), middle = random_below(&random, 1800) - 950;
    random_parts(&random, n, middle - 100, middle, i % 2, parts);
    const double should = reference_sum(parts, (size_t)n);
    int certain = 0;
    for (int window = 0; window < 2098; window++) {
      if (!short_total(n, parts, window, &total)) continue;
      check_bits(total, should);
      certain++;
    }
    assert_true(i % 2 || certain > 0);
  }
}

TEST(words_do_not_depend_on_the_order)
{
  double parts[MOST], first[OVK__WINDOW_WORDS], words[OVK__WINDOW_WORDS];
  uint64_t random = 6;
  for (int i = 0; i < 2000; i++) {
    random_parts(&random, MOST, -80, 20, i % 2, parts);
    const int window = ovk__window_of(random_double(&random, -20, 20), 0);
    sum_short(MOST, parts, window, first);
    shuffle(&random, MOST, parts);
    sum_short(MOST, parts, window, words);
    assert_memory_equal(words, first, sizeof words);
  }
}

/* Doubles just above a half of their last bit, where the bit that decides is below the window. */
TEST(a_lost_bit_that_decides_is_uncertain)
{
  const int window = ovk__window_of(1, 0);
  const double parts[] = {1, 0x1p-53, 0x1p-200}, even[] = {1, 0x1p-54, 0x1p-200};
  double total;
  assert_false(short_total(3, parts, window, &total));
  assert_true(short_total(2, parts, window, &total));
  check_bits(total, 1);
  assert_true(short_total(3, even, window, &total));
  check_bits(total, 1);
  check_bits(long_total(3, parts), 1 + 0x1p-52);
}

TEST(parts_above_the_window_are_uncertain_though_they_cancel)
{
  const double parts[] = {0x1p57, -0x1p57, 1}, fits[] = {0x1p56, -0x1p56, 1};
  const int window = ovk__window_of(1, 0);
  double total;
  assert_false(short_total(3, parts, window, &total));
  assert_true(short_total(3, fits, window, &total));
  check_bits(total, 1);
}

TEST(a_vanished_total_is_uncertain_unless_all_parts_are_0)
{
  const double tiny[] = {0x1p-300, 0, -0.0}, zeros[] = {0, -0.0, 0};
  double total;
  assert_false(short_total(3, tiny, ovk__window_of(1, 0), &total));
  assert_false(short_total(3, tiny, OVK__NO_WINDOW, &total));
  assert_true(short_total(3, zeros, OVK__NO_WINDOW, &total));
  check_bits(total, 0);
  assert_true(short_total(3, zeros, ovk__window_of(1, 0), &total));
  check_bits(total, 0);
  check_bits(long_total(3, tiny), 0x1p-300);
  check_bits(long_total(3, zeros), 0);
}

TEST(infinities_and_nans_are_summed_as_ever)
{
  const double cases[][3] = {
      {INFINITY, 1, 1}, {-INFINITY, DBL_MAX, 1}, {INFINITY, -INFINITY, 1}, {1, NAN, INFINITY}};
  const double totals[] = {INFINITY, -INFINITY, NAN, NAN};
  double total;
  for (int k = 0; k < 4; k++) {
    assert_false(short_total(3, cases[k], ovk__window_of(1, 0), &total));
    check_bits(long_total(3, cases[k]), totals[k]);
  }
}

TEST(totals_reach_the_ends_of_the_doubles)
{
  CHECK_SUM(INFINITY, DBL_MAX, DBL_MAX);
  CHECK_SUM(-INFINITY, -DBL_MAX, -0x1p970);
  CHECK_SUM(DBL_MAX, DBL_MAX, 0x1p969);
  CHECK_SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX);
  CHECK_SUM(DBL_TRUE_MIN, DBL_TRUE_MIN);
  CHECK_SUM(-3 * DBL_TRUE_MIN, -DBL_TRUE_MIN, -DBL_TRUE_MIN, -DBL_TRUE_MIN);
  CHECK_SUM(DBL_MIN, DBL_MIN - DBL_TRUE_MIN, DBL_TRUE_MIN);
  CHECK_SUM(0, DBL_TRUE_MIN, -DBL_TRUE_MIN);
}

/* 2^20 ranks with the same part, which is the worst for a limb. */
TEST(limbs_of_a_million_ranks_are_exact)
{
  const double part = 0x1.fffffffffffffp10, ranks = 0x1p20;
  double words[OVK__WINDOW_WORDS], total;
  const int window = ovk__window_of(part, 0);
  ovk__window_put(part, window, words);
  for (int k = 0; k < OVK__WINDOW_WORDS; k++) {
    assert_true(fabs(words[k]) < 0x1p32);
    words[k] *= ranks;
  }
  assert_true(ovk__window_round(words, window, &total));
  check_bits(total, part * ranks);
}

TEST(a_window_stays_where_a_total_does_not_tell_one)
{
  assert_int_equal(ovk__window_of(0, 77), 77);
  assert_int_equal(ovk__window_of(NAN, 77), 77);
  assert_int_equal(ovk__window_of(-INFINITY, OVK__NO_WINDOW), OVK__NO_WINDOW);
  assert_int_equal(ovk__window_of(DBL_TRUE_MIN, 77), 0);
  assert_int_equal(ovk__window_of(-4, 77), ovk__window_of(4, 5));
  assert_int_equal(ovk__window_of(8, 77), ovk__window_of(4, 5) + 1);
}
