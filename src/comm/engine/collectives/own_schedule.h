/* SPDX-License-Identifier: BSD-2-Clause */
/* What creating an operation needs of a schedule that a user has written. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_OWN_SCHEDULE_H
#define OVK_COMM_ENGINE_COLLECTIVES_OWN_SCHEDULE_H

#include "comm/engine/schedule/schedule.h"

/* Checks this rank's schedule. `combines`: there is an operation. Not collective. */
ovk_err ovk__own_schedule_check(ovk_ctx *ctx, const ovk_schedule *schedule, int inputs, int outputs,
                                bool combines);

/* Checks all ranks' schedules against each other, once each has passed the check above. Collective;
 * errors are agreed. */
ovk_err ovk__own_schedule_match(ovk_ctx *ctx, const ovk_schedule *schedule);

/* A copy with all messages over one channel. ovk__schedule_free() must be called also after an
 * error. Not collective. */
ovk_err ovk__own_schedule_copy(ovk_ctx *ctx, const ovk_schedule *schedule, ovk__channel channel,
                               ovk__schedule *out);

#endif
