/* SPDX-License-Identifier: BSD-2-Clause */
/* How long an emulated network takes. */
#ifndef OVK_BACKENDS_DELAY_LATENCY_H
#define OVK_BACKENDS_DELAY_LATENCY_H

#include <ovkrylov/spec.h>

typedef struct ovk__latency {
  double us;     /* microseconds that every sum takes at least */
  double jitter; /* 0 to 1: the part of them by which one may take longer */
} ovk__latency;

/* The keys that it is read from. */
#define OVK__LATENCY_KEYS "us", "jitter"

ovk_err ovk__latency_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__latency *out);

/* Nanoseconds of a rank's sum: us to us (1 + jitter), by a pseudo-random number that depends on
 * `rank` and `number` only. */
int64_t ovk__latency_of(const ovk__latency *latency, int rank, uint64_t number);

#endif
