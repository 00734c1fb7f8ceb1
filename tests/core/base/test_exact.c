/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums by additions of 64-bit integers, compared with known results and a slow reference. */
#include "core/exact/exact.h"
#include "exact_random.h"
#include "support/exact_reference.h"

#include <fenv.h>

enum { WORDS = OVK__EXACT_WORDS, MOST = 200 };

static double sum(const double *values, size_t n)
{
  uint64_t words[WORDS] = {0};
  for (size_t i = 0; i < n; i++) ovk__exact_add_value(words, values[i]);
  return ovk__exact_round(words);
}

/* Asserts that values, in both orders, sum to `should`, and their negatives to its negative; also
 * for the reference. */
static void check_sum(const double *values, size_t n, double should)
{
  double negative[MOST] = {0}, backward[MOST] = {0};
  assert_in_range(n, 1, MOST);
  for (size_t i = 0; i < n; i++) {
    negative[i] = -values[i];
    backward[i] = values[n - 1 - i];
  }
  check_bits(sum(values, n), should);
  check_bits(sum(backward, n), should);
  check_bits(sum(negative, n), should == 0 ? 0 : -should);
  check_bits(reference_sum(values, n), should);
}

#define CHECK_SUM(should, ...)                                                                     \
  check_sum((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), \
            should)

/* xorshift64* */
/* Of either sign, magnitudes from 2^least to 2^most; a quarter of them have few significant
 * bits. */
static double random_double(uint64_t *state, int least, int most)
{
  uint64_t significand = random_bits(state) >> 11 | (uint64_t)1 << 52;
  const uint64_t choice = random_bits(state);
  if (choice % 4 == 0) significand &= ~(uint64_t)0 << (choice >> 8) % 53;
  const int exponent = least + (int)((choice >> 16) % (uint64_t)(most - least));
  const double value = ldexp((double)significand, exponent - 52);
  return choice & 128 ? -value : value;
}

TEST(a_double_is_the_sum_of_at_most_three_neighboring_shares)
{
  uint64_t random = 1;
  int seen[OVK__EXACT_MOST_SHARES + 1] = {0};
  for (int i = 0; i < 20000; i++) {
    const double value = random_double(&random, -1074, 1024);
    ovk__share shares[OVK__EXACT_MOST_SHARES];
    const int n = ovk__exact_split(value, shares);
    double total = 0;
    for (int k = 0; k < n; k++) {
      const double addend = (double)shares[k].addend;
      assert_in_range(shares[k].word, k ? shares[k - 1].word + 1 : 0, shares[0].word + 2);
      assert_in_range(shares[k].word, 0, OVK__EXACT_LIMBS - 1);
      assert_true(fabs(addend) < 0x1p32 && addend * value > 0);
      total += ldexp(addend, 32 * shares[k].word - 1074);
    }
    check_bits(total, value);
    seen[n]++;
  }
  for (int n = 1; n <= OVK__EXACT_MOST_SHARES; n++) assert_true(seen[n] > 500);
}

TEST(zeros_have_no_share_and_what_is_not_finite_has_one)
{
  ovk__share shares[OVK__EXACT_MOST_SHARES];
  const double zeros[] = {0, -0.0}, flags[] = {INFINITY, -INFINITY, NAN, -(double)NAN};
  for (int k = 0; k < 2; k++) assert_int_equal(ovk__exact_split(zeros[k], shares), 0);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(ovk__exact_split(flags[k], shares), 1);
    assert_int_equal(shares[0].word, OVK__EXACT_FLAGS);
  }
}

TEST(every_double_comes_back)
{
  for (int k = -1074; k < 1024; k++) {
    const double power = ldexp(1, k), less = nextafter(power, 0);
    CHECK_SUM(power, power);
    CHECK_SUM(less, less);
  }
  CHECK_SUM(DBL_MAX, DBL_MAX);
  uint64_t random = 2;
  for (int i = 0; i < 20000; i++) {
    const uint64_t bits = random_bits(&random);
    double value;
    memcpy(&value, &bits, sizeof value);
    check_bits(sum(&value, 1), value);
  }
}

