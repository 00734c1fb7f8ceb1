/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes and exchanges letters. */
#include "engine/channels/letters.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdlib.h>

ovk_err ovk__letters_make(ovk_ctx *ctx, int n, ovk__letters *out)
{
  *out = (ovk__letters){.n = n};
  OVK_NEW_ZEROS(ctx, out->list, n);
  OVK_NEW_ARRAY(ctx, out->requests, 2 * (size_t)n);
  return OVK_OK;
}

ovk_err ovk__letters_allot(ovk_ctx *ctx, ovk__letters *letters)
{
  size_t nwords = 0;
  for (int k = 0; k < letters->n; k++) {
    nwords += (size_t)letters->list[k].nout + (size_t)letters->list[k].nin;
  }
  OVK_NEW_ZEROS(ctx, letters->words, nwords);
  uint64_t *next = letters->words;
  for (int k = 0; k < letters->n; k++) {
    ovk__letter *l = &letters->list[k];
    l->out = next;
    l->in = next + l->nout;
    next = l->in + l->nin;
  }
  return OVK_OK;
}

void ovk__letters_free(ovk__letters *letters)
{
  free(letters->list);
  free(letters->words);
  free(letters->requests);
  *letters = (ovk__letters){0};
}

static ovk_err start(ovk_ctx *ctx, const ovk__letter *l, MPI_Comm comm, int tag,
                     MPI_Request request[2])
{
  OVK_TRY_MPI(ctx, MPI_Isend(l->out, l->nout, MPI_UINT64_T, l->peer, tag, comm, &request[0]));
  OVK_TRY_MPI(ctx, MPI_Irecv(l->in, l->nin, MPI_UINT64_T, l->peer, tag, comm, &request[1]));
  return OVK_OK;
}

ovk_err ovk__letters_exchange(ovk_ctx *ctx, const ovk__letters *letters, MPI_Comm comm, int tag)
{
  const int n = letters->n;
  ovk_err err = OVK_OK;
  for (int k = 0; k < 2 * n; k++) letters->requests[k] = MPI_REQUEST_NULL;
  for (int k = 0; k < n && !err; k++) {
    err = start(ctx, &letters->list[k], comm, tag, letters->requests + 2 * (ptrdiff_t)k);
  }
  OVK_TRY_MPI(ctx, MPI_Waitall(2 * n, letters->requests, MPI_STATUSES_IGNORE));
  return err;
}
