/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of requests: what is in flight is moved on, then the MPI is called, to which requests
 * of carried operations are like others. */
#include "carry.h"

#include <sched.h>

CARRY_REPLACES int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  carry_request_settle(*request);
  return PMPI_Wait(request, status);
}

CARRY_REPLACES int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
  for (int k = 0; k < n; k++) carry_request_settle(requests[k]);
  return PMPI_Waitall(n, requests, statuses);
}

CARRY_REPLACES int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
  int err = MPI_SUCCESS, flag = 0;
  if (!carry_requests_any(n, requests)) return PMPI_Waitany(n, requests, index, status);
  while (!err && !flag) {
    carry_requests_advance();
    err = PMPI_Testany(n, requests, index, &flag, status);
    if (!err && !flag) sched_yield();
  }
  return err;
}

CARRY_REPLACES int MPI_Waitsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  int err = MPI_SUCCESS;
  if (!carry_requests_any(n, requests)) return PMPI_Waitsome(n, requests, count, indices, statuses);
  for (*count = 0; !err && *count == 0;) {
    carry_requests_advance();
    err = PMPI_Testsome(n, requests, count, indices, statuses);
    if (!err && *count == 0) sched_yield();
  }
  return err;
}

CARRY_REPLACES int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  carry_requests_advance();
  return PMPI_Test(request, flag, status);
}

CARRY_REPLACES int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  carry_requests_advance();
  return PMPI_Testall(n, requests, flag, statuses);
}

CARRY_REPLACES int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag,
                               MPI_Status *status)
{
  carry_requests_advance();
  return PMPI_Testany(n, requests, index, flag, status);
}

CARRY_REPLACES int MPI_Testsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  carry_requests_advance();
  return PMPI_Testsome(n, requests, count, indices, statuses);
}

CARRY_REPLACES int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
  carry_requests_advance();
  return PMPI_Request_get_status(request, flag, status);
}
