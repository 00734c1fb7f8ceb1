/* SPDX-License-Identifier: BSD-2-Clause */
/* A futex: it needs a system call only if a thread sleeps. */
#define _GNU_SOURCE /* syscall */
#include "comm/net/emulated/eventcount.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A notifier increments the count and then reads `watched`. A sleeper sets `watched` and then reads
 * the count. All four accesses are sequentially consistent, so at least one of the two sees the
 * write of the other: either the sleeper sees the event, or the notifier wakes it. */
void ovk__eventcount_notify(ovk__eventcount *e)
{
  atomic_fetch_add(&e->events, 1);
  if (atomic_load(&e->watched)) syscall(SYS_futex, &e->events, FUTEX_WAKE, INT_MAX);
}

uint32_t ovk__eventcount_watch(ovk__eventcount *e)
{
  atomic_store(&e->watched, 1);
  return atomic_load(&e->events);
}

void ovk__eventcount_sleep(ovk__eventcount *e, uint32_t events, int64_t nanoseconds)
{
  const int64_t second = 1000000000;
  const struct timespec most = {.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
  /* returns at once if there were more events */
  syscall(SYS_futex, &e->events, FUTEX_WAIT, events, nanoseconds < 0 ? NULL : &most);
  atomic_store(&e->watched, 0);
}
