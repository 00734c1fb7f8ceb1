/* SPDX-License-Identifier: BSD-2-Clause */
/* Bells as futexes, which need a system call only where somebody sleeps. */
#define _GNU_SOURCE /* syscall */
#include "net/emulated/bell.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* One that rings counts up and then reads `watched`; one that goes to sleep sets it and then reads
 * the count. All four are sequentially consistent: at least one of the two sees what the other has
 * written. So either the sleeper knows of the ring, or it is woken. */
void ovk__bell_ring(ovk__bell *bell)
{
  atomic_fetch_add(&bell->rings, 1);
  if (atomic_load(&bell->watched)) syscall(SYS_futex, &bell->rings, FUTEX_WAKE, INT_MAX);
}

uint32_t ovk__bell_watch(ovk__bell *bell)
{
  atomic_store(&bell->watched, 1);
  return atomic_load(&bell->rings);
}

void ovk__bell_sleep(ovk__bell *bell, uint32_t rings, int milliseconds)
{
  const struct timespec most = {.tv_sec = milliseconds / 1000,
                                .tv_nsec = milliseconds % 1000 * 1000000L};
  /* returns at once if there were more rings */
  syscall(SYS_futex, &bell->rings, FUTEX_WAIT, rings, milliseconds < 0 ? NULL : &most);
  atomic_store(&bell->watched, 0);
}
