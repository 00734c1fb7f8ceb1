/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of the library's own, and signals of the calling thread. */
#ifndef OVK_CORE_BASE_THREAD_H
#define OVK_CORE_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>

/* Starts a thread that blocks all signals: they are for the program's own threads. Returns 0 or an
 * errno. */
int ovk__thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* Signals for the calling thread wait from block to restore. */
void ovk__signals_block(sigset_t *before);
void ovk__signals_restore(const sigset_t *before);

#endif
