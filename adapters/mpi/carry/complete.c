/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of requests: what is in flight is moved on, then the MPI is called, to which requests
 * of carried operations are like others. In place of persistent ones it is given those of their
 * last start. */
#include "carry.h"

#include <sched.h>
#include <stdlib.h>

enum { FEW = 32 };

/* A call's requests, and what the MPI is given for them. */
typedef struct view {
  int n;
  MPI_Request *requests, *seen;
  MPI_Request few[FEW];
} view;

/* False without memory. */
static bool open_view(view *v, int n, MPI_Request *requests)
{
  v->n = n;
  v->requests = v->seen = requests;
  if (n <= 0 || !carry_persistent_any()) return true;
  v->seen = n <= FEW ? v->few : malloc((size_t)n * sizeof *v->seen);
  if (!v->seen) return false;
  for (int k = 0; k < n; k++) v->seen[k] = carry_persistent_active(requests[k]);
  return true;
}

static int close_view(const view *v, int code)
{
  if (v->seen == v->requests) return code;
  for (int k = 0; k < v->n; k++) {
    v->requests[k] = carry_persistent_after(v->requests[k], v->seen[k]);
  }
  if (v->seen != v->few) free(v->seen);
  return code;
}

CARRY_REPLACES int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  MPI_Request seen = carry_persistent_active(*request);
  carry_request_settle(seen);
  const int code = PMPI_Wait(&seen, status);
  *request = carry_persistent_after(*request, seen);
  return code;
}

CARRY_REPLACES int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  for (int k = 0; k < n; k++) carry_request_settle(v.seen[k]);
  return close_view(&v, PMPI_Waitall(n, v.seen, statuses));
}

static int wait_any(int n, MPI_Request requests[], int *index, MPI_Status *status)
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

CARRY_REPLACES int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  return close_view(&v, wait_any(n, v.seen, index, status));
}

static int wait_some(int n, MPI_Request requests[], int *count, int indices[],
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

CARRY_REPLACES int MPI_Waitsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  return close_view(&v, wait_some(n, v.seen, count, indices, statuses));
}

CARRY_REPLACES int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  MPI_Request seen = carry_persistent_active(*request);
  carry_requests_advance();
  const int code = PMPI_Test(&seen, flag, status);
  *request = carry_persistent_after(*request, seen);
  return code;
}

CARRY_REPLACES int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  carry_requests_advance();
  return close_view(&v, PMPI_Testall(n, v.seen, flag, statuses));
}

CARRY_REPLACES int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag,
                               MPI_Status *status)
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  carry_requests_advance();
  return close_view(&v, PMPI_Testany(n, v.seen, index, flag, status));
}

CARRY_REPLACES int MPI_Testsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  carry_requests_advance();
  return close_view(&v, PMPI_Testsome(n, v.seen, count, indices, statuses));
}

CARRY_REPLACES int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
  carry_requests_advance();
  return PMPI_Request_get_status(carry_persistent_active(request), flag, status);
}
