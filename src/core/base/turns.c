/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of threads. Apart from thread.c, since old versions of <sched.h> contradict the header of
 * Linux. */
#define _GNU_SOURCE /* syscall */
#include "core/base/turns.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

void ovk__turns_shorten(void)
{
  enum { TURN = 100000 }; /* nanoseconds, the shortest turn that Linux accepts */
  struct sched_attr attributes = {.size = sizeof attributes};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0)) return;
  if (attributes.sched_policy != SCHED_NORMAL) return; /* an administrator's choice */
  attributes.sched_runtime = TURN;
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
