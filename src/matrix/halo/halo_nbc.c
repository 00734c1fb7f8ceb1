/* SPDX-License-Identifier: BSD-2-Clause */
/* Halo exchange by the library's own all-to-all, as in the conjugate gradients of LibNBC (Hoefler,
 * Lumsdaine, Rehm, SC'07); ranks that have no rows for each other exchange no messages. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/halo/halo_impl.h"

#include <stdlib.h>

static ovk_err halo_nbc_make_counts(ovk_ctx *ctx, const ovk__neighbor_messages *messages,
                                    int **counts)
{
  OVK_NEW_ZEROS(ctx, *counts, ctx->size);
  for (int k = 0; k < messages->n; k++) (*counts)[messages->list[k].rank] = messages->list[k].count;
  return OVK_OK;
}

static ovk_err halo_nbc_prepare(ovk__halo *halo, const ovk__neighbor_messages *receives,
                                const ovk__neighbor_messages *sends)
{
  ovk_ctx *ctx = halo->ctx;
  int *send_counts = NULL, *receive_counts = NULL;
  ovk_err err = halo_nbc_make_counts(ctx, sends, &send_counts);
  if (!err) err = halo_nbc_make_counts(ctx, receives, &receive_counts);
  if (!err) err = ovk__halo_buffer(halo);
  err = ovk__agree(ctx, err);
  if (!err) {
    err = ovk_collective_create_alltoallv(
        ctx, ctx->env.halo, halo->send_buffer, send_counts, NULL, halo->ghosts, receive_counts,
        NULL, (size_t)halo->width * sizeof *halo->ghosts, &halo->alltoall);
  }
  free(send_counts);
  free(receive_counts);
  return ovk__env_name_variable(ctx, err, "OVK_HALO");
}

static void halo_nbc_release(ovk__halo *halo)
{
  ovk_collective_destroy(&halo->alltoall);
}

static ovk_err halo_nbc_begin(ovk__halo *halo, ovk__halo_values x)
{
  ovk__halo_pack(halo, x, 0, halo->nsend_rows, halo->send_buffer);
  return ovk_collective_begin(halo->alltoall);
}

static void halo_nbc_progress(ovk__halo *halo)
{
  ovk_poll_call(ovk_collective_poll(halo->alltoall, 1));
}

static ovk_err halo_nbc_end(ovk__halo *halo)
{
  return ovk_collective_wait(halo->alltoall);
}

const ovk__halo_transport ovk__halo_nbc = {.prepare = halo_nbc_prepare,
                                           .release = halo_nbc_release,
                                           .begin = halo_nbc_begin,
                                           .progress = halo_nbc_progress,
                                           .end = halo_nbc_end};