TEST(zeros_of_any_sign_and_what_cancels_make_plus_zero)
{
  const double zeros[] = {-0.0, -0.0, 0};
  for (size_t n = 0; n <= 3; n++) check_bits(sum(zeros, n), 0);
  CHECK_SUM(0, 1e308, -1.5, 1.5, -1e308);
  CHECK_SUM(0, DBL_TRUE_MIN, -DBL_TRUE_MIN);
  CHECK_SUM(0, 0x1p-1000, -0x1p-1001, -0x1p-1001);
}

TEST(what_cancels_leaves_the_rest_exactly)
{
  CHECK_SUM(1, 1e308, 1, -1e308);
  CHECK_SUM(DBL_TRUE_MIN, DBL_MAX, DBL_TRUE_MIN, -DBL_MAX);
  CHECK_SUM(-0x1p-1060, 1e16, 0x1p-1060, -1e16, -0x1p-1059);
  CHECK_SUM(0x1p-52, 1 + 0x1p-52, -1);
  CHECK_SUM(0x1p-107, 0x1p53, 0x1p-107, -0x1p53 + 1, -1);
  CHECK_SUM(1e-300, 1e300, 1e200, 1e100, 1, 1e-300, -1, -1e100, -1e200, -1e300);
  CHECK_SUM(1 - 0x1p-53, 1, -0x1p-53); /* borrows from all bits */
  CHECK_SUM(1, 1, -DBL_TRUE_MIN);      /* and from a thousand bits below them */
}

TEST(denormals_are_kept_and_become_normal)
{
  const double denormal = 0x0.8p-1022, most = 0x0.fffffffffffffp-1022;
  CHECK_SUM(denormal, DBL_MIN, -denormal);
  CHECK_SUM(most, DBL_MIN, -DBL_TRUE_MIN);
  CHECK_SUM(DBL_MIN, most, DBL_TRUE_MIN);
  CHECK_SUM(DBL_MIN + DBL_TRUE_MIN, most, 2 * DBL_TRUE_MIN);
  CHECK_SUM(3 * DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN);
  CHECK_SUM(-DBL_MIN, DBL_MIN, -2 * DBL_MIN);
}

TEST(halves_go_to_even_and_the_least_bit_below_decides)
{
  for (int k = -1021; k < 1024; k += 4) { /* in units of 1 where the numbers have halves */
    const double even = ldexp(1, k), odd = even * (1 + 0x1p-52), next = even * (1 + 0x1p-51);
    const double half = ldexp(1, k - 53), least = DBL_TRUE_MIN;
    CHECK_SUM(even, even, half);
    CHECK_SUM(next, odd, half);
    CHECK_SUM(even, odd, -half);
    CHECK_SUM(next, odd, half, least);
    if (half == least) continue;
    CHECK_SUM(odd, even, half, least);
    CHECK_SUM(even, even, half, -least);
    CHECK_SUM(odd, odd, half, -least);
    CHECK_SUM(odd, odd, -half, least);
    CHECK_SUM(even, odd, -half, -least);
    CHECK_SUM(odd, even, half, half / 2);
    CHECK_SUM(even, even, -half / 2); /* units are half as large below a power of 2: a tie */
  }
}

TEST(sums_overflow_from_half_a_unit_past_the_largest_double_on)
{
  const double half = 0x1p970, before = nextafter(DBL_MAX, 0);
  CHECK_SUM(INFINITY, DBL_MAX, half);
  CHECK_SUM(INFINITY, DBL_MAX, half, DBL_TRUE_MIN);
  CHECK_SUM(DBL_MAX, DBL_MAX, half, -DBL_TRUE_MIN);
  CHECK_SUM(DBL_MAX, DBL_MAX, nextafter(half, 0));
  CHECK_SUM(before, before, half);
  CHECK_SUM(DBL_MAX, before, half, DBL_TRUE_MIN);
  CHECK_SUM(INFINITY, 0x1p1023, 0x1p1023);
  CHECK_SUM(INFINITY, DBL_MAX, DBL_MAX);
  CHECK_SUM(INFINITY, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX);
}

