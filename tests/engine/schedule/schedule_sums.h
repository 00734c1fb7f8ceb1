/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums that tests of schedules carry out, and their theoretical message and round counts. */
#ifndef OVK_TEST_SCHEDULE_SUMS_H
#define OVK_TEST_SCHEDULE_SUMS_H

#include "comm/engine/schedule/algorithm_spec.h"
#include "support/comm/schedule_machine.h"

/* The algorithms of a schedule, and a hierarchy for so many ranks, to be freed. */
typedef struct setting {
  ovk__algorithm_spec algorithms;
  ovk__hierarchy hierarchy;
} setting;

ovk__algorithm_spec algorithms_of(const char *spec);
setting setting_of(const char *spec, int nranks); /* levels by size */

/* Rank `rank`'s contribution to element i: small integers at odd i, whose sums are exact; at even i
 * numbers whose sums depend on the order. */
double part(int rank, size_t i);
void fill(double *values, int rank, size_t count);

/* Asserts that `total` is the sum of all ranks' parts. */
void check_sum(double total, int nranks, size_t i);

/* An all-reduce that was carried out and checked, for further checks; to be freed. */
machine *allreduce(const setting *s, size_t count);

/* An all-reduce among n ranks at one level: number of messages, length of the longest chain of
 * messages, and, for the rank that has most, rounds and elements of work space. */
typedef struct theory {
  int messages, least_hops, most_hops, most_rounds;
  size_t most_work;
} theory;

theory theory_of(const ovk__level *level, int n, size_t count);

#endif
