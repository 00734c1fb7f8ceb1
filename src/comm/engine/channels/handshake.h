/* SPDX-License-Identifier: BSD-2-Clause */
/* Handshakes: what a request and its peers tell each other before the first message, addresses
 * above all. Ranks exchange them over MPI; those of a remote agent are exchanged by its rank. */
#ifndef OVK_COMM_ENGINE_CHANNELS_HANDSHAKE_H
#define OVK_COMM_ENGINE_CHANNELS_HANDSHAKE_H

#include "core/context/check.h"

/* Each side knows the length of both. */
typedef struct ovk__handshake {
  int peer; /* MPI_PROC_NULL: not exchanged here */
  int nout, nin;
  uint64_t *out, *in;
} ovk__handshake;

/* Everything that an exchange needs is allocated before it: no rank may fail to allocate while
 * others wait. Zeros are no handshakes. */
typedef struct ovk__handshakes {
  int n;
  ovk__handshake *list;
  uint64_t *words;
  MPI_Request *requests;
} ovk__handshakes;

/* Makes n handshakes; then, when the caller has set peers and lengths, allots their words, which
 * are zeros. ovk__handshakes_free() must be called also after an error. Not collective. */
ovk_err ovk__handshakes_make(ovk_ctx *ctx, int n, ovk__handshakes *out);
ovk_err ovk__handshakes_allot(ovk_ctx *ctx, ovk__handshakes *handshakes);
void ovk__handshakes_free(ovk__handshakes *handshakes);

/* Exchanges the handshakes with all peers, which do the same with this tag. */
ovk_err ovk__handshakes_exchange(ovk_ctx *ctx, const ovk__handshakes *handshakes, MPI_Comm comm,
                                 int tag);

#endif