TEST(sums_pass_beyond_the_largest_double_and_come_back)
{
  CHECK_SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX);
  CHECK_SUM(1, DBL_MAX, DBL_MAX, DBL_MAX, 1, -DBL_MAX, -DBL_MAX, -DBL_MAX);
  CHECK_SUM(-0x1p971, DBL_MAX, 0x1p1023, -0x1p1023, -0x1p1023, -0x1p1023);
}

TEST(infinities_and_nans_are_summed_as_ever)
{
  CHECK_SUM(INFINITY, 1, INFINITY);
  CHECK_SUM(INFINITY, INFINITY, INFINITY, -DBL_MAX, -DBL_MAX);
  CHECK_SUM(NAN, INFINITY, 1, -INFINITY);
  CHECK_SUM(NAN, INFINITY, -INFINITY, INFINITY);
  CHECK_SUM(NAN, 1, NAN);
  CHECK_SUM(NAN, NAN, NAN, INFINITY);
  CHECK_SUM(NAN, -(double)NAN, DBL_MAX, DBL_MAX);
}

/* n values; with `cancel`, most of the second half are minus the first. */
static void fill_values(uint64_t *random, double *values, size_t n, int least, int most,
                        bool cancel)
{
  const size_t half = (n + 1) / 2;
  for (size_t i = 0; i < n; i++) {
    const bool again = cancel && i >= half && random_bits(random) % 16;
    values[i] = again ? -values[i - half] : random_double(random, least, most);
  }
}

TEST(random_sums_are_rounded_correctly)
{
  const int ranges[][2] = {{-1074, 1024},  {-300, 300}, {-30, 30},     {-1, 1},
                           {-1074, -1010}, {970, 1024}, {-1074, -480}, {424, 1024}};
  enum { NRANGES = sizeof ranges / sizeof *ranges };
  uint64_t random = 3;
  for (int i = 0; i < 8000; i++) {
    const int *range = ranges[i % NRANGES];
    const size_t n = 1 + random_bits(&random) % (i % 64 == 0 ? MOST : 12);
    double values[MOST];
    fill_values(&random, values, n, range[0], range[1], i / NRANGES % 2);
    check_bits(sum(values, n), reference_sum(values, n));
  }
}

static void permute(double *values, size_t first, size_t n, double should)
{
  if (first == n) check_bits(sum(values, n), should);
  for (size_t i = first; i < n; i++) {
    const double one = values[first], other = values[i];
    values[first] = other;
    values[i] = one;
    permute(values, first + 1, n, should);
    values[first] = one;
    values[i] = other;
  }
}

TEST(all_orders_give_the_same_bits)
{
  uint64_t random = 4;
  for (int i = 0; i < 20; i++) {
    double values[6];
    fill_values(&random, values, 6, -60, 60, i % 2);
    permute(values, 0, 6, reference_sum(values, 6));
  }
}

TEST(numbers_are_added_and_subtracted_in_any_grouping)
{
  enum { NUMBERS = 3, PARTS = 5 };
  uint64_t random = 5;
  for (int i = 0; i < 500; i++) {
    double values[NUMBERS][MOST];
    uint64_t part[PARTS][NUMBERS][WORDS] = {0}, total[NUMBERS][WORDS] = {0};
    for (int k = 0; k < NUMBERS; k++) {
      fill_values(&random, values[k], 20, -300, 300, i % 2);
      for (int j = 0; j < 20; j++) {
        ovk__exact_add_value(part[random_bits(&random) % PARTS][k], values[k][j]);
      }
    }
    for (int p = 0; p < PARTS; p++) ovk__exact_add(total, part[p], NUMBERS);
    for (int k = 0; k < NUMBERS; k++) {
      check_bits(ovk__exact_round(total[k]), reference_sum(values[k], 20));
    }
    for (int p = PARTS - 1; p > 0; p--) ovk__exact_subtract(total, part[p], NUMBERS);
    assert_memory_equal(total, part[0], sizeof total);
    ovk__exact_add(total, part[1], 0);
    assert_memory_equal(total, part[0], sizeof total);
  }
}

