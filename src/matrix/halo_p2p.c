/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows travel as persistent point-to-point messages: one a neighbour and direction. */
#include "core/mem.h"
#include "engine/job.h"
#include "matrix/halo_impl.h"

#include <limits.h>
#include <stdlib.h>

/* What MPI counts: values, not rows. */
static ovk_err count_values(const ovk__halo *halo, ovk__parcel p, int *count)
{
  OVK_CHECK(p.count <= INT_MAX / halo->width, halo->ctx, OVK_ERR_ARG,
            "%d rows of %d vectors are too many for one message", p.count, halo->width);
  *count = p.count * halo->width;
  return OVK_OK;
}

static ovk_err make_requests(ovk__halo *halo, const ovk__parcels *receives,
                             const ovk__parcels *sends)
{
  ovk_ctx *ctx = halo->ctx;
  int count = 0;
  halo->nreceives = receives->n;
  halo->nsends = sends->n;
  OVK_NEW_ARRAY(ctx, halo->requests, receives->n + sends->n);
  double *to = halo->ghosts;
  for (int k = 0; k < receives->n; k++) {
    const ovk__parcel p = receives->list[k];
    OVK_TRY(count_values(halo, p, &count));
    OVK_TRY_MPI(ctx, MPI_Recv_init(to, count, MPI_DOUBLE, p.rank, halo->tag, ctx->comm,
                                   &halo->requests[halo->nrequests]));
    halo->nrequests++;
    to += count;
  }
  double *from = halo->send_buffer;
  for (int k = 0; k < sends->n; k++) {
    const ovk__parcel p = sends->list[k];
    OVK_TRY(count_values(halo, p, &count));
    OVK_TRY_MPI(ctx, MPI_Send_init(from, count, MPI_DOUBLE, p.rank, halo->tag, ctx->comm,
                                   &halo->requests[halo->nrequests]));
    halo->nrequests++;
    from += count;
  }
  return OVK_OK;
}

static ovk_err prepare(ovk__halo *halo, const ovk__parcels *receives, const ovk__parcels *sends)
{
  return ovk__agree(halo->ctx, make_requests(halo, receives, sends));
}

static void release(ovk__halo *halo)
{
  for (int k = 0; k < halo->nrequests; k++) MPI_Request_free(&halo->requests[k]);
  free(halo->requests);
}

static ovk_err begin(ovk__halo *halo, const double *const x[])
{
  ovk_ctx *ctx = halo->ctx;
  halo->running = halo->nrequests > 0;
  halo->failed = OVK_OK;
  if (halo->nreceives) OVK_TRY_MPI(ctx, MPI_Startall(halo->nreceives, halo->requests));
  ovk__halo_pack(halo, x);
  if (halo->nsends) {
    OVK_TRY_MPI(ctx, MPI_Startall(halo->nsends, halo->requests + halo->nreceives));
  }
  return OVK_OK;
}

/* An ovk__advance. */
static int look(void *self, bool *complete)
{
  const ovk__halo *halo = self;
  int flag = 0;
  const int err = MPI_Testall(halo->nrequests, halo->requests, &flag, MPI_STATUSES_IGNORE);
  *complete = flag;
  return err;
}

static ovk_err test(ovk__halo *halo)
{
  bool complete;
  OVK_TRY_MPI(halo->ctx, look(halo, &complete));
  if (complete) halo->running = false;
  return OVK_OK;
}

static void progress(ovk__halo *halo)
{
  if (halo->running && !halo->failed) halo->failed = test(halo);
}

static ovk_err end(ovk__halo *halo)
{
  enum { SPINS = 100 }; /* MPI's test is no short look */
  OVK_TRY(halo->failed);
  if (!halo->running) return OVK_OK;
  halo->running = false;
  if (!halo->ctx->jobs) {
    OVK_TRY_MPI(halo->ctx, MPI_Waitall(halo->nrequests, halo->requests, MPI_STATUSES_IGNORE));
    return OVK_OK;
  }
  OVK_TRY_MPI(halo->ctx, ovk__wait(halo->ctx, SPINS, look, halo)); /* others may need this rank */
  return OVK_OK;
}

const ovk__halo_way ovk__halo_p2p = {
    .prepare = prepare, .release = release, .begin = begin, .progress = progress, .end = end};
