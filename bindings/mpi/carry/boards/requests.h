/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking operations as requests of the MPI. */
#ifndef OVK_CARRY_REQUESTS_H
#define OVK_CARRY_REQUESTS_H

#include "carry/boards/boards.h"

typedef struct carry_request {
  MPI_Request request; /* a generalized request of the MPI; complete when the operation is */
  ovk_board_operation operation;
  ovk_board *board;
  carry_comm *on;
  carry_crossing *crossing; /* messages between nodes; NULL: the ranks share one */
  bool crossed;             /* all of them have arrived */
  struct carry_request *next_crossing;
  struct carry_request *next; /* in the list of those in use, or of spare ones */
  bool told;                  /* of one that has failed: the MPI knows that it is complete */
  /* for a broadcast of items with gaps, which travel packed */
  void *items;
  int count;
  MPI_Datatype type; /* or MPI_DATATYPE_NULL: nothing to unpack */
  _Alignas(16) char packed[CARRY_SMALL];
} carry_request;

/* A request that is not in flight yet, without messages; NULL without memory. */
carry_request *carry_request_new(void);

/* Begins its operation. Returns an error that is reported; `reported`: the result if the operation
 * fails because of an error that is reported already, or MPI_SUCCESS. */
int carry_request_begin(carry_request *r, int reported, MPI_Request *out);

/* Returns a request whose operation has not begun. */
void carry_request_drop(carry_request *r);

/* Progresses the operations in flight, and completes the requests whose operations are complete. */
void carry_requests_advance(void);

/* Waits until this request is complete for the MPI, if it is one of these. */
void carry_request_settle(MPI_Request request);

/* MPI_Wait() for a request of the MPI or of this library; reports the error of its operation. */
int carry_request_wait(MPI_Request *request, MPI_Status *status);

/* The error of a request whose operation is complete, until the MPI completes it. The MPI may do so
 * only after this call. */
typedef struct carry_failure {
  MPI_Comm comm; /* whose error handler gets it */
  int code;      /* MPI_SUCCESS: none */
} carry_failure;
carry_failure carry_request_failure(MPI_Request request);

/* Reports a failure. Returns its code, or `code` if that is an error already. */
int carry_failure_report(carry_failure f, int code);

/* Whether there may be failed requests. */
bool carry_requests_failed(void);

/* Whether one of them may be in flight, so that a call of the MPI alone may wait for ever. */
bool carry_requests_any(int n, const MPI_Request *requests);

#endif
