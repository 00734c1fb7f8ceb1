/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded by ranks of an MPI that never gives up its processor, such as MPICH: where a look at
 * the network finds nothing, other ranks may have it. UCX looks by epoll_wait(). */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>

typedef int (*look)(int, struct epoll_event *, int, int);

static look real;

/* ISO C has no conversion from data to functions. */
__attribute__((constructor)) static void find_real(void)
{
  void *const found = dlsym(RTLD_NEXT, "epoll_wait");
  memcpy(&real, &found, sizeof real);
}

__attribute__((visibility("default"))) int epoll_wait(int epoll, struct epoll_event *events,
                                                      int most, int milliseconds)
{
  const int n = real(epoll, events, most, milliseconds);
  if (n == 0 && milliseconds == 0) sched_yield();
  return n;
}
