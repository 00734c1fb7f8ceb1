/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of one request, and of all of several. What the MPI has completed is asked of it
 * without freeing anything, as long as the delay is not over. */
#include "delay.h"

DELAY_REPLACES int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  const int64_t due = delay_take(*request);
  const int err = PMPI_Wait(request, status);
  if (!err) delay_hold(due);
  return err;
}

DELAY_REPLACES int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
  const int64_t due = delay_take_all(n, requests);
  const int err = PMPI_Waitall(n, requests, statuses);
  if (!err) delay_hold(due);
  return err;
}

/* *over <- the MPI has completed all, and no delay is left. */
static int look(int n, const MPI_Request *requests, int64_t due, int *over)
{
  *over = 1;
  for (int k = 0; k < n && *over; k++) {
    if (requests[k] == MPI_REQUEST_NULL) continue;
    const int err = PMPI_Request_get_status(requests[k], over, MPI_STATUS_IGNORE);
    if (err) return err;
  }
  if (*over && delay_now() < due) {
    delay_let_mpi_work();
    *over = 0;
  }
  return MPI_SUCCESS;
}

DELAY_REPLACES int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  const int64_t due = delay_find(*request);
  if (due) {
    const int err = look(1, request, due, flag);
    if (err || !*flag) return err;
    (void)delay_take(*request);
  }
  return PMPI_Test(request, flag, status);
}

DELAY_REPLACES int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  const int64_t due = delay_find_all(n, requests);
  if (due) {
    const int err = look(n, requests, due, flag);
    if (err || !*flag) return err;
    (void)delay_take_all(n, requests);
  }
  return PMPI_Testall(n, requests, flag, statuses);
}

DELAY_REPLACES int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
  const int64_t due = delay_find(request);
  const int err = PMPI_Request_get_status(request, flag, status);
  if (!err && *flag && due) *flag = delay_now() >= due;
  return err;
}
