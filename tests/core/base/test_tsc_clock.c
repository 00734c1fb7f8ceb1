/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of the event log: its readings while it changes from the system's clock to the counter
 * of the processor. */
#include "core/base/tsc_clock.h"
#include "support/test_main.h"

enum { FEW = 100, MANY = 100000 };

TEST(few_readings_measure_no_period)
{
  ovk__counter c;
  ovk__counter_start(&c);
  for (int k = 0; k < FEW; k++) (void)ovk__counter_seconds(&c);
  assert_true(c.period == 0);
  assert_true(c.wait > 0);
}

TEST(many_readings_measure_the_period_or_find_that_there_is_none)
{
  ovk__counter c;
  ovk__counter_start(&c);
  double last = 0;
  for (int k = 0; k < MANY || (c.period == 0 && c.wait > 0); k++) {
    const double now = ovk__counter_seconds(&c);
    assert_true(now >= last - 1e-3); /* the change may set it back by the error of the period */
    last = now;
  }
  assert_true(c.period > 0 || c.wait == 0);
}

TEST(a_zeroed_counter_reads_the_systems_clock)
{
  ovk__counter c = {0};
  const double before = ovk__clock();
  for (int k = 0; k < MANY; k++) assert_true(ovk__counter_seconds(&c) >= before);
  assert_true(c.period == 0);
}
