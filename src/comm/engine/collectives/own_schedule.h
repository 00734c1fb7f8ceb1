/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks and copies of user-defined schedules for the creation of operations. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_OWN_SCHEDULE_H
#define OVK_COMM_ENGINE_COLLECTIVES_OWN_SCHEDULE_H

#include "comm/engine/schedule/schedule.h"

/* Check the schedule of this rank. `combines`: there is an operation. Not collective. */
ovk_err ovk__own_schedule_check(ovk_ctx *ctx, const ovk_schedule *schedule, int inputs, int outputs,
                                bool combines);

/* Check that the schedules of all ranks match, after each has passed the check above. Collective;
 * errors are agreed. */
ovk_err ovk__own_schedule_match(ovk_ctx *ctx, const ovk_schedule *schedule);

/* Copy a schedule, with all messages over one channel. ovk__schedule_free() must be called also
 * after an error. Not collective. */
ovk_err ovk__own_schedule_copy(ovk_ctx *ctx, const ovk_schedule *schedule, ovk__channel channel,
                               ovk__schedule *out);

#endif
