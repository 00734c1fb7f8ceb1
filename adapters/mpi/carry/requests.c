/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that do not block. Their requests are generalized ones of the MPI's, so programs may
 * do with them whatever they do with others; the MPI is told when one is complete. */
#include "carry.h"
#include "requests/table.h"

#include <stdlib.h>

static request_table in_flight;
static carry_request *failed; /* complete, with an error that the program has not seen yet */
static carry_request *spare;  /* may be used again */

/* No error: an MPI would report it to MPI_COMM_WORLD's handler; see carry_request_failure(). */
static int query(void *extra, MPI_Status *status)
{
  (void)extra;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

void carry_request_drop(carry_request *r)
{
  r->next = spare;
  spare = r;
}

static void forget_failed(const carry_request *r)
{
  carry_request **link = &failed;
  while (*link && *link != r) link = &(*link)->next;
  if (!*link) return;
  *link = r->next;
  if (carry_is_inside()) return; /* the communicator's state has gone, in MPI_Finalize */
  carry_lock();
  carry_comm_count(r->on, 0, -1);
  carry_unlock();
}

/* The program has seen that the request is complete. */
static int recycle(void *extra)
{
  carry_request *r = extra;
  if (r->operation.error) forget_failed(r);
  carry_request_drop(r);
  return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
  (void)extra, (void)complete;
  return MPI_ERR_REQUEST; /* MPI forbids it for collective operations */
}

carry_request *carry_request_new(void)
{
  carry_request *r = spare;
  if (r) {
    spare = r->next;
  } else {
    r = malloc(sizeof *r);
  }
  if (!r) return NULL;
  if (!request_table_reserve(&in_flight)) {
    carry_request_drop(r);
    return NULL;
  }
  r->type = MPI_DATATYPE_NULL;
  return r;
}

static void unpack(carry_request *r)
{
  int at = 0, size = 0;
  if (r->type == MPI_DATATYPE_NULL) return;
  PMPI_Type_size(r->type, &size);
  if (r->on->rank != r->operation.root && !r->operation.error) {
    (void)PMPI_Unpack(r->packed, r->count * size, &at, r->items, r->count, r->type, r->on->comm);
  }
  PMPI_Type_free(&r->type);
}

/* While locked. */
static void complete(carry_request *r)
{
  const bool fails = r->operation.error != OVK_OK;
  unpack(r);
  if (fails) {
    r->next = failed;
    failed = r;
  }
  carry_comm_count(r->on, -1, fails);
  (void)PMPI_Grequest_complete(r->request);
}

static void wait(carry_request *r)
{
  carry_lock();
  (void)ovk_board_wait(r->board, &r->operation, &carry_idle);
  carry_unlock();
}

/* Gives back a request with wrong arguments, once it is over. */
static int refuse(carry_request *r)
{
  wait(r);
  carry_lock();
  complete(r);
  carry_unlock();
  const carry_failure f = carry_request_failure(r->request);
  (void)PMPI_Request_free(&r->request); /* recycles it */
  return carry_report(f.comm, f.code);
}

int carry_request_begin(carry_request *r, MPI_Request *out)
{
  const int code = PMPI_Grequest_start(query, recycle, cancel, r, &r->request);
  carry_lock();
  const ovk_err err = ovk_board_begin(r->board, &r->operation);
  if (!code) carry_comm_count(r->on, 1, 0);
  if (ovk_board_is_behind(r->board)) carry_progress_thread_start();
  carry_unlock();
  if (code) return code; /* the board has the operation, so it stays */
  if (err) return refuse(r);
  request_table_add(&in_flight, (request_entry){.request = r->request, .what = r});
  *out = r->request;
  return MPI_SUCCESS;
}

void carry_requests_advance(void)
{
  if (in_flight.used == 0) return;
  carry_lock();
  (void)carry_progress();
  for (int k = 0; k < in_flight.used;) {
    carry_request *r = in_flight.entries[k].what;
    if (r->operation.complete) {
      request_table_remove(&in_flight, &in_flight.entries[k]);
      complete(r);
    } else {
      k++;
    }
  }
  carry_unlock();
}

static carry_request *find(MPI_Request request)
{
  const request_entry *e = request_table_find(&in_flight, request, NULL);
  return e ? e->what : NULL;
}

bool carry_requests_any(int n, const MPI_Request *requests)
{
  for (int k = 0; k < n && in_flight.used > 0; k++) {
    if (find(requests[k])) return true;
  }
  return false;
}

void carry_request_settle(MPI_Request request)
{
  carry_request *r = find(request);
  if (!r) return;
  wait(r);
  carry_requests_advance();
}

carry_failure carry_request_failure(MPI_Request request)
{
  const carry_request *r = failed;
  while (r && r->request != request) r = r->next;
  return r ? (carry_failure){r->on->comm, carry_operation_code(r->on, &r->operation)}
           : (carry_failure){MPI_COMM_NULL, MPI_SUCCESS};
}

bool carry_requests_failed(void)
{
  return failed;
}
