/* SPDX-License-Identifier: BSD-2-Clause */
/* Cancels messages after a failure. A peer may have died or aborted, so nothing here waits for one.
 */
#ifndef OVK_CORE_CANCEL_H
#define OVK_CORE_CANCEL_H

#include <mpi.h>
#include <stdbool.h>

/* Ends a receive, or leaves it to MPI; *request becomes null. False: MPI may still write to its
 * memory, which must never be freed. */
bool ovk__cancel_receive(MPI_Request *request);

/* The same for a send, whose memory MPI may still read. */
bool ovk__cancel_send(MPI_Request *request);

#endif
