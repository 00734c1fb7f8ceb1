/* SPDX-License-Identifier: BSD-2-Clause */
/* With libovk_yield.so preloaded: a look that finds nothing yields, others do not. */
#include <sched.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int yields;

/* In place of that of the system. */
__attribute__((visibility("default"))) int sched_yield(void)
{
  yields++;
  return 0;
}

int main(void)
{
  enum { LOOKS = 5 };
  int ends[2];
  struct epoll_event event = {.events = EPOLLIN};
  const int epoll = epoll_create1(0);
  if (epoll < 0 || pipe(ends) || epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event)) return 2;
  for (int k = 0; k < LOOKS; k++) {
    if (epoll_wait(epoll, &event, 1, 0) != 0) return 2;
  }
  if (epoll_wait(epoll, &event, 1, 1) != 0) return 2; /* has slept */
  if (write(ends[1], "x", 1) != 1 || epoll_wait(epoll, &event, 1, 0) != 1) return 2;
  if (yields != LOOKS) printf("%d yields, not %d\n", yields, LOOKS);
  return yields != LOOKS;
}
