/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads and signals. */
#include "core/base/thread.h"

void ovk__signals_block(sigset_t *before)
{
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
}

void ovk__signals_restore(const sigset_t *before)
{
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

int ovk__thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
  sigset_t before;
  ovk__signals_block(&before);
  const int code = pthread_create(thread, NULL, run, arg);
  ovk__signals_restore(&before);
  return code;
}
