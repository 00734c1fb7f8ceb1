/* SPDX-License-Identifier: BSD-2-Clause */
/* Square matrices from the bytes of an input: entries in any order, with duplicates, in patterns
 * that storage formats detect, with NaN and infinite values. */
#ifndef OVK_TEST_FUZZ_ENTRIES_H
#define OVK_TEST_FUZZ_ENTRIES_H

#include "support/fuzz/fuzz.h"

typedef struct entry {
  ovk_lidx i, j;
  double value;
} entry;

typedef struct entries {
  ovk_lidx n; /* rows and columns */
  int count;
  entry *at; /* in the order of addition */
} entries;

/* Reads entries until the input ends; to be freed. */
entries entries_read(fuzz_bytes *in);
void entries_free(entries *list);

/* Sorts entries by row and column and sums duplicates in their order of addition. */
void entries_merge(entries *list);

/* Whether this rank adds the entry. All duplicates of an entry are added by one rank, so that they
 * keep their order; it may be any rank. */
bool entries_is_mine(const entry *e);

/* Whether values are bitwise equal, or both NaN after arithmetic, which may keep either's bits. */
bool entries_same(double a, double b);

/* Whether values are so moderate that no square in a CG solve overflows or underflows. */
bool entries_moderate(double value);

/* Whether merged entries are symmetric, with each diagonal entry at least twice the rest of its
 * row, and all of these within a factor of a million. Then they are positive definite, also in the
 * presence of rounding. */
bool entries_are_easy(const entries *list);

#endif
