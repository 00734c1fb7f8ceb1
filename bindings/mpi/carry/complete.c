/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of requests. Each call progresses the operations in flight, then calls the MPI, for
 * which requests of carried operations are requests like others. For a persistent request the MPI
 * gets the request of its last start. Errors of carried operations are added to the result of the
 * MPI. */
#include "carry/boards/requests.h"
#include "carry/carry.h"
#include "carry/persistent.h"

#include <sched.h>
#include <stdlib.h>

enum { FEW = 32 };

/* The requests of a call, and those that the MPI gets for them. */
typedef struct view {
  int n;
  MPI_Request *requests, *seen;
  carry_failure *failures; /* of `seen`; NULL: none has failed */
  MPI_Request few[FEW];
} view;

/* False without memory. */
static bool open_view(view *v, int n, MPI_Request *requests)
{
  v->n = n;
  v->requests = v->seen = requests;
  v->failures = NULL;
  if (n <= 0 || !carry_persistent_any()) return true;
  v->seen = n <= FEW ? v->few : malloc((size_t)n * sizeof *v->seen);
  if (!v->seen) return false;
  for (int k = 0; k < n; k++) v->seen[k] = carry_persistent_take(&requests[k]);
  return true;
}

static int close_view(const view *v, int code)
{
  free(v->failures);
  if (v->seen == v->requests) return code;
  for (int k = 0; k < v->n; k++) {
    v->requests[k] = carry_persistent_after(v->requests[k], v->seen[k]);
  }
  if (v->seen != v->few) free(v->seen);
  return code;
}

/* Stores the failures before the MPI completes the requests: after that they are unknown. */
static void note_failures(view *v)
{
  if (!carry_requests_failed() || v->n <= 0) return;
  if (!v->failures) v->failures = malloc((size_t)v->n * sizeof *v->failures);
  for (int k = 0; k < v->n; k++) {
    const carry_failure f = carry_request_failure(v->seen[k]);
    if (v->failures) v->failures[k] = f;
  }
}

static int report_any(const view *v, int index, int code)
{
  const bool known = v->failures && index != MPI_UNDEFINED;
  return known ? carry_failure_report(v->failures[index], code) : code;
}

/* Reports the failures of `n` complete requests: those with these indices, or the first. */
static int report_several(const view *v, int n, const int *indices, MPI_Status *statuses, int code)
{
  carry_failure first = {MPI_COMM_NULL, MPI_SUCCESS};
  for (int k = 0; k < n && v->failures; k++) {
    const carry_failure f = v->failures[indices ? indices[k] : k];
    const bool sets = f.code || !code; /* with an error in `code` the MPI has set the others */
    if (statuses != MPI_STATUSES_IGNORE && sets) statuses[k].MPI_ERROR = f.code;
    if (f.code && !first.code) first = (carry_failure){f.comm, MPI_ERR_IN_STATUS};
  }
  return carry_failure_report(first, code);
}

CARRY_REPLACES int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  MPI_Request seen = carry_persistent_take(request);
  const int code = carry_request_wait(&seen, status);
  *request = carry_persistent_after(*request, seen);
  return code;
}

CARRY_REPLACES int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  for (int k = 0; k < n; k++) carry_request_settle(v.seen[k]);
  note_failures(&v);
  const int code = PMPI_Waitall(n, v.seen, statuses);
  return close_view(&v, report_several(&v, n, NULL, statuses, code));
}

static int wait_any(view *v, int *index, MPI_Status *status)
{
  int err = MPI_SUCCESS, flag = 0;
  note_failures(v);
  if (!carry_requests_any(v->n, v->seen)) return PMPI_Waitany(v->n, v->seen, index, status);
  while (!err && !flag) {
    carry_requests_advance();
    note_failures(v);
    err = PMPI_Testany(v->n, v->seen, index, &flag, status);
    if (!err && !flag) sched_yield();
  }
  return err;
}

CARRY_REPLACES int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  const int code = wait_any(&v, index, status);
  return close_view(&v, code ? code : report_any(&v, *index, code));
}

static int wait_some(view *v, int *count, int indices[], MPI_Status statuses[])
{
  int err = MPI_SUCCESS;
  note_failures(v);
  if (!carry_requests_any(v->n, v->seen)) {
    return PMPI_Waitsome(v->n, v->seen, count, indices, statuses);
  }
  for (*count = 0; !err && *count == 0;) {
    carry_requests_advance();
    note_failures(v);
    err = PMPI_Testsome(v->n, v->seen, count, indices, statuses);
    if (!err && *count == 0) sched_yield();
  }
  return err;
}

/* For a call that completes some of its requests. */
static int close_some(const view *v, int count, const int *indices, MPI_Status *statuses, int code)
{
  const int n = count == MPI_UNDEFINED ? 0 : count;
  return close_view(v, report_several(v, n, indices, statuses, code));
}

CARRY_REPLACES int MPI_Waitsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  *count = 0;
  const int code = wait_some(&v, count, indices, statuses);
  return close_some(&v, *count, indices, statuses, code);
}

CARRY_REPLACES int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  MPI_Request seen = carry_persistent_take(request);
  carry_requests_advance();
  const carry_failure f = carry_request_failure(seen);
  const int code = PMPI_Test(&seen, flag, status);
  *request = carry_persistent_after(*request, seen);
  return code || !*flag ? code : carry_failure_report(f, code);
}

CARRY_REPLACES int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  carry_requests_advance();
  note_failures(&v);
  *flag = 0;
  const int code = PMPI_Testall(n, v.seen, flag, statuses);
  return close_view(&v, *flag ? report_several(&v, n, NULL, statuses, code) : code);
}

CARRY_REPLACES int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag,
                               MPI_Status *status)
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  carry_requests_advance();
  note_failures(&v);
  const int code = PMPI_Testany(n, v.seen, index, flag, status);
  return close_view(&v, code || !*flag ? code : report_any(&v, *index, code));
}

CARRY_REPLACES int MPI_Testsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return MPI_ERR_NO_MEM;
  carry_requests_advance();
  note_failures(&v);
  *count = 0;
  const int code = PMPI_Testsome(n, v.seen, count, indices, statuses);
  return close_some(&v, *count, indices, statuses, code);
}

CARRY_REPLACES int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
  const MPI_Request seen = carry_persistent_active(request);
  carry_requests_advance();
  const carry_failure f = carry_request_failure(seen);
  const int code = PMPI_Request_get_status(seen, flag, status);
  return code || !*flag ? code : carry_failure_report(f, code);
}
