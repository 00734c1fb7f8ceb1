/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts threads. */
#include "base/thread.h"

#include <signal.h>

int ovk__thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(thread, NULL, run, arg);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}
