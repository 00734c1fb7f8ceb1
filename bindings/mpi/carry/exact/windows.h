/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of many doubles in two short messages: the largest exponent of each, then its limbs in
 * a window of 160 bits from there on (core/exact/exact_window.h). Few sums have bits below that. */
#ifndef OVK_CARRY_WINDOWS_H
#define OVK_CARRY_WINDOWS_H

#include <stdbool.h>

/* Doubles of a number in a message; any sum of them is exact. */
enum { CARRY_WINDOW_WORDS = 6 };

/* exponents[k] <- that of a real. The other functions take the maximum over the ranks. */
void carry_window_exponents(const double *reals, int n, int *exponents);

void carry_window_put(const double *reals, const int *exponents, int n, double *words);

/* *sum <- the rounded sum, from the sums of the words of one number; false if it is not certain. */
bool carry_window_get(const double words[CARRY_WINDOW_WORDS], int exponent, double *sum);

#endif
