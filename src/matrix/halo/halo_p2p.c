/* SPDX-License-Identifier: BSD-2-Clause */
/* Halo exchange by persistent point-to-point messages, one per neighbor and direction; for shm,
 * with ranks of other nodes only. */
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "core/job.h"
#include "matrix/halo/halo_impl.h"

#include <limits.h>
#include <stdlib.h>

/* The MPI count of a message: values, not rows. */
static ovk_err halo_p2p_count_values(const ovk__halo *halo, ovk__neighbor_message p, int *count)
{
  OVK_CHECK(p.count <= INT_MAX / halo->width, halo->ctx, OVK_ERR_ARG,
            "%d rows of %d vectors are too many for one message", p.count, halo->width);
  *count = p.count * halo->width;
  return OVK_OK;
}

static ovk_err halo_p2p_make_receives(ovk__halo *halo, const ovk__neighbor_messages *receives)
{
  ovk_ctx *ctx = halo->ctx;
  double *to = halo->ghosts;
  int count = 0;
  for (int k = 0; k < receives->n; k++, to += count) {
    const ovk__neighbor_message p = receives->list[k];
    OVK_TRY(halo_p2p_count_values(halo, p, &count));
    if (ovk__halo_is_near(halo, p.rank)) continue;
    OVK_TRY_MPI(ctx, MPI_Recv_init(to, count, MPI_DOUBLE, p.rank, halo->tag, ctx->comm,
                                   &halo->requests[halo->nrequests]));
    halo->nrequests++;
    halo->nreceives++;
  }
  return OVK_OK;
}

static ovk_err halo_p2p_make_sends(ovk__halo *halo, const ovk__neighbor_messages *sends)
{
  ovk_ctx *ctx = halo->ctx;
  ovk__halo_rows rows = {0};
  int count = 0;
  for (int k = 0; k < sends->n; k++, rows.first += rows.count) {
    const ovk__neighbor_message p = sends->list[k];
    rows.count = (size_t)p.count;
    OVK_TRY(halo_p2p_count_values(halo, p, &count));
    if (ovk__halo_is_near(halo, p.rank)) continue;
    if (halo->nsends == 0) OVK_TRY(ovk__halo_buffer(halo));
    const double *from = halo->send_buffer + rows.first * (size_t)halo->width;
    OVK_TRY_MPI(ctx, MPI_Send_init(from, count, MPI_DOUBLE, p.rank, halo->tag, ctx->comm,
                                   &halo->requests[halo->nrequests]));
    halo->nrequests++;
    halo->sends[halo->nsends++] = rows;
  }
  return OVK_OK;
}

static ovk_err halo_p2p_make_requests(ovk__halo *halo, const ovk__neighbor_messages *receives,
                                      const ovk__neighbor_messages *sends)
{
  OVK_NEW_ARRAY(halo->ctx, halo->requests, receives->n + sends->n);
  OVK_NEW_ARRAY(halo->ctx, halo->sends, sends->n);
  OVK_TRY(halo_p2p_make_receives(halo, receives));
  return halo_p2p_make_sends(halo, sends);
}

static ovk_err halo_p2p_prepare(ovk__halo *halo, const ovk__neighbor_messages *receives,
                                const ovk__neighbor_messages *sends)
{
  return ovk__agree(halo->ctx, halo_p2p_make_requests(halo, receives, sends));
}

static void halo_p2p_release(ovk__halo *halo)
{
  const int n = ovk__mpi_is_over() ? 0 : halo->nrequests;
  for (int k = 0; k < n; k++) MPI_Request_free(&halo->requests[k]);
  free(halo->requests);
  free(halo->sends);
  halo->requests = NULL;
  halo->sends = NULL;
  halo->nrequests = halo->nreceives = halo->nsends = 0;
}

static ovk_err halo_p2p_begin(ovk__halo *halo, ovk__halo_values x)
{
  ovk_ctx *ctx = halo->ctx;
  halo->running = halo->nrequests > 0;
  halo->failed = OVK_OK;
  if (halo->nreceives) OVK_TRY_MPI(ctx, MPI_Startall(halo->nreceives, halo->requests));
  for (int k = 0; k < halo->nsends; k++) {
    const ovk__halo_rows rows = halo->sends[k];
    ovk__halo_pack(halo, x, rows.first, rows.count,
                   halo->send_buffer + rows.first * (size_t)halo->width);
  }
  if (halo->nsends) {
    OVK_TRY_MPI(ctx, MPI_Startall(halo->nsends, halo->requests + halo->nreceives));
  }
  return OVK_OK;
}

/* An ovk__advance. */
static int halo_p2p_look(void *self, bool *complete)
{
  const ovk__halo *halo = self;
  int flag = 0;
  const int err = MPI_Testall(halo->nrequests, halo->requests, &flag, MPI_STATUSES_IGNORE);
  *complete = flag;
  return err;
}

static ovk_err halo_p2p_test(ovk__halo *halo)
{
  bool complete;
  OVK_CHECK_MPI(halo->ctx, halo_p2p_look(halo, &complete), "MPI_Testall");
  if (complete) halo->running = false;
  return OVK_OK;
}

static void halo_p2p_progress(ovk__halo *halo)
{
  if (halo->running && !halo->failed) halo->failed = halo_p2p_test(halo);
}

static ovk_err halo_p2p_end(ovk__halo *halo)
{
  enum { SPINS = 100 }; /* an MPI test is not cheap */
  OVK_TRY(halo->failed);
  if (!halo->running) return OVK_OK;
  halo->running = false;
  if (!halo->ctx->jobs) {
    OVK_TRY_MPI(halo->ctx, MPI_Waitall(halo->nrequests, halo->requests, MPI_STATUSES_IGNORE));
    return OVK_OK;
  }
  /* also progresses other operations, for which other ranks may wait */
  OVK_CHECK_MPI(halo->ctx, ovk__wait(halo->ctx, SPINS, halo_p2p_look, halo), "MPI_Testall");
  return OVK_OK;
}

const ovk__halo_transport ovk__halo_p2p = {.prepare = halo_p2p_prepare,
                                           .release = halo_p2p_release,
                                           .begin = halo_p2p_begin,
                                           .progress = halo_p2p_progress,
                                           .end = halo_p2p_end};
