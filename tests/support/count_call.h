/* SPDX-License-Identifier: BSD-2-Clause */
/* A progress hook that counts its calls. */
#ifndef OVK_TEST_COUNT_CALL_H
#define OVK_TEST_COUNT_CALL_H

/* `calls`: an int. */
static inline void count_call(void *calls)
{
  ++*(int *)calls;
}

#endif
