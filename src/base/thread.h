/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of the library's own. */
#ifndef OVK_BASE_THREAD_H
#define OVK_BASE_THREAD_H

#include <pthread.h>

/* Starts a thread that blocks all signals: they are for the program's own threads. Returns 0 or an
 * errno. */
int ovk__thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
