/* SPDX-License-Identifier: BSD-2-Clause */
/* The event log: times of the library's operations. */
#ifndef OVK_CORE_CONTEXT_LOG_IMPL_H
#define OVK_CORE_CONTEXT_LOG_IMPL_H

#include "core/base/tsc_clock.h"

#include <ovkrylov/log.h>

typedef struct ovk__log {
  ovk__counter clock;
  int64_t calls[OVK_EVENT_COUNT];
  double seconds[OVK_EVENT_COUNT];
} ovk__log;

/* The time of the log's clock in seconds. */
static inline double ovk__log_now(ovk__log *log)
{
  return ovk__counter_seconds(&log->clock);
}

/* Books the time since `start` under `event`; returns the time now, so that the next event can
 * start there. */
static inline double ovk__log_add(ovk__log *log, ovk_event event, double start)
{
  const double now = ovk__log_now(log);
  log->calls[event]++;
  log->seconds[event] += now - start;
  return now;
}

#endif
