/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse all-to-all: sends first the number of messages, then their sizes, then the items. So
 * memory is allocated before large messages are sent, and the result does not depend on the order
 * of arrival. */
#include "matrix/layout/exchange.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

void ovk__neighbor_messages_free(ovk__neighbor_messages *messages)
{
  free(messages->list);
  free(messages->items);
  *messages = (ovk__neighbor_messages){0};
}

/* The number of ranks that have a message for this one. */
static ovk_err count_senders(ovk_ctx *ctx, const ovk__neighbor_messages *out, int *nsenders)
{
  int *sends_to = ovk__zeros((size_t)ctx->size, sizeof *sends_to);
  ovk_err err = ovk__agree(
      ctx, sends_to ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d ranks", ctx->size));
  if (!err) {
    for (int k = 0; k < out->n; k++) sends_to[out->list[k].rank] = 1;
    const int rc = MPI_Reduce_scatter_block(sends_to, nsenders, 1, MPI_INT, MPI_SUM, ctx->comm);
    if (rc != MPI_SUCCESS)
      err = ovk__fail_mpi(ctx, rc, __FILE__, __LINE__, "MPI_Reduce_scatter_block");
  }
  free(sends_to);
  return err;
}

static int by_rank(const void *a, const void *b)
{
  return ((const ovk__neighbor_message *)a)->rank - ((const ovk__neighbor_message *)b)->rank;
}

/* Sends the size of each message to its receiver; fills in->list. */
static ovk_err exchange_announce(ovk_ctx *ctx, int tag, const ovk__neighbor_messages *out,
                                 MPI_Request *requests, ovk__neighbor_messages *in)
{
  for (int k = 0; k < out->n; k++) {
    OVK_TRY_MPI(ctx, MPI_Isend(&out->list[k].count, 1, MPI_INT, out->list[k].rank, tag, ctx->comm,
                               &requests[k]));
  }
  for (int k = 0; k < in->n; k++) {
    MPI_Status status;
    OVK_TRY_MPI(ctx,
                MPI_Recv(&in->list[k].count, 1, MPI_INT, MPI_ANY_SOURCE, tag, ctx->comm, &status));
    in->list[k].rank = status.MPI_SOURCE;
    in->total += (size_t)in->list[k].count;
  }
  OVK_TRY_MPI(ctx, MPI_Waitall(out->n, requests, MPI_STATUSES_IGNORE));
  qsort(in->list, (size_t)in->n, sizeof *in->list, by_rank);
  return OVK_OK;
}

static ovk_err exchange_deliver(ovk_ctx *ctx, int tag, size_t item_size,
                                const ovk__neighbor_messages *out, MPI_Request *requests,
                                const ovk__neighbor_messages *in)
{
  MPI_Datatype item;
  OVK_TRY_MPI(ctx, MPI_Type_contiguous((int)item_size, MPI_BYTE, &item));
  OVK_TRY_MPI(ctx, MPI_Type_commit(&item));
  char *to = in->items;
  for (int k = 0; k < in->n; k++) {
    OVK_TRY_MPI(
        ctx, MPI_Irecv(to, in->list[k].count, item, in->list[k].rank, tag, ctx->comm, requests++));
    to += (size_t)in->list[k].count * item_size;
  }
  const char *from = out->items;
  for (int k = 0; k < out->n; k++) {
    OVK_TRY_MPI(ctx, MPI_Isend(from, out->list[k].count, item, out->list[k].rank, tag, ctx->comm,
                               requests++));
    from += (size_t)out->list[k].count * item_size;
  }
  const int n = in->n + out->n;
  OVK_TRY_MPI(ctx, MPI_Waitall(n, requests - n, MPI_STATUSES_IGNORE));
  OVK_TRY_MPI(ctx, MPI_Type_free(&item));
  return OVK_OK;
}

static ovk_err make_lists(ovk_ctx *ctx, int nout, ovk__neighbor_messages *in,
                          MPI_Request **requests)
{
  OVK_NEW_ARRAY(ctx, in->list, in->n);
  OVK_NEW_ARRAY(ctx, *requests, in->n + nout);
  return OVK_OK;
}

static ovk_err make_items(ovk_ctx *ctx, size_t item_size, ovk__neighbor_messages *in)
{
  in->items = ovk__array(in->total, item_size);
  OVK_CHECK(in->items, ctx, OVK_ERR_MEMORY, "no memory for %zu items of %zu bytes from %d ranks",
            in->total, item_size, in->n);
  return OVK_OK;
}

ovk_err ovk__exchange(ovk_ctx *ctx, size_t item_size, const ovk__neighbor_messages *out,
                      ovk__neighbor_messages *in)
{
  /* a separate tag, so that messages of other exchanges or halos cannot match */
  const int tag = ovk__ctx_tag(ctx);
  MPI_Request *requests = NULL;
  *in = (ovk__neighbor_messages){0};
  ovk_err err = count_senders(ctx, out, &in->n);
  if (!err) err = ovk__agree(ctx, make_lists(ctx, out->n, in, &requests));
  if (!err) err = exchange_announce(ctx, tag, out, requests, in);
  if (!err) err = ovk__agree(ctx, make_items(ctx, item_size, in));
  if (!err) err = exchange_deliver(ctx, tag, item_size, out, requests, in);
  if (err) ovk__neighbor_messages_free(in);
  free(requests);
  return err;
}
