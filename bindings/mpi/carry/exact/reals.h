/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of floats and doubles: their form in a message, and their rounding. */
#ifndef OVK_CARRY_REALS_H
#define OVK_CARRY_REALS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Words of a number in a message (core/exact/exact.h): modulo 2^64, sums of words are words of the
 * sum, in any order. */
enum { CARRY_EXACT_WORDS = 67 };

/* The real numbers of an MPI type. */
typedef struct carry_reals {
  int each;     /* reals of an item: 2 of a complex one; 0: it has none */
  bool singles; /* floats; else doubles */
} carry_reals;

carry_reals carry_reals_of(MPI_Datatype type);

/* words <- n reals from index `at` on; and back, each rounded to nearest. */
void carry_exact_put(carry_reals type, const void *reals, int64_t at, int n, uint64_t *words);
void carry_exact_get(carry_reals type, const uint64_t *words, int64_t at, int n, void *reals);

#endif
