/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoints: an adapter, its connections and when to give them up. Nothing here knows what is sent.
 */
#include "engine/verbs/endpoint.h"
#include "core/mem.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Works under way in a queue: more than any rank sends another before it looks for completions. */
enum { DEPTH = 256 };

/* Milliseconds: as long as nobody should sit before a screen that stands still, and longer than
 * ranks write a file. */
enum { TIMEOUT = 10 * 60 * 1000 };

struct ovk__endpoint {
  ovk_ctx *ctx;
  MPI_Comm comm;
  const ovk__nic_ops *ops;
  ovk__nic *nic;
  ovk__nic_limits limits;
  int depth;
  double timeout, ask_every; /* seconds */
  ovk__slab *slabs;
  ovk__pair **pairs; /* [rank]; NULL: not added */
  ovk__fault fault;
  bool failed;
  char why[OVK__WHY_SIZE];
};

static ovk_err read_choice(ovk_ctx *ctx, const ovk_spec *spec, ovk__endpoint *e,
                           ovk__nic_choice *choice)
{
  /* What a connection takes to find out that it is broken, and between two questions. */
  const double patience = 2.0, question = 0.1;
  long port, gid, timeout;
  OVK_TRY(ovk_spec_int(ctx, spec, "port", 1, 255, 0, &port));
  OVK_TRY(ovk_spec_int(ctx, spec, "gid", 0, INT_MAX, -1, &gid));
  OVK_TRY(ovk_spec_int(ctx, spec, "timeout_ms", 0, INT_MAX, TIMEOUT, &timeout));
  OVK_TRY(ovk__fault_read(ctx, spec, &e->fault));
  e->timeout = (double)timeout / 1000;
  const bool hurry = timeout && e->timeout < 4 * patience;
  e->ask_every = hurry ? e->timeout / 16 : question;
  *choice = (ovk__nic_choice){.device = ovk_spec_string(spec, "device", NULL),
                              .port = (int)port,
                              .gid = (int)gid,
                              .patience = hurry ? e->timeout / 4 : patience};
  e->ops = choice->device && strcmp(choice->device, ovk__nic_emulated.name) == 0
               ? &ovk__nic_emulated
               : &ovk__nic_ibverbs;
  return OVK_OK;
}

static ovk_err make(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out)
{
  ovk__nic_choice choice;
  ovk__endpoint *e = *out = calloc(1, sizeof *e);
  OVK_CHECK(e, ctx, OVK_ERR_MEMORY, "no memory for an endpoint");
  e->ctx = ctx;
  e->comm = comm;
  OVK_NEW_ZEROS(ctx, e->pairs, ovk_ctx_size(ctx));
  OVK_TRY(read_choice(ctx, spec, e, &choice));
  OVK_TRY(e->ops->open(ctx, &choice, &e->nic, &e->limits));
  e->depth = e->limits.depth_most < DEPTH ? e->limits.depth_most : DEPTH;
  return OVK_OK;
}

ovk_err ovk__endpoint_open(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out)
{
  const ovk_err err = make(ctx, comm, spec, out);
  if (err) ovk__endpoint_close(out);
  return err;
}

void ovk__endpoint_close(ovk__endpoint **endpoint)
{
  ovk__endpoint *e = *endpoint;
  if (!e) return;
  for (int k = 0; e->pairs && k < ovk_ctx_size(e->ctx); k++) {
    if (e->pairs[k]) e->ops->queue_destroy(e->pairs[k]->queue);
    free(e->pairs[k]);
  }
  free(e->pairs);
  ovk__slabs_free(&e->slabs, e->ops, e->nic);
  if (e->nic) e->ops->close(e->nic);
  free(e);
  *endpoint = NULL;
}

const ovk__nic_limits *ovk__endpoint_limits(const ovk__endpoint *endpoint)
{
  return &endpoint->limits;
}

double ovk__endpoint_timeout(const ovk__endpoint *endpoint)
{
  return endpoint->timeout;
}

ovk_err ovk__endpoint_take(ovk__endpoint *endpoint, size_t bytes, ovk__block *out)
{
  ovk__endpoint *e = endpoint;
  return ovk__slabs_take(e->ctx, &e->slabs, e->ops, e->nic, bytes, out);
}

