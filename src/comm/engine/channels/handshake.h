/* SPDX-License-Identifier: BSD-2-Clause */
/* Handshakes: the data that a request and its peers exchange before the first message, mostly
 * addresses. Ranks exchange them over MPI. The rank of a remote agent exchanges those of the agent.
 */
#ifndef OVK_COMM_ENGINE_CHANNELS_HANDSHAKE_H
#define OVK_COMM_ENGINE_CHANNELS_HANDSHAKE_H

#include "core/context/check.h"

/* Each side knows the length of both. */
typedef struct ovk__handshake {
  int peer; /* MPI_PROC_NULL: not exchanged here */
  int nout, nin;
  uint64_t *out, *in;
} ovk__handshake;

/* All memory of an exchange is allocated before it: no rank may fail to allocate while others wait.
 * Zeros are an empty list of handshakes. */
typedef struct ovk__handshakes {
  int n;
  ovk__handshake *list;
  uint64_t *words;
  MPI_Request *requests;
} ovk__handshakes;

/* Create n handshakes. After the caller has set peers and lengths, allot their words, which are
 * zeros. ovk__handshakes_free() must be called also after an error. Not collective. */
ovk_err ovk__handshakes_make(ovk_ctx *ctx, int n, ovk__handshakes *out);
ovk_err ovk__handshakes_allot(ovk_ctx *ctx, ovk__handshakes *handshakes);
void ovk__handshakes_free(ovk__handshakes *handshakes);

/* Exchange the handshakes with all peers, which call this with the same tag. */
ovk_err ovk__handshakes_exchange(ovk_ctx *ctx, const ovk__handshakes *handshakes, MPI_Comm comm,
                                 int tag);

#endif
