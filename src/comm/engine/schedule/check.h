/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks schedules that the library has not built itself. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_CHECK_H
#define OVK_COMM_ENGINE_SCHEDULE_CHECK_H

#include "comm/engine/schedule/schedule.h"

/* What a schedule is checked against. */
typedef struct ovk__limits {
  size_t inputs, outputs; /* elements of OVK_INPUT and OVK_OUTPUT */
  bool combines;          /* there is an operation for combinations */
} ovk__limits;

/* Checks this rank's schedule alone, over the context's ranks. Not collective. */
ovk_err ovk__schedule_check(ovk_ctx *ctx, const ovk__schedule *schedule, ovk__limits limits);

/* Checks that the schedules of all ranks fit together, each of which has passed the check above:
 * the k-th message from one rank to another has as many elements at both ends, and the ranks come
 * to their ends though a message is complete only when both have started it. The channels of the
 * messages are not looked at. Collective; errors are agreed. */
ovk_err ovk__schedules_match(ovk_ctx *ctx, const ovk__schedule *schedule);

#endif
