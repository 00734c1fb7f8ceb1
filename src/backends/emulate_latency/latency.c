/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies from a spec, and their jitter: pseudo-random numbers without state, so that runs are
 * reproducible. */
#include "backends/emulate_latency/latency.h"
#include "core/base/hash64.h"
#include "core/context/check.h"

#include <math.h>

static const ovk_option options[] = {OVK__LATENCY_OPTIONS, OVK_OPTIONS_END};

ovk_err ovk__latency_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__latency *out)
{
  OVK_TRY(ovk_spec_double(ctx, spec, options, "us", &out->us));
  return ovk_spec_double(ctx, spec, options, "jitter", &out->jitter);
}

/* A pseudo-random number in [0,1). */
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
