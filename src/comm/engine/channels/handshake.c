/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates and exchanges handshakes. */
#include "comm/engine/channels/handshake.h"
#include "core/context/mem.h"

#include <stddef.h>
#include <stdlib.h>

ovk_err ovk__handshakes_make(ovk_ctx *ctx, int n, ovk__handshakes *out)
{
  *out = (ovk__handshakes){.n = n};
  OVK_NEW_ZEROS(ctx, out->list, n);
  OVK_NEW_ARRAY(ctx, out->requests, 2 * (size_t)n);
  return OVK_OK;
}

ovk_err ovk__handshakes_allot(ovk_ctx *ctx, ovk__handshakes *handshakes)
{
  size_t nwords = 0;
  for (int k = 0; k < handshakes->n; k++) {
    nwords += (size_t)handshakes->list[k].nout + (size_t)handshakes->list[k].nin;
  }
  OVK_NEW_ZEROS(ctx, handshakes->words, nwords);
  uint64_t *next = handshakes->words;
  for (int k = 0; k < handshakes->n; k++) {
    ovk__handshake *h = &handshakes->list[k];
    h->out = next;
    h->in = next + h->nout;
    next = h->in + h->nin;
  }
  return OVK_OK;
}

void ovk__handshakes_free(ovk__handshakes *handshakes)
{
  free(handshakes->list);
  free(handshakes->words);
  free(handshakes->requests);
  *handshakes = (ovk__handshakes){0};
}

static ovk_err handshake_start(ovk_ctx *ctx, const ovk__handshake *h, MPI_Comm comm, int tag,
                               MPI_Request request[2])
{
  OVK_TRY_MPI(ctx, MPI_Isend(h->out, h->nout, MPI_UINT64_T, h->peer, tag, comm, &request[0]));
  OVK_TRY_MPI(ctx, MPI_Irecv(h->in, h->nin, MPI_UINT64_T, h->peer, tag, comm, &request[1]));
  return OVK_OK;
}

ovk_err ovk__handshakes_exchange(ovk_ctx *ctx, const ovk__handshakes *handshakes, MPI_Comm comm,
                                 int tag)
{
  const int n = handshakes->n;
  ovk_err err = OVK_OK;
  for (int k = 0; k < 2 * n; k++) handshakes->requests[k] = MPI_REQUEST_NULL;
  for (int k = 0; k < n && !err; k++) {
    err = handshake_start(ctx, &handshakes->list[k], comm, tag,
                          handshakes->requests + 2 * (ptrdiff_t)k);
  }
  OVK_TRY_MPI(ctx, MPI_Waitall(2 * n, handshakes->requests, MPI_STATUSES_IGNORE));
  return err;
}
