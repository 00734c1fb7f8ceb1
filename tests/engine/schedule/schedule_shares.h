/* SPDX-License-Identifier: BSD-2-Clause */
/* Shares: the items that each rank has for each other one, in tests of schedules of collectives.
 * Each element shows where it comes from and where it belongs. */
#ifndef OVK_TESTS_SCHEDULE_SHARES_H
#define OVK_TESTS_SCHEDULE_SHARES_H

#include "comm/engine/schedule/algorithms/collectives.h"
#include "support/comm/schedule_machine.h"

enum { MOST_RANKS = 70 };
enum { RING = -1 }; /* instead of a window */

static const int windows[] = {OVK__NO_WINDOW, 1, 2, 6};
enum { NWINDOWS = sizeof windows / sizeof *windows };

/* Segments with gaps between them, in reverse order. */
typedef struct shares {
  ovk__segment *list;
  size_t length; /* of a buffer that has them all */
} shares;

/* How many elements rank `from` has for rank `to`; may be 0. */
size_t share_count(int from, int to);

double share_element(int from, int to, size_t i);

/* `list` is to be freed. */
shares shares_make(int n, int rank, bool outgoing);

/* Shares that do not depend on the rank: rank 0's. */
shares shares_common(int n);

void shares_fill(double *at, int from, int to, size_t count);

void shares_check(const double *at, int from, int to, size_t count);

/* Checks that nothing has written to `at`. */
void shares_check_untouched(const double *at, size_t count);

/* Checks the share from each rank, and that the gaps are unchanged. `to` may differ from rank to
 * rank. */
void shares_check_all(const double *at, const shares *s, int n, int to);

#endif
