/* SPDX-License-Identifier: BSD-2-Clause */
/* Set-up of a halo exchange: its rows and neighbors. The transport is chosen at creation. */
#include "core/base/did_you_mean.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "matrix/halo/halo_impl.h"
#include "matrix/layout/layout.h"

#include <ovkrylov/plugin/spec.h>
#include <stdlib.h>
#include <string.h>

/* One message per owner: the rows that this rank needs from it. They are contiguous, as `ghosts` is
 * sorted and rows are distributed in the order of ranks. */
static ovk_err halo_make_requests(ovk_ctx *ctx, const ovk_gidx *first, const ovk_gidx *ghosts,
                                  ovk_lidx nghosts, ovk__neighbor_messages *requests)
{
  ovk_gidx *items;
  OVK_NEW_ARRAY(ctx, items, nghosts);
  requests->items = items;
  requests->total = (size_t)nghosts;
  OVK_NEW_ARRAY(ctx, requests->list, ctx->size);
  int last = -1;
  for (ovk_lidx k = 0; k < nghosts; k++) {
    const int owner = ovk__layout_owner(first, ctx->size, ghosts[k]);
    if (owner != last) requests->list[requests->n++] = (ovk__neighbor_message){owner, 0};
    requests->list[requests->n - 1].count++;
    items[k] = ghosts[k] - first[owner]; /* local index at the owner */
    last = owner;
  }
  return OVK_OK;
}

static ovk_err halo_find_transport(ovk_ctx *ctx, const char *name,
                                   const ovk__halo_transport **transport)
{
  static const char *const names[] = {"shm", "p2p", "nbc", "verbs"};
  static const ovk__halo_transport *const transports[] = {&ovk__halo_shm, &ovk__halo_p2p,
                                                          &ovk__halo_nbc, &ovk__halo_nbc};
  enum { NTRANSPORTS = sizeof transports / sizeof *transports };
  for (int k = 0; k < NTRANSPORTS; k++) {
    if (strcmp(names[k], name) != 0) continue;
    *transport = transports[k];
    return OVK_OK;
  }
  char hint[OVK__HINT_SIZE];
  ovk__hint(hint, name, names, NTRANSPORTS, "there are");
  return OVK_FAIL(ctx, OVK_ERR_UNKNOWN, "unknown halo exchange '%s'%s", name, hint);
}

/* The transport selected by OVK_HALO. A rank alone has no messages. */
static ovk_err halo_choose_transport(ovk_ctx *ctx, const ovk__halo_transport **transport)
{
  *transport = ctx->size > 1 ? &ovk__halo_shm : &ovk__halo_p2p;
  if (!ctx->env.halo) return OVK_OK;
  ovk_spec *spec = NULL;
  ovk_err err = ovk_spec_parse(ctx, ctx->env.halo, &spec);
  if (!err) err = halo_find_transport(ctx, ovk_spec_name(spec), transport);
  if (!err && *transport != &ovk__halo_nbc) err = ovk_spec_check_keys(ctx, spec, NULL);
  ovk_spec_destroy(&spec);
  return ovk__env_name_variable(ctx, err, "OVK_HALO");
}

static ovk_err halo_make_buffers(ovk__halo *halo, size_t nreceived,
                                 const ovk__neighbor_messages *sends)
{
  ovk_ctx *ctx = halo->ctx;
  halo->nghosts = (ovk_lidx)nreceived;
  halo->nsend_rows = sends->total;
  OVK_NEW_ARRAY(ctx, halo->ghosts, nreceived * (size_t)halo->width);
  OVK_NEW_ARRAY(ctx, halo->send_rows, sends->total);
  const ovk_gidx *rows = sends->items;
  for (size_t k = 0; k < sends->total; k++) halo->send_rows[k] = (ovk_lidx)rows[k];
  return OVK_OK;
}

static ovk_err halo_make(ovk_ctx *ctx, int tag, int width, size_t nreceived,
                         const ovk__neighbor_messages *sends, ovk__halo **out)
{
  ovk__halo *halo = *out = calloc(1, sizeof *halo);
  OVK_CHECK(halo, ctx, OVK_ERR_MEMORY, "no memory for a halo exchange");
  halo->ctx = ctx;
  halo->tag = tag;
  halo->width = width;
  OVK_TRY(halo_choose_transport(ctx, &halo->transport));
  return halo_make_buffers(halo, nreceived, sends);
}

/* If no transport was requested and some node has no shared memory left, messages replace it. */
static ovk_err halo_prepare(ovk__halo *halo, const ovk__neighbor_messages *receives,
                            const ovk__neighbor_messages *sends)
{
  ovk_ctx *ctx = halo->ctx;
  ctx->lacks_shared_memory = false;
  const ovk_err err = halo->transport->prepare(halo, receives, sends);
  if (!err || ctx->env.halo) return err;
  const bool lacks = ctx->lacks_shared_memory || err == OVK_ERR_RANGE; /* too many windows */
  if (!ovk__agree(ctx, lacks ? err : OVK_OK)) return err;
  halo->transport->release(halo);
  halo->transport = &ovk__halo_p2p;
  return halo->transport->prepare(halo, receives, sends);
}

ovk_err ovk__halo_create(ovk_ctx *ctx, const ovk_gidx *first, const ovk_gidx *ghosts,
                         ovk_lidx nghosts, int width, ovk__halo **out)
{
  const int tag = ovk__ctx_tag(ctx);
  ovk__neighbor_messages receives = {0}, sends = {0};
  ovk_err err = ovk__agree(ctx, halo_make_requests(ctx, first, ghosts, nghosts, &receives));
  if (!err) err = ovk__exchange(ctx, sizeof(ovk_gidx), &receives, &sends);
  if (!err) {
    err = ovk__agree(ctx, halo_make(ctx, tag, width, receives.total, &sends, out));
    if (!err) err = halo_prepare(*out, &receives, &sends);
    if (err) ovk__halo_destroy(out);
  }
  ovk__neighbor_messages_free(&receives);
  ovk__neighbor_messages_free(&sends);
  return err;
}

void ovk__halo_destroy(ovk__halo **halo)
{
  if (!*halo) return;
  ovk__halo *h = *halo;
  h->transport->release(h);
  free(h->send_rows);
  free(h->send_buffer);
  free(h->ghosts);
  free(h);
  *halo = NULL;
}

ovk_err ovk__halo_begin(ovk__halo *halo, const double *const x[])
{
  return halo->transport->begin(halo, (ovk__halo_values){.vectors = x});
}

ovk_err ovk__halo_begin_block(ovk__halo *halo, const double *block)
{
  return halo->transport->begin(halo, (ovk__halo_values){.block = block});
}

void ovk__halo_progress(ovk__halo *halo)
{
  halo->transport->progress(halo);
}

ovk_err ovk__halo_end(ovk__halo *halo, const double **ghost_values)
{
  *ghost_values = halo->ghosts;
  return halo->transport->end(halo);
}

int64_t ovk__halo_bytes(const ovk__halo *halo)
{
  const size_t buffer = halo->send_buffer ? halo->nsend_rows : 0;
  const size_t values = buffer + ovk__halo_near_rows(halo) + (size_t)halo->nghosts;
  return (int64_t)(halo->nsend_rows * sizeof *halo->send_rows +
                   values * (size_t)halo->width * sizeof *halo->ghosts);
}
