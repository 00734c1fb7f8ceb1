/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange over persistent point-to-point messages: one message a neighbour and direction.
 */
#include "matrix/halo.h"
#include "core/ctx_impl.h"
#include "core/mem.h"
#include "matrix/exchange.h"
#include "matrix/layout.h"

#include <stdlib.h>

struct ovk__halo {
  ovk_ctx *ctx;
  int nreceives, nsends; /* neighbours in each direction */
  MPI_Request *requests; /* receives, then sends */
  int nrequests;         /* those made so far */
  ovk_lidx *send_rows;   /* local rows that go out, neighbour after neighbour */
  size_t nsend_rows;
  double *send_buffer;
  double *ghosts; /* received rows */
  ovk_lidx nghosts;
  bool running;
  ovk_err failed; /* a failure while progressing, returned at the end */
};

/* One parcel for each owner: the rows that this rank needs of it. They lie together, as `ghosts` is
 * sorted and rows are laid out in the order of ranks. */
static ovk_err make_wishes(ovk_ctx *ctx, const ovk_gidx *first, const ovk_gidx *ghosts,
                           ovk_lidx nghosts, ovk__parcels *wishes)
{
  ovk_gidx *items;
  OVK_NEW_ARRAY(ctx, items, nghosts);
  wishes->items = items;
  wishes->total = (size_t)nghosts;
  OVK_NEW_ARRAY(ctx, wishes->list, ctx->size);
  int last = -1;
  for (ovk_lidx k = 0; k < nghosts; k++) {
    const int owner = ovk__layout_owner(first, ctx->size, ghosts[k]);
    if (owner != last) wishes->list[wishes->n++] = (ovk__parcel){owner, 0};
    wishes->list[wishes->n - 1].count++;
    items[k] = ghosts[k] - first[owner]; /* as the owner counts them */
    last = owner;
  }
  return OVK_OK;
}

static ovk_err make_buffers(ovk__halo *halo, const ovk__parcels *receives,
                            const ovk__parcels *sends)
{
  ovk_ctx *ctx = halo->ctx;
  halo->nreceives = receives->n;
  halo->nsends = sends->n;
  halo->nghosts = (ovk_lidx)receives->total;
  halo->nsend_rows = sends->total;
  OVK_NEW_ARRAY(ctx, halo->requests, receives->n + sends->n);
  OVK_NEW_ARRAY(ctx, halo->ghosts, receives->total);
  OVK_NEW_ARRAY(ctx, halo->send_buffer, sends->total);
  OVK_NEW_ARRAY(ctx, halo->send_rows, sends->total);
  const ovk_gidx *rows = sends->items;
  for (size_t k = 0; k < sends->total; k++) halo->send_rows[k] = (ovk_lidx)rows[k];
  return OVK_OK;
}

static ovk_err make_requests(ovk__halo *halo, int tag, const ovk__parcels *receives,
                             const ovk__parcels *sends)
{
  ovk_ctx *ctx = halo->ctx;
  double *to = halo->ghosts;
  for (int k = 0; k < receives->n; k++) {
    const ovk__parcel p = receives->list[k];
    OVK_TRY_MPI(ctx, MPI_Recv_init(to, p.count, MPI_DOUBLE, p.rank, tag, ctx->comm,
                                   &halo->requests[halo->nrequests]));
    halo->nrequests++;
    to += p.count;
  }
  double *from = halo->send_buffer;
  for (int k = 0; k < sends->n; k++) {
    const ovk__parcel p = sends->list[k];
    OVK_TRY_MPI(ctx, MPI_Send_init(from, p.count, MPI_DOUBLE, p.rank, tag, ctx->comm,
                                   &halo->requests[halo->nrequests]));
    halo->nrequests++;
    from += p.count;
  }
  return OVK_OK;
}

static ovk_err set_up(ovk_ctx *ctx, ovk__halo *halo, const ovk__parcels *receives,
                      const ovk__parcels *sends, int tag)
{
  OVK_CHECK(halo, ctx, OVK_ERR_MEMORY, "no memory for a halo exchange");
  halo->ctx = ctx;
  OVK_TRY(make_buffers(halo, receives, sends));
  return make_requests(halo, tag, receives, sends);
}

ovk_err ovk__halo_create(ovk_ctx *ctx, const ovk_gidx *first, const ovk_gidx *ghosts,
                         ovk_lidx nghosts, ovk__halo **out)
{
  const int tag = ovk__ctx_tag(ctx);
  ovk__parcels receives = {0}, sends = {0};
  ovk_err err = ovk__agree(ctx, make_wishes(ctx, first, ghosts, nghosts, &receives));
  if (!err) err = ovk__exchange(ctx, sizeof(ovk_gidx), &receives, &sends);
  if (!err) {
    *out = calloc(1, sizeof **out);
    err = ovk__agree(ctx, set_up(ctx, *out, &receives, &sends, tag));
    if (err) ovk__halo_destroy(out);
  }
  ovk__parcels_free(&receives);
  ovk__parcels_free(&sends);
  return err;
}

void ovk__halo_destroy(ovk__halo **halo)
{
  if (!*halo) return;
  ovk__halo *h = *halo;
  for (int k = 0; k < h->nrequests; k++) MPI_Request_free(&h->requests[k]);
  free(h->requests);
  free(h->send_rows);
  free(h->send_buffer);
  free(h->ghosts);
  free(h);
  *halo = NULL;
}

ovk_err ovk__halo_begin(ovk__halo *halo, const double *x)
{
  ovk_ctx *ctx = halo->ctx;
  halo->running = halo->nrequests > 0;
  halo->failed = OVK_OK;
  if (halo->nreceives) OVK_TRY_MPI(ctx, MPI_Startall(halo->nreceives, halo->requests));
  for (size_t k = 0; k < halo->nsend_rows; k++) halo->send_buffer[k] = x[halo->send_rows[k]];
  if (halo->nsends) {
    OVK_TRY_MPI(ctx, MPI_Startall(halo->nsends, halo->requests + halo->nreceives));
  }
  return OVK_OK;
}

static ovk_err test(ovk__halo *halo)
{
  int complete;
  OVK_TRY_MPI(halo->ctx,
              MPI_Testall(halo->nrequests, halo->requests, &complete, MPI_STATUSES_IGNORE));
  if (complete) halo->running = false;
  return OVK_OK;
}

void ovk__halo_progress(ovk__halo *halo)
{
  if (halo->running && !halo->failed) halo->failed = test(halo);
}

ovk_err ovk__halo_end(ovk__halo *halo, const double **ghost_values)
{
  *ghost_values = halo->ghosts;
  OVK_TRY(halo->failed);
  if (!halo->running) return OVK_OK;
  halo->running = false;
  OVK_TRY_MPI(halo->ctx, MPI_Waitall(halo->nrequests, halo->requests, MPI_STATUSES_IGNORE));
  return OVK_OK;
}

int64_t ovk__halo_bytes(const ovk__halo *halo)
{
  return (int64_t)(halo->nsend_rows * (sizeof *halo->send_rows + sizeof *halo->send_buffer)) +
         (int64_t)((size_t)halo->nghosts * sizeof *halo->ghosts);
}
