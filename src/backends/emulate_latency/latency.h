/* SPDX-License-Identifier: BSD-2-Clause */
/* The latency of an emulated network. */
#ifndef OVK_BACKENDS_EMULATE_LATENCY_LATENCY_H
#define OVK_BACKENDS_EMULATE_LATENCY_LATENCY_H

#include <ovkrylov/plugin/spec.h>

typedef struct ovk__latency {
  double us;     /* microseconds; the least that a sum takes */
  double jitter; /* 0 to 1: a sum may take up to this fraction of `us` longer */
} ovk__latency;

/* The keys of a spec that it is read from. */
#define OVK__LATENCY_OPTIONS                                                                       \
  OVK_REAL("us", 0, 1e7, 100, "added latency of a reduction, in microseconds"),                    \
      OVK_REAL("jitter", 0, 1, 0, "fraction of `us` by which the latency varies")

ovk_err ovk__latency_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__latency *out);

/* Nanoseconds of a rank's sum: us to us (1 + jitter), pseudo-random, a function of `rank` and
 * `number` only. */
int64_t ovk__latency_of(const ovk__latency *latency, int rank, uint64_t number);

#endif
