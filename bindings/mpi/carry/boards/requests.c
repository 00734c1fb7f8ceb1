/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking operations. Their requests are generalized requests, so programs may use them as any
 * other request. MPI_Grequest_complete() reports the completion.
 *
 * Any thread may find that an operation is complete. For a failed operation, the thread that
 * completes the request reports it, after it has stored the error. */
#include "carry/boards/requests.h"
#include "carry/boards/crossings.h"
#include "carry/boards/errors.h"
#include "carry/boards/exact_requests.h"
#include "carry/boards/grequest.h"
#include "carry/boards/progress.h"
#include "carry/boards/progress_thread.h"
#include "carry/process/process.h"
#include "carry/types/packing.h"

#include <stdlib.h>

/* While locked. */
static carry_request *in_flight;
static carry_request *failed; /* complete, with an error that the program has not seen yet */
static carry_request *spare;  /* may be used again */
static carry_number unseen, failures; /* in the first two lists; in the second */

static void push(carry_request **list, carry_request *r)
{
  r->next = *list;
  *list = r;
}

/* Of the list, or NULL. */
static carry_request *find(carry_request *list, MPI_Request request)
{
  while (list && list->request != request) list = list->next;
  return list;
}

void carry_request_drop(carry_request *r)
{
  carry_lock();
  push(&spare, r);
  carry_unlock();
}

static void forget_failed(const carry_request *r)
{
  carry_request **link = &failed;
  while (*link != r) link = &(*link)->next;
  *link = r->next;
  carry_number_add(&unseen, -1);
  carry_number_add(&failures, -1);
}

/* The program has seen that the request is complete, perhaps in another thread. */
static int recycle(void *extra)
{
  carry_request *r = extra;
  carry_lock();
  carry_crossing_free(&r->crossing);
  if (r->operation.error) forget_failed(r);
  if (!carry_is_inside()) carry_comm_count(r->on, 0, -1); /* else MPI_Finalize has freed it */
  push(&spare, r);
  carry_unlock();
  return MPI_SUCCESS;
}

carry_request *carry_request_new(void)
{
  carry_lock();
  carry_request *r = spare;
  if (r) spare = r->next;
  carry_unlock();
  if (!r) r = malloc(sizeof *r);
  if (!r) return NULL;
  r->type = MPI_DATATYPE_NULL;
  r->crossing = NULL;
  return r;
}

/* The communicator may be freed. MPI_COMM_SELF packs alike on machines of one kind. */
static void unpack(carry_request *r)
{
  int size = 0;
  if (r->type == MPI_DATATYPE_NULL) return;
  PMPI_Type_size(r->type, &size);
  if (!r->operation.error) {
    (void)carry_unpack_items(r->packed, r->count * size, r->items, r->count, r->type,
                             MPI_COMM_SELF);
  }
  PMPI_Type_free(&r->type);
}

/* Once it is complete, a thread that locks later may use `r`, so its handle is read before. */
static void tell_mpi(carry_request *r)
{
  unpack(r);
  carry_lock();
  const MPI_Request request = r->request;
  carry_unlock();
  (void)PMPI_Grequest_complete(request);
}

/* Gives back a request with wrong arguments, once it is complete. */
static int refuse(MPI_Request *request, int reported)
{
  carry_request_settle(*request);
  const carry_failure f = carry_request_failure(*request);
  (void)PMPI_Request_free(request); /* recycles it */
  return reported ? reported : carry_report(f.comm, f.code);
}

int carry_request_begin(carry_request *r, int reported, MPI_Request *out)
{
  bool late;
  const int code =
      PMPI_Grequest_start(carry_grequest_query, recycle, carry_grequest_cancel, r, &r->request);
  const ovk_err err = r->crossing ? carry_crossings_begin(r, &late)
                                  : carry_comm_begin(r->on, r->board, &r->operation, &late);
  if (code) return code; /* the board has the operation, so it stays */
  r->told = false;
  carry_lock();
  push(&in_flight, r);
  carry_number_add(&unseen, 1);
  carry_comm_count(r->on, 1, 1);
  if (late) carry_progress_thread_start(carry_progress);
  carry_unlock();
  *out = r->request;
  return err ? refuse(out, reported) : MPI_SUCCESS;
}

/* While locked. */
static bool is_complete(const carry_request *r)
{
  return r->crossing ? r->crossed : carry_comm_has_completed(r->on, &r->operation);
}

/* Removes complete operations from the list, up to `most` of them; their requests are still to be
 * completed. While locked. */
static int take_complete(carry_request *taken[], int most)
{
  int n = 0;
  for (carry_request **link = &in_flight; *link && n < most;) {
    carry_request *r = *link;
    if (!is_complete(r)) {
      link = &r->next;
      continue;
    }
    *link = r->next;
    carry_comm_count(r->on, -1, 0);
    if (r->operation.error) {
      push(&failed, r);
      carry_number_add(&failures, 1);
    } else {
      carry_number_add(&unseen, -1);
      taken[n++] = r;
    }
  }
  return n;
}

void carry_requests_advance(void)
{
  enum { BATCH = 32 };
  carry_request *taken[BATCH];
  carry_exact_requests_advance();
  carry_crossings_advance();
  for (int n = BATCH; n == BATCH && !carry_number_is_zero(&unseen);) {
    carry_lock();
    (void)carry_progress();
    n = take_complete(taken, BATCH);
    carry_unlock();
    for (int k = 0; k < n; k++) tell_mpi(taken[k]);
  }
}

bool carry_requests_any(int n, const MPI_Request *requests)
{
  bool any = carry_exact_requests_any();
  if (any || carry_number_is_zero(&unseen)) return any;
  carry_lock();
  for (int k = 0; k < n && !any; k++) {
    any = find(in_flight, requests[k]) || find(failed, requests[k]);
  }
  carry_unlock();
  return any;
}

void carry_request_settle(MPI_Request request)
{
  carry_exact_request_settle(request);
  if (carry_number_is_zero(&unseen)) return;
  carry_lock();
  carry_request *r = find(in_flight, request);
  carry_unlock();
  if (!r) return;
  if (r->crossing) {
    carry_crossings_wait(r);
  } else {
    carry_comm_wait(r->on, r->board, &r->operation);
  }
  carry_requests_advance();
}

carry_failure carry_request_failure(MPI_Request request)
{
  carry_failure f = {MPI_COMM_NULL, MPI_SUCCESS};
  if (!carry_requests_failed()) return f;
  carry_lock();
  carry_request *r = find(failed, request);
  const bool tells = r && !r->told;
  if (r) {
    f = (carry_failure){r->on->comm, carry_operation_code(r->on, &r->operation)};
    r->told = true;
  }
  carry_unlock();
  if (tells) tell_mpi(r);
  return f;
}

bool carry_requests_failed(void)
{
  return !carry_number_is_zero(&failures);
}

int carry_failure_report(carry_failure f, int code)
{
  return f.code && !code ? carry_report(f.comm, f.code) : code;
}

int carry_request_wait(MPI_Request *request, MPI_Status *status)
{
  carry_request_settle(*request);
  const carry_failure f = carry_request_failure(*request);
  return carry_failure_report(f, PMPI_Wait(request, status));
}
