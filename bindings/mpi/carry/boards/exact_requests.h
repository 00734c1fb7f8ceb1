/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking exact sums. The words are summed by a request of the MPI; the program has a
 * generalized request, which completes when the sums are rounded. */
#ifndef OVK_CARRY_EXACT_REQUESTS_H
#define OVK_CARRY_EXACT_REQUESTS_H

#include "carry/exact/reals.h"

typedef struct carry_exact_request carry_exact_request;

/* A request with the words of n reals, whose sums go to `receive` if that is not NULL. NULL without
 * memory. */
carry_exact_request *carry_exact_request_new(carry_reals type, const void *send, int n,
                                             void *receive);

/* Begins the reduction of the words to all ranks; or to rank `root` if `one`. Frees r if that
 * fails. */
int carry_exact_request_begin(carry_exact_request *r, bool one, int root, MPI_Comm comm,
                              MPI_Request *out);

/* Completes those whose words are summed. */
void carry_exact_requests_advance(void);

/* Whether any has begun and is not complete. */
bool carry_exact_requests_any(void);

/* Waits until this request is complete, if it is one of these. */
void carry_exact_request_settle(MPI_Request request);

#endif