static ovk_err add(ovk__endpoint *e, int peer, ovk__pair **out)
{
  ovk__pair *p = *out = calloc(1, sizeof *p);
  OVK_CHECK(p, e->ctx, OVK_ERR_MEMORY, "no memory for a connection");
  p->peer = peer;
  p->requests[0] = p->requests[1] = MPI_REQUEST_NULL;
  return e->ops->queue_create(e->ctx, e->nic, e->depth, &p->queue);
}

ovk_err ovk__endpoint_add(ovk__endpoint *endpoint, int peer)
{
  ovk__endpoint *e = endpoint;
  OVK_CHECK(!e->failed, e->ctx, OVK_ERR_NETWORK, "%s", e->why);
  if (e->pairs[peer]) return OVK_OK;
  const ovk_err err = add(e, peer, &e->pairs[peer]);
  if (err) {
    free(e->pairs[peer]);
    e->pairs[peer] = NULL;
  }
  return err;
}

static ovk_err start_exchange(ovk__endpoint *e, ovk__pair *p, int tag)
{
  const int bytes = sizeof p->its;
  e->ops->queue_address(p->queue, &p->own);
  OVK_TRY_MPI(e->ctx, MPI_Irecv(&p->its, bytes, MPI_BYTE, p->peer, tag, e->comm, &p->requests[0]));
  OVK_TRY_MPI(e->ctx, MPI_Isend(&p->own, bytes, MPI_BYTE, p->peer, tag, e->comm, &p->requests[1]));
  return OVK_OK;
}

static ovk_err end_exchange(const ovk__endpoint *e, ovk__pair *p)
{
  OVK_TRY_MPI(e->ctx, MPI_Waitall(2, p->requests, MPI_STATUSES_IGNORE));
  return OVK_OK;
}

/* Exchanges addresses with the peers that are not connected: with all of them, whatever happens, as
 * they wait for it. */
static ovk_err exchange(ovk__endpoint *e, const int *peers, int npeers, int tag)
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < npeers; k++) {
    ovk__pair *p = e->pairs[peers[k]];
    const ovk_err started = p->connected ? OVK_OK : start_exchange(e, p, tag);
    if (!err) err = started;
  }
  for (int k = 0; k < npeers; k++) {
    const ovk_err ended = end_exchange(e, e->pairs[peers[k]]);
    if (!err) err = ended;
  }
  return err;
}

static ovk_err connect(ovk__endpoint *e, const int *peers, int npeers)
{
  for (int k = 0; k < npeers; k++) {
    ovk__pair *p = e->pairs[peers[k]];
    if (p->connected) continue;
    OVK_TRY(e->ops->queue_connect(e->ctx, p->queue, &p->its));
    p->connected = true;
  }
  return OVK_OK;
}

ovk_err ovk__endpoint_connect(ovk__endpoint *endpoint, const int *peers, int npeers, int tag)
{
  ovk__endpoint *e = endpoint;
  ovk_err err = exchange(e, peers, npeers, tag);
  if (!err) err = connect(e, peers, npeers);
  if (err) ovk__endpoint_fail(e, "connections could not be made"); /* who knows what peers have */
  return err;
}

ovk__pair *ovk__endpoint_pair(const ovk__endpoint *endpoint, int peer)
{
  return endpoint->pairs[peer];
}

/* Fails because of what an adapter says. */
static bool fail(ovk__endpoint *e, const ovk__pair *pair, int status)
{
  ovk__endpoint_fail(e, "the connection of ranks %d and %d is broken: %s", ovk_ctx_rank(e->ctx),
                     pair->peer, e->ops->text(status));
  return false;
}

bool ovk__pair_poll(ovk__endpoint *endpoint, ovk__pair *pair)
{
  ovk__endpoint *e = endpoint;
  if (e->failed) return false;
  const int status = e->ops->poll(pair->queue, &pair->done);
  return status ? fail(e, pair, status) : true;
}

static uint64_t under_way(const ovk__pair *pair)
{
  return pair->posted - pair->done;
}

int ovk__pair_room(ovk__endpoint *endpoint, ovk__pair *pair, int wanted)
{
  const ovk__endpoint *e = endpoint;
  if (e->depth - (int)under_way(pair) < wanted && !ovk__pair_poll(endpoint, pair)) return 0;
  return e->depth - (int)under_way(pair);
}

