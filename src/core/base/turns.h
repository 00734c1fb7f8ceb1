/* SPDX-License-Identifier: BSD-2-Clause */
/* How soon a thread has a processor. */
#ifndef OVK_CORE_BASE_TURNS_H
#define OVK_CORE_BASE_TURNS_H

/* From now on the calling thread has turns of 0.1 ms, where Linux lets a thread choose (from 6.12).
 * So it has a processor soon after it is woken, also if another thread computes there, but no
 * larger share of it. */
void ovk__turns_shorten(void);

#endif
