/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_delay.so: emulated network latency of all-reduces in any MPI program, by the profiling
 * interface of MPI. An all-reduce completes OVK_DELAY_US microseconds after its begin on this
 * rank, or when the MPI has completed it, if that is later.
 *
 * State is global: there is one MPI in a process, and its calls carry no context. */
#ifndef OVK_DELAY_H
#define OVK_DELAY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The functions that replace those of the MPI; all other names are local to the library. */
#define DELAY_REPLACES __attribute__((visibility("default")))

/* Nanoseconds on a monotonic clock. */
int64_t delay_now(void);

/* The time at which an all-reduce that begins now may complete; 0 without a delay. */
int64_t delay_due(void);

/* Waits until then while MPI progresses other messages. */
void delay_hold(int64_t due);

/* Lets MPI progress messages, for calls that are answered without calling MPI. */
void delay_progress_mpi(void);

/* Called after a test that found nothing complete: yields the processor where ranks share one. */
void delay_yield(void);

/* The table of requests. A look-up takes the lock only while some all-reduce is in progress. MPI
 * may reuse a handle once its request is complete, so the entry is taken out before that. */
void delay_add(MPI_Request request, int64_t due);
void delay_add_persistent(MPI_Request request);
void delay_start(MPI_Request request); /* no effect on other requests */
void delay_forget(MPI_Request request);

/* The time at which this request may complete; 0: not an all-reduce in progress. */
int64_t delay_find(MPI_Request request);
/* The same; the request then counts as complete. */
int64_t delay_take(MPI_Request request);

/* The same for several requests: the latest time. */
int64_t delay_find_all(int n, const MPI_Request *requests);
int64_t delay_take_all(int n, const MPI_Request *requests);

/* Whether none of them has any delay left, in which case they count as complete; otherwise MPI was
 * given the chance to progress. */
bool delay_is_over(int n, const MPI_Request *requests);

#endif
