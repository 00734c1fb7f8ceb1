/* SPDX-License-Identifier: BSD-2-Clause */
/* Cancels requests where MPI can; otherwise frees them without waiting. */
#include "core/cancel.h"
#include "core/context/ctx_impl.h"

/* Once a long message has been matched, it is transferred in parts; MPI_Cancel has no effect then,
 * and MPI_Wait would wait for the peer, which may be dead. A request that was cancelled in time is
 * complete after a few tests. */
static bool cancel_end(MPI_Request *request, int tests)
{
  int over = 0;
  for (int k = 0; k < tests && !over; k++) {
    if (MPI_Test(request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
  }
  if (*request == MPI_REQUEST_NULL) return true; /* also if it has ended with an error */
  (void)MPI_Request_free(request);
  *request = MPI_REQUEST_NULL;
  return false;
}

static bool is_gone(const MPI_Request *request)
{
  return *request == MPI_REQUEST_NULL || ovk__mpi_is_over();
}

bool ovk__cancel_receive(MPI_Request *request)
{
  enum { TESTS = 100 };
  if (is_gone(request)) return true;
  (void)MPI_Cancel(request);
  return cancel_end(request, TESTS);
}

/* Sends are not cancelled: many MPI libraries cannot do that, and a message that has left is
 * complete anyway. */
bool ovk__cancel_send(MPI_Request *request)
{
  return is_gone(request) || cancel_end(request, 1);
}
