/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranks that are threads of this process. The MPI functions called by contexts, reductions,
 * collective operations and halo exchanges over shared memory are intercepted through the MPI
 * profiling interface; each orders memory no more than MPI guarantees. The thread sanitizer, which
 * sees one process, can then check how ranks share memory. Only such operations may be created, one
 * at a time. */
#ifndef OVK_TEST_THREAD_WORLD_H
#define OVK_TEST_THREAD_WORLD_H

#include <mpi.h>
#include <stdbool.h>

enum { THREAD_RANKS = 3 };

/* Runs `body` on so many threads. Each is a rank of MPI_COMM_WORLD meanwhile. */
void thread_world_run(void (*body)(int rank));

/* CMocka's assertions work only on the main thread; this one ends the program. */
void thread_check(bool holds, const char *what);

#endif
