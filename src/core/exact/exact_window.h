/* SPDX-License-Identifier: BSD-2-Clause */
/* The correctly rounded sum of doubles, one of each rank, as plain sums of a few doubles: any
 * reduction can form them, in any order, with the same bits.
 *
 * The long form of a part has its limbs in base 2^32 (exact.h) as doubles: integers below 2^32,
 * so the sums of up to OVK__EXACT_MOST_PARTS of them stay below 2^53 and are exact. Its 67 words
 * are too many for each iteration. The short form has the five limbs of a window of 160 bits, and
 * a count of the parts that do not fit: those with bits above the window, and those that lose bits
 * below it. The window is chosen from an earlier total, which all ranks have. The sum of the short
 * forms is either certain, which means that it rounds to the same double whatever the lost bits
 * are, or all ranks find that it is not; then the long form is summed. So a total does not depend
 * on the window: it is the correctly rounded sum in either case. */
#ifndef OVK_CORE_EXACT_EXACT_WINDOW_H
#define OVK_CORE_EXACT_EXACT_WINDOW_H

#include "core/exact/exact.h"

#include <stdbool.h>

enum {
  OVK__WINDOW_LIMBS = 5,
  OVK__WINDOW_BITS = 32 * OVK__WINDOW_LIMBS,
  OVK__WINDOW_MISFITS = OVK__WINDOW_LIMBS, /* index of the count */
  OVK__WINDOW_WORDS,
  OVK__NO_WINDOW = -1, /* no total is known: no part but 0 fits */
  OVK__LONG_WORDS = OVK__EXACT_WORDS
};

/* The addends of the count for a part that loses bits, and for one with bits above the window.
 * Counts of the former stay below the latter, and sums of both are exact. */
#define OVK__WINDOW_LOST 1.0
#define OVK__WINDOW_OUTSIDE 0x1p24

/* words <- the short form of a part. A window is the position of its lowest bit, in units of
 * 2^-1074. */
void ovk__window_put(double part, int window, double words[OVK__WINDOW_WORDS]);

/* *total <- the correctly rounded sum, from the sums of the words, unless it is not certain: then
 * returns false. +0 for 0. */
bool ovk__window_round(const double words[OVK__WINDOW_WORDS], int window, double *total);

/* The window in which a total has 56 bits above it and 104 for it and below; `window` for a total
 * that is 0 or not finite. */
int ovk__window_of(double total, int window);

/* words <- the long form of a part; its last word is the part itself if it is NaN or Inf. */
void ovk__long_put(double part, double words[OVK__LONG_WORDS]);

/* The correctly rounded sum, from the sums of the words, as ovk__exact_round() has it. */
double ovk__long_round(const double words[OVK__LONG_WORDS]);

#endif
