/* SPDX-License-Identifier: BSD-2-Clause */
/* The lock of the library, and a thread that makes progress while this rank is late.
 *
 * The list of communicators, requests, teams and the changing members of a communicator are touched
 * only between lock and unlock. If the MPI was initialized with less than MPI_THREAD_MULTIPLE, this
 * holds for boards, too. With MPI_THREAD_MULTIPLE each communicator has a mutex for its boards. A
 * thread may take it while it has the lock, but not the other way round. No wait holds either: the
 * operation may need a call of another thread.
 *
 * The library does not call the MPI while it holds either. The MPI may hold an internal lock while
 * it calls the callbacks of requests and attributes, and these callbacks lock. */
#ifndef OVK_CARRY_PROGRESS_THREAD_H
#define OVK_CARRY_PROGRESS_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>

void carry_lock(void);
void carry_unlock(void);

/* Starts the thread, unless it runs. It calls `progress`, locked, as long as that returns true.
 * While locked. */
void carry_progress_thread_start(bool (*progress)(void));

/* Ends the thread. Not while locked. */
void carry_progress_thread_end(void);

/* A count that changes only while locked. A thread may compare it with 0 without the lock if it
 * received the counted object from the thread that counted it. */
typedef atomic_int carry_number;

static inline bool carry_number_is_zero(carry_number *n)
{
  return atomic_load_explicit(n, memory_order_relaxed) == 0;
}

static inline void carry_number_add(carry_number *n, int more)
{
  const int before = atomic_load_explicit(n, memory_order_relaxed);
  atomic_store_explicit(n, before + more, memory_order_relaxed);
}

#endif
