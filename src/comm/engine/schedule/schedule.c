/* SPDX-License-Identifier: BSD-2-Clause */
/* Frees schedules. */
#include "comm/engine/schedule/schedule.h"

#include <stdlib.h>

void ovk__schedule_free(ovk__schedule *schedule)
{
  free(schedule->actions);
  free(schedule->rounds);
  *schedule = (ovk__schedule){0};
}
