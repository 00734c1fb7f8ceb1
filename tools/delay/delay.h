/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_delay.so: emulated network latency of all-reduces in any MPI program, over the MPI's
 * profiling interface. An all-reduce completes OVK_DELAY_US microseconds after its begin on this
 * rank, or when the MPI has completed it, whatever comes later.
 *
 * State is global in here: there is one MPI in a process, and nobody hands a context over. */
#ifndef OVK_DELAY_H
#define OVK_DELAY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* What takes the place of the MPI's own; all other names stay inside. */
#define DELAY_REPLACES __attribute__((visibility("default")))

/* Nanoseconds, of a clock that only goes forward. */
int64_t delay_now(void);

/* When an all-reduce that begins now may complete; 0 where there is no delay. */
int64_t delay_due(void);

/* Waits until then, while the MPI goes on with other messages. */
void delay_hold(int64_t due);

/* For looks that the MPI does not see, or answers without moving messages on. */
void delay_let_mpi_work(void);

/* After a vain look: lets others have the processor where ranks share one. */
void delay_make_room(void);

/* The table of requests. Look-ups cost a lock only while some all-reduce is under way. The MPI may
 * give a handle to another request once its own is complete, so take it out before that. */
void delay_add(MPI_Request request, int64_t due);
void delay_add_persistent(MPI_Request request);
void delay_start(MPI_Request request); /* does nothing with others */
void delay_forget(MPI_Request request);

/* When this one may complete; 0: it is no all-reduce under way. */
int64_t delay_find(MPI_Request request);
/* The same, and it is not under way any more. */
int64_t delay_take(MPI_Request request);

/* The same for some requests: the latest. */
int64_t delay_find_all(int n, const MPI_Request *requests);
int64_t delay_take_all(int n, const MPI_Request *requests);

#endif
