/* SPDX-License-Identifier: BSD-2-Clause */
/* The accuracy of exact sums on random parts with exponents over 2^-300 to 2^300: windows follow
 * the totals as in a solver. */
#include "exact_random.h"
#include "support/exact_reference.h"
#include "support/random.h"

enum { MOST = 40 };

/* Parts of a narrow or a wide range of exponents, which cancel in half of the vectors. */
static int draw_parts(dice *d, double *parts)
{
  const int n = 2 + dice_below(d, MOST - 1), middle = dice_below(d, 601) - 300;
  const int width = dice_once_in(d, 2) ? 600 : 1 + dice_below(d, 60);
  const bool cancel = dice_once_in(d, 2);
  for (int i = 0; i < n; i++) {
    const int e = middle + dice_below(d, width) - width / 2;
    const bool again = cancel && 2 * i >= n && !dice_once_in(d, 8);
    parts[i] = again ? -parts[i - n / 2]
                     : ldexp(dice_unit(d) - 0.5, e < -300  ? -300
                                                 : e > 300 ? 300
                                                           : e);
  }
  return n;
}

/* So their error is never above that of a plain sum. */
TEST(every_sum_is_the_correctly_rounded_one)
{
  const int vectors = random_vectors();
  dice d = {.seed = 11};
  double parts[MOST];
  int window = OVK__NO_WINDOW, plain_is_wrong = 0, certain = 0;
  for (int v = 0; v < vectors; v++) {
    const int n = draw_parts(&d, parts);
    double total, plain = 0;
    for (int i = 0; i < n; i++) plain += parts[i];
    if (v % 4 == 0) { /* a similar total was before it, as in most iterations */
      window = ovk__window_of(ldexp(long_total(n, parts), dice_below(&d, 20) - 10), window);
    }
    const bool known = short_total(n, parts, window, &total);
    if (!known) total = long_total(n, parts);
    assert_true(total == reference_sum(parts, (size_t)n));
    window = ovk__window_of(total, window);
    certain += known;
    plain_is_wrong += plain != total;
  }
  print_message("%d sums: %d plain ones differ, %d are certain in their window\n", vectors,
                plain_is_wrong, certain);
  assert_true(plain_is_wrong > vectors / 4);
  assert_true(certain > vectors / 8);
}
