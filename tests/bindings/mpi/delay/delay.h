/* SPDX-License-Identifier: BSD-2-Clause */
/* The delay of the preloaded library, for TEST_GROUP(read_delay, NULL). */
#ifndef OVK_TEST_DELAY_H
#define OVK_TEST_DELAY_H

#include "support/test_main.h"

static double latency; /* seconds */

static int read_delay(void **state)
{
  const char *us = getenv("OVK_DELAY_US");
  if (!us) return -1; /* the test is about the library */
  latency = 1e-6 * atof(us);
  return 0;
}

#endif
