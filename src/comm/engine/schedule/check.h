/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks user-defined schedules. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_CHECK_H
#define OVK_COMM_ENGINE_SCHEDULE_CHECK_H

#include "comm/engine/schedule/schedule.h"

/* The limits for the check of a schedule. */
typedef struct ovk__limits {
  size_t inputs, outputs; /* elements of OVK_INPUT and OVK_OUTPUT */
  bool combines;          /* there is an operation for combinations */
} ovk__limits;

/* Check the schedule of this rank alone, over the ranks of the context. Not collective. */
ovk_err ovk__schedule_check(ovk_ctx *ctx, const ovk__schedule *schedule, ovk__limits limits);

/* Check that the schedules of all ranks match, after each has passed the check above. The k-th
 * message from one rank to another must have the same number of elements at both ends. All ranks
 * must reach the end of their schedules even if a message is complete only after both have started
 * it. Channels are not compared. Collective; errors are agreed. */
ovk_err ovk__schedules_match(ovk_ctx *ctx, const ovk__schedule *schedule);

#endif
