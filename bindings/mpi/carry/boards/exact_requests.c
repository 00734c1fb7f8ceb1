/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking exact sums. A request stays in the list until its sums are rounded, so that a thread
 * that waits for it knows that it must make progress. */
#include "carry/boards/exact_requests.h"
#include "carry/boards/grequest.h"
#include "carry/boards/progress.h"
#include "carry/boards/progress_thread.h"

#include <stdlib.h>

struct carry_exact_request {
  MPI_Request words_sum, request; /* of the MPI; of the program */
  carry_exact_request *next;
  void *receive;
  carry_reals type;
  int n;
  unsigned pass; /* the last one that looked at it */
  bool busy;     /* a thread asks the MPI about it */
  uint64_t words[];
};

/* While locked. */
static carry_exact_request *in_flight;
static unsigned last_pass;
static carry_number known;

static int release_request(void *extra)
{
  free(extra);
  return MPI_SUCCESS;
}

carry_exact_request *carry_exact_request_new(carry_reals type, const void *send, int n,
                                             void *receive)
{
  const size_t words = (size_t)n * CARRY_EXACT_WORDS;
  carry_exact_request *r = malloc(sizeof *r + words * sizeof *r->words);
  if (!r) return NULL;
  *r = (carry_exact_request){.receive = receive, .type = type, .n = n};
  carry_exact_put(type, send, 0, n, r->words);
  return r;
}

static int sum_words(carry_exact_request *r, bool one, int root, MPI_Comm comm)
{
  const int n = r->n * CARRY_EXACT_WORDS;
  if (!one) {
    return PMPI_Iallreduce(MPI_IN_PLACE, r->words, n, MPI_UINT64_T, MPI_SUM, comm, &r->words_sum);
  }
  const void *send = r->receive ? MPI_IN_PLACE : r->words;
  return PMPI_Ireduce(send, r->words, n, MPI_UINT64_T, MPI_SUM, root, comm, &r->words_sum);
}

int carry_exact_request_begin(carry_exact_request *r, bool one, int root, MPI_Comm comm,
                              MPI_Request *out)
{
  int code = PMPI_Grequest_start(carry_grequest_query, release_request, carry_grequest_cancel, r,
                                 &r->request);
  if (code) {
    free(r);
    return code;
  }
  MPI_Request request = r->request;
  code = sum_words(r, one, root, comm);
  if (code) {
    (void)PMPI_Grequest_complete(request);
    (void)PMPI_Request_free(&request); /* releases it */
    return code;
  }
  carry_lock();
  r->next = in_flight;
  in_flight = r;
  carry_number_add(&known, 1);
  carry_unlock();
  *out = request;
  return MPI_SUCCESS;
}

bool carry_exact_requests_any(void)
{
  return !carry_number_is_zero(&known);
}

/* A request that this pass has not looked at, or NULL. While locked. */
static carry_exact_request *take_request(unsigned pass)
{
  carry_exact_request *r = in_flight;
  while (r && (r->busy || r->pass == pass)) r = r->next;
  if (!r) return NULL;
  r->busy = true;
  r->pass = pass;
  return r;
}

static void remove_request(const carry_exact_request *r)
{
  carry_exact_request **link = &in_flight;
  while (*link != r) link = &(*link)->next;
  *link = r->next;
  carry_number_add(&known, -1);
}

/* An error of the MPI completes it, too: the MPI has reported it. */
static void look_at_request(carry_exact_request *r)
{
  int flag = 0;
  const int code = PMPI_Test(&r->words_sum, &flag, MPI_STATUS_IGNORE);
  const bool complete = code || flag;
  if (complete && !code && r->receive) carry_exact_get(r->type, r->words, 0, r->n, r->receive);
  carry_lock();
  const MPI_Request request = r->request;
  r->busy = false;
  if (complete) remove_request(r);
  carry_unlock();
  if (complete) (void)PMPI_Grequest_complete(request);
}

void carry_exact_requests_advance(void)
{
  if (!carry_exact_requests_any()) return;
  carry_lock();
  const unsigned pass = ++last_pass;
  carry_unlock();
  for (;;) {
    carry_lock();
    carry_exact_request *r = take_request(pass);
    carry_unlock();
    if (!r) return;
    look_at_request(r);
  }
}

static bool is_in_flight(MPI_Request request)
{
  carry_lock();
  const carry_exact_request *r = in_flight;
  while (r && r->request != request) r = r->next;
  carry_unlock();
  return r;
}

void carry_exact_request_settle(MPI_Request request)
{
  while (carry_exact_requests_any() && is_in_flight(request)) {
    carry_exact_requests_advance();
    carry_let_others_run();
  }
}
