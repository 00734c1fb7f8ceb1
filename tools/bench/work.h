/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that keeps a processor busy and calls nothing, in steps of equal length: unlike waiting for
 * a clock, it takes longer if somebody else uses the processor meanwhile. */
#ifndef OVK_TOOL_WORK_H
#define OVK_TOOL_WORK_H

void work(long steps);

/* How many steps take so many seconds, measured now; at least 1. */
long work_steps(double seconds);

#endif
