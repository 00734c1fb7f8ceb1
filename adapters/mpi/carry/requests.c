/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that do not block. Their requests are generalized ones of the MPI's, so programs may
 * do with them whatever they do with others; the MPI is told when one is complete. */
#include "carry.h"

#include <stdlib.h>

static carry_request *oldest, **end = &oldest; /* in flight */
static carry_request *spare;                   /* may be used again */

static int query(void *extra, MPI_Status *status)
{
  const carry_request *r = extra;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return r->operation.error ? MPI_ERR_ARG : MPI_SUCCESS;
}

/* The program has seen that the request is complete. */
static int recycle(void *extra)
{
  carry_request *r = extra;
  r->next = spare;
  spare = r;
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
  if (r) r->type = MPI_DATATYPE_NULL;
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

static void complete(carry_request *r)
{
  unpack(r);
  carry_comm_count(r->on, -1);
  (void)PMPI_Grequest_complete(r->request);
}

static ovk_err wait(carry_request *r)
{
  carry_lock();
  const ovk_err err = ovk_board_wait(r->on->small, &r->operation, &carry_idle);
  carry_unlock();
  return err;
}

/* Gives back a request with wrong arguments, once it is over. */
static int refuse(carry_request *r)
{
  const MPI_Comm comm = r->on->comm;
  const ovk_err err = wait(r);
  carry_lock();
  complete(r);
  carry_unlock();
  (void)PMPI_Request_free(&r->request); /* recycles it */
  return carry_error(comm, err);
}

int carry_request_begin(carry_request *r, MPI_Request *out)
{
  const int code = PMPI_Grequest_start(query, recycle, cancel, r, &r->request);
  carry_lock();
  const ovk_err err = ovk_board_begin(r->on->small, &r->operation);
  if (!code) carry_comm_count(r->on, 1);
  if (ovk_board_is_behind(r->on->small)) carry_stand_in();
  carry_unlock();
  if (code) return code; /* the board has the operation, so it stays */
  if (err) return refuse(r);
  r->next = NULL;
  *end = r;
  end = &r->next;
  *out = r->request;
  return MPI_SUCCESS;
}

void carry_requests_advance(void)
{
  if (!oldest) return;
  carry_lock();
  (void)carry_progress();
  for (carry_request **link = &oldest, *r; (r = *link) != NULL;) {
    if (!r->operation.complete) {
      link = &r->next;
      continue;
    }
    *link = r->next;
    if (!r->next) end = link;
    complete(r);
  }
  carry_unlock();
}

static carry_request *find(MPI_Request request)
{
  carry_request *r = oldest;
  while (r && r->request != request) r = r->next;
  return r;
}

bool carry_requests_any(int n, const MPI_Request *requests)
{
  for (int k = 0; k < n && oldest; k++) {
    if (find(requests[k])) return true;
  }
  return false;
}

void carry_request_settle(MPI_Request request)
{
  carry_request *r = find(request);
  if (!r) return;
  (void)wait(r); /* query() has its error */
  carry_requests_advance();
}
