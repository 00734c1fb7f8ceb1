/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies from a spec, and their jitter: pseudo-random numbers without state, so that runs are
 * reproducible. */
#include "backends/delay/latency.h"
#include "core/base/hash64.h"
#include "core/context/check.h"

#include <math.h>

static const double default_us = 100, most_us = 1e7; /* default: some hops; largest: ten seconds */

ovk_err ovk__latency_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__latency *out)
{
  OVK_TRY(ovk_spec_double(ctx, spec, "us", 0, most_us, default_us, &out->us));
  return ovk_spec_double(ctx, spec, "jitter", 0, 1, 0, &out->jitter);
}

/* In [0,1). */
static double random_number(int rank, uint64_t number)
{
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  const uint64_t bits = ovk__mix(ovk__mix(((uint64_t)rank + 1) * step) + (number + 1) * step);
  return ldexp((double)(bits >> 11), -53);
}

int64_t ovk__latency_of(const ovk__latency *latency, int rank, uint64_t number)
{
  const double more = latency->jitter > 0 ? latency->jitter * random_number(rank, number) : 0;
  return (int64_t)ceil(1e3 * latency->us * (1 + more));
}