/* An accumulator that is never reset, in any state: seven limbs and the flags are about to wrap
 * around, upwards or downwards. */
TEST(differences_of_states_are_what_was_added_between)
{
  uint64_t random = 6, words[WORDS], before[WORDS];
  int wraps = 0;
  for (int k = 0; k < WORDS; k++) words[k] = random_bits(&random);
  for (int i = 0; i < 2000; i++) {
    double values[MOST];
    const size_t n = 1 + random_bits(&random) % 30;
    fill_values(&random, values, n, -100, 100, i % 2);
    if (i % 10 == 0) values[0] = i % 20 ? INFINITY : -INFINITY;
    if (i % 50 == 0) values[n - 1] = NAN;
    for (int k = 30; k < 37; k++) words[k] = random_bits(&random) % 8 - 4;
    words[OVK__EXACT_FLAGS] = random_bits(&random) % 8 - 4;
    memcpy(before, words, sizeof words);
    for (size_t j = 0; j < n; j++) ovk__exact_add_value(words, values[j]);
    wraps += words[OVK__EXACT_FLAGS] < before[OVK__EXACT_FLAGS];
    uint64_t difference[WORDS];
    memcpy(difference, words, sizeof words);
    ovk__exact_subtract(difference, before, 1);
    check_bits(ovk__exact_round(difference), reference_sum(values, n));
  }
  assert_true(wraps > 40);
}

/* The product of a word and a factor stands for that many additions. */
static void multiply(uint64_t words[WORDS], uint64_t factor)
{
  for (int k = 0; k < WORDS; k++) words[k] *= factor;
}

/* Doubles that occupy disjoint limbs. Some of them fill a limb. */
TEST(two_to_the_31_additions_do_not_overflow_a_limb)
{
  uint64_t random = 7;
  for (int i = 0; i < 500; i++) {
    uint64_t words[WORDS] = {0};
    double values[21];
    for (int k = 0; k < 21; k++) {
      values[k] = ldexp(k % 3 ? 0x1.fffffffffffffp0 : 1, 96 * k - 1022 + i % 12);
      if (random_bits(&random) % 2) values[k] = -values[k];
      ovk__exact_add_value(words, values[k]);
    }
    multiply(words, (uint64_t)1 << 31);
    check_bits(ovk__exact_round(words), ldexp(reference_sum(values, 21), 31));
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    const uint64_t most = ((uint64_t)1 << 31) * UINT32_MAX;
    const double infinity = sign > 0 ? INFINITY : -INFINITY;
    uint64_t words[WORDS] = {0}, last[WORDS] = {0};
    for (int k = 0; k < 60; k++) words[k] = sign > 0 ? most : 0 - most;
    check_bits(ovk__exact_round(words), sign * ldexp(1, 60 * 32 + 31 - 1074));
    for (int k = 60; k < OVK__EXACT_LIMBS; k++) words[k] = words[0];
    check_bits(ovk__exact_round(words), infinity);
    ovk__exact_add_value(last, sign * 0x1p1023); /* overflows the last limb */
    multiply(last, (uint64_t)1 << 31);
    check_bits(ovk__exact_round(last), infinity);
  }
}

TEST(the_flags_count_as_many_parts_as_there_may_be)
{
  const double values[] = {INFINITY, -INFINITY, NAN};
  for (int k = 0; k < 3; k++) {
    uint64_t words[WORDS] = {0};
    ovk__exact_add_value(words, values[k]);
    multiply(words, OVK__EXACT_MOST_PARTS);
    check_bits(ovk__exact_round(words), values[k]);
  }
}

TEST(the_rounding_mode_does_not_matter)
{
  const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}, usual = fegetround();
  uint64_t random = 8;
  for (int i = 0; i < 300; i++) {
    double values[20];
    fill_values(&random, values, 20, i % 2 ? -20 : -1074, i % 2 ? 20 : -1000, false);
    const double should = reference_sum(values, 20);
    assert_int_equal(fesetround(modes[i % 3]), 0);
    const double is = sum(values, 20);
    fesetround(usual);
    check_bits(is, should);
  }
}
