/* SPDX-License-Identifier: BSD-2-Clause */
/* The contract of reductions for every algorithm, hierarchy and channel of the schedule engine. */
#include "support/conformance.h"
#include "support/specs/reduction_specs.h"
#include "support/test_main.h"

TEST(every_spec_conforms)
{
  char spec[REDUCTION_SPEC_SIZE];
  for (int k = 0; reduction_spec(k, spec); k++) conformance_check(spec, NULL);
}
