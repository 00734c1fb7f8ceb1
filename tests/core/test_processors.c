/* SPDX-License-Identifier: BSD-2-Clause */
/* How many processors a job may use: by affinity, and by the files of control groups. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "core/processors.h"
#include "support/test_main.h"

#include <sched.h>

static int count(void)
{
  int n = 0;
  assert_ok(ovk__processors(test_ctx(), MPI_COMM_WORLD, &n));
  return n;
}

/* Binds each rank to a separate processor, as launchers do. */
TEST(what_ranks_are_bound_to_is_counted_together)
{
  cpu_set_t all, own;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  const int before = count();
  int expected = 0;
  size_t first = CPU_SETSIZE;
  for (size_t cpu = 0; cpu < CPU_SETSIZE && expected < test_size; cpu++) {
    if (!CPU_ISSET(cpu, &all)) continue;
    if (expected == 0) first = cpu;
    CPU_ZERO(&own);
    CPU_SET(cpu, &own);
    if (expected++ == test_rank) assert_int_equal(sched_setaffinity(0, sizeof own, &own), 0);
  }
  if (test_rank >= expected) { /* the first has several */
    CPU_ZERO(&own);
    CPU_SET(first, &own);
    assert_int_equal(sched_setaffinity(0, sizeof own, &own), 0);
  }
  assert_int_equal(count(), expected < before ? expected : before);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
  assert_int_equal(count(), before);
}

TEST(a_quota_is_worth_whole_processors)
{
  assert_int_equal(ovk__quota("max 100000\n", NULL), 0);
  assert_int_equal(ovk__quota("400000 100000\n", NULL), 4);
  assert_int_equal(ovk__quota("150000 100000\n", NULL), 1);
  assert_int_equal(ovk__quota("5000 100000\n", NULL), 1);
  assert_int_equal(ovk__quota("-1\n", "100000\n"), 0);
  assert_int_equal(ovk__quota("200000\n", "100000\n"), 2);
  assert_int_equal(ovk__quota("", NULL), 0);
  assert_int_equal(ovk__quota("200000", NULL), 0);
  assert_int_equal(ovk__quota("200000", "0"), 0);
}
