/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that keeps a processor busy and makes no calls, in steps of equal length: unlike a wait for
 * a time on the clock, it takes longer if the processor is shared meanwhile. */
#ifndef OVK_TOOL_WORK_H
#define OVK_TOOL_WORK_H

void work(long steps);

/* The number of steps that take `seconds`, measured now; at least 1. */
long work_steps(double seconds);

#endif
