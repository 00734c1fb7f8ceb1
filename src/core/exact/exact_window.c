/* SPDX-License-Identifier: BSD-2-Clause */
/* Correctly rounded sums as plain sums of doubles: the forms of a part, and the rounding of totals.
 */
#include "core/exact/exact_window.h"

#include <math.h>
#include <string.h>

enum { LIMB_BITS = 32, WINDOW_BITS = OVK__WINDOW_BITS, ROOM_ABOVE = 56 };
enum { FRACTION_BITS = 52, MOST_EXPONENT = 0x7ff };

/* |value| = significand 2^(at - 1074) for a finite one. */
typedef struct window_pieces {
  uint64_t significand;
  int at, exponent;
} window_pieces;

static window_pieces window_split(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int exponent = (int)(bits >> FRACTION_BITS) & MOST_EXPONENT;
  const uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
  return (window_pieces){.significand = fraction | (uint64_t)(exponent > 0) << FRACTION_BITS,
                         .at = exponent ? exponent - 1 : 0,
                         .exponent = exponent};
}

/* words <- `sign` times the limbs of bits 2^at */
static void window_put_limbs(uint64_t bits, int at, double sign, double *words)
{
  const uint64_t limb = ((uint64_t)1 << LIMB_BITS) - 1;
  const int up = at % LIMB_BITS;
  int k = at / LIMB_BITS;
  words[k] = sign * (double)(bits << up & limb);
  for (uint64_t rest = bits >> (LIMB_BITS - up); rest; rest >>= LIMB_BITS) {
    words[++k] = sign * (double)(rest & limb);
  }
}

void ovk__window_put(double part, int window, double words[OVK__WINDOW_WORDS])
{
  for (int k = 0; k < OVK__WINDOW_WORDS; k++) words[k] = 0;
  if (part == 0) return;
  const window_pieces p = window_split(part);
  const int at = p.at - window, below = at < 0 ? -at : 0;
  if (window < 0 || p.exponent == MOST_EXPONENT || at + FRACTION_BITS >= WINDOW_BITS) {
    words[OVK__WINDOW_MISFITS] = OVK__WINDOW_OUTSIDE;
    return;
  }
  const uint64_t kept = below <= FRACTION_BITS ? p.significand >> below : 0;
  if (below > FRACTION_BITS || kept << below != p.significand)
    words[OVK__WINDOW_MISFITS] = OVK__WINDOW_LOST;
  window_put_limbs(kept, at + below, part < 0 ? -1 : 1, words);
}

/* The sums of the words as limbs. */
static void window_get_limbs(const double *words, int n, uint64_t *limbs)
{
  for (int k = 0; k < n; k++) limbs[k] = (uint64_t)(int64_t)words[k];
}

/* Many totals of a method are often 0, as those of the unused part of a Krylov space. */
static bool window_is_zero(const double words[OVK__WINDOW_WORDS])
{
  bool any = false;
  for (int k = 0; k < OVK__WINDOW_WORDS; k++) any |= words[k] != 0;
  return !any;
}

/* Parts are truncated toward 0, so each one that loses bits changes the sum by less than one unit,
 * in either direction. */
bool ovk__window_round(const double words[OVK__WINDOW_WORDS], int window, double *total)
{
  uint64_t limbs[OVK__WINDOW_LIMBS];
  const double misfits = words[OVK__WINDOW_MISFITS];
  *total = 0;
  if (window_is_zero(words)) return true;
  if (!(misfits < OVK__WINDOW_OUTSIDE)) return false;
  const int base = window < 0 ? 0 : window; /* all parts are 0 if there is none */
  const uint64_t lost = (uint64_t)misfits;
  window_get_limbs(words, OVK__WINDOW_LIMBS, limbs);
  limbs[0] -= lost;
  *total = ovk__exact_round_limbs(limbs, OVK__WINDOW_LIMBS, base);
  if (!lost) return true;
  limbs[0] += 2 * lost;
  return *total == ovk__exact_round_limbs(limbs, OVK__WINDOW_LIMBS, base);
}

int ovk__window_of(double total, int window)
{
  if (total == 0 || !isfinite(total)) return window;
  const int least = window_split(total).at + FRACTION_BITS + 1 + ROOM_ABOVE - WINDOW_BITS;
  return least < 0 ? 0 : least;
}

void ovk__long_put(double part, double words[OVK__LONG_WORDS])
{
  for (int k = 0; k < OVK__LONG_WORDS; k++) words[k] = 0;
  const window_pieces p = window_split(part);
  if (p.exponent == MOST_EXPONENT) {
    words[OVK__EXACT_FLAGS] = part;
  } else {
    window_put_limbs(p.significand, p.at, part < 0 ? -1 : 1, words);
  }
}

double ovk__long_round(const double words[OVK__LONG_WORDS])
{
  uint64_t limbs[OVK__EXACT_LIMBS];
  const double unusual = words[OVK__EXACT_FLAGS]; /* infinities and NaNs, summed as such */
  if (unusual != 0) return isnan(unusual) ? (double)NAN : unusual;
  window_get_limbs(words, OVK__EXACT_LIMBS, limbs);
  return ovk__exact_round_limbs(limbs, OVK__EXACT_LIMBS, 0);
}