bool ovk__pair_post(ovk__endpoint *endpoint, ovk__pair *pair, ovk__work *works, int n)
{
  ovk__endpoint *e = endpoint;
  if (e->failed) return false;
  for (int k = 0; k < n; k++) {
    works[k].id = ++pair->posted;
    if (works[k].signaled) pair->signaled = works[k].id;
  }
  if (pair->posted - pair->signaled >= (uint64_t)e->depth / 2) {
    works[n - 1].signaled = true;
    pair->signaled = pair->posted;
  }
  switch (ovk__fault_strikes(&e->fault, n)) {
  case OVK__FAULT_SILENCE:
    return true;
  case OVK__FAULT_DEVICE:
    ovk__endpoint_fail(e, "the adapter of rank %d is gone, on purpose", ovk_ctx_rank(e->ctx));
    return false;
  case OVK__FAULT_BREAK:
    e->ops->hang_up(pair->queue);
    break;
  default:
    break;
  }
  const int status = e->ops->post(pair->queue, works, n);
  return status ? fail(e, pair, status) : true;
}

/* Asks the peer's adapter whether it is there, unless it still owes an answer. */
static bool ask(ovk__endpoint *e, ovk__pair *pair)
{
  if (pair->done < pair->asked || ovk__pair_room(e, pair, 1) < 1) return !e->failed;
  ovk__work question = {.kind = OVK__WRITE, .inlined = true, .signaled = true};
  if (!ovk__pair_post(e, pair, &question, 1)) return false;
  pair->asked = pair->posted;
  return true;
}

bool ovk__pair_is_idle(ovk__endpoint *endpoint, ovk__pair *pair)
{
  if (under_way(pair) == 0 || !ovk__pair_poll(endpoint, pair)) return true;
  if (under_way(pair) > 0 && pair->signaled < pair->posted) (void)ask(endpoint, pair);
  return endpoint->failed || under_way(pair) == 0;
}

/* Every so many looks the clock is looked at; returns whether it was. */
static bool has_looked_at_clock(ovk__patience *patience, double *now)
{
  enum { LOOKS = 256 };
  if (++patience->looks % LOOKS) return false;
  *now = MPI_Wtime();
  if (patience->since == 0) patience->since = patience->asked = *now;
  return true;
}

static bool is_in_time(ovk__endpoint *e, const ovk__patience *patience, double now)
{
  if (e->timeout <= 0 || now - patience->since <= e->timeout) return true;
  ovk__endpoint_fail(e, "rank %d has waited %.0f ms, and timeout_ms is %.0f", ovk_ctx_rank(e->ctx),
                     1000 * (now - patience->since), 1000 * e->timeout);
  return false;
}

bool ovk__endpoint_watch(ovk__endpoint *endpoint, ovk__patience *patience)
{
  double now;
  if (endpoint->failed) return false;
  return !has_looked_at_clock(patience, &now) || is_in_time(endpoint, patience, now);
}

bool ovk__pair_watch(ovk__endpoint *endpoint, ovk__pair *pair, ovk__patience *patience)
{
  ovk__endpoint *e = endpoint;
  double now;
  if (e->failed) return false;
  if (!has_looked_at_clock(patience, &now)) return true;
  if (!is_in_time(e, patience, now) || !ovk__pair_poll(e, pair)) return false;
  const int status = e->ops->check(e->nic);
  if (status) {
    ovk__endpoint_fail(e, "the adapter of rank %d: %s", ovk_ctx_rank(e->ctx), e->ops->text(status));
    return false;
  }
  if (now - patience->asked < e->ask_every) return true;
  patience->asked = now;
  return ask(e, pair);
}

void ovk__endpoint_fail(ovk__endpoint *endpoint, const char *format, ...)
{
  ovk__endpoint *e = endpoint;
  if (e->failed) return;
  e->failed = true;
  va_list args;
  va_start(args, format);
  vsnprintf(e->why, sizeof e->why, format, args);
  va_end(args);
  for (int k = 0; k < ovk_ctx_size(e->ctx); k++) {
    if (e->pairs[k]) e->ops->hang_up(e->pairs[k]->queue);
  }
}

bool ovk__endpoint_failed(const ovk__endpoint *endpoint)
{
  return endpoint->failed;
}

const char *ovk__endpoint_why(const ovk__endpoint *endpoint)
{
  return endpoint->why;
}
