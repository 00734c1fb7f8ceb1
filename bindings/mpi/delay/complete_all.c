/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of one request, and of all of several. The MPI is called only after the delay. Its
 * result is returned, errors included, and the entry of the request is removed. */
#include "delay.h"

DELAY_REPLACES int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  const int64_t due = delay_take(*request);
  const int err = PMPI_Wait(request, status);
  delay_hold(due);
  return err;
}

/* After an error some may still be in progress, with no delay left. */
DELAY_REPLACES int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
  const int64_t due = delay_take_all(n, requests);
  const int err = PMPI_Waitall(n, requests, statuses);
  delay_hold(due);
  return err;
}

DELAY_REPLACES int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  if (delay_is_over(1, request)) return PMPI_Test(request, flag, status);
  *flag = 0;
  return MPI_SUCCESS;
}

DELAY_REPLACES int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  if (delay_is_over(n, requests)) return PMPI_Testall(n, requests, flag, statuses);
  *flag = 0;
  return MPI_SUCCESS;
}

DELAY_REPLACES int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
  const int64_t due = delay_find(request);
  const int err = PMPI_Request_get_status(request, flag, status);
  if (!err && *flag && due) *flag = delay_now() >= due;
  return err;
}
