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

/* Exchanges addresses with the peers that are not connected; requests has two a peer. */
static ovk_err exchange(ovk__endpoint *e, const int *peers, int npeers, int tag,
                        ovk__nic_address *addresses, MPI_Request *requests)
{
  int n = 0;
  ovk_err err = OVK_OK;
  for (int k = 0; k < npeers && !err; k++) {
    const ovk__pair *p = e->pairs[peers[k]];
    ovk__nic_address *own = &addresses[2 * k], *other = own + 1;
    if (p->connected) continue;
    e->ops->queue_address(p->queue, own);
    int code = MPI_Irecv(other, sizeof *other, MPI_BYTE, p->peer, tag, e->comm, &requests[n]);
    if (!code) n++;
    if (!code) code = MPI_Isend(own, sizeof *own, MPI_BYTE, p->peer, tag, e->comm, &requests[n]);
    if (!code) n++;
    if (code) err = ovk__fail_mpi(e->ctx, code, __FILE__, __LINE__, "an exchange of addresses");
  }
  const int code = MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  if (!err && code) err = ovk__fail_mpi(e->ctx, code, __FILE__, __LINE__, "MPI_Waitall");
  return err;
}

static ovk_err connect(ovk__endpoint *e, const int *peers, int npeers,
                       const ovk__nic_address *addresses)
{
  for (int k = 0; k < npeers; k++) {
    ovk__pair *p = e->pairs[peers[k]];
    if (p->connected) continue;
    OVK_TRY(e->ops->queue_connect(e->ctx, p->queue, &addresses[2 * k + 1]));
    p->connected = true;
  }
  return OVK_OK;
}

ovk_err ovk__endpoint_connect(ovk__endpoint *endpoint, const int *peers, int npeers, int tag)
{
  ovk__endpoint *e = endpoint;
  ovk__nic_address *addresses = NULL;
  MPI_Request *requests = NULL;
  addresses = ovk__array(2 * (size_t)npeers, sizeof *addresses);
  requests = ovk__array(2 * (size_t)npeers, sizeof *requests);
  ovk_err err = addresses && requests
                    ? OVK_OK
                    : OVK_FAIL(e->ctx, OVK_ERR_MEMORY, "no memory to connect %d peers", npeers);
  if (!err) err = exchange(e, peers, npeers, tag, addresses, requests);
  if (!err) err = connect(e, peers, npeers, addresses);
  free(addresses);
  free(requests);
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

bool ovk__pair_watch(ovk__endpoint *endpoint, ovk__pair *pair, ovk__patience *patience)
{
  enum { LOOKS = 256 }; /* between two looks at the clock */
  ovk__endpoint *e = endpoint;
  if (++patience->looks % LOOKS) return !e->failed;
  const double now = MPI_Wtime();
  if (patience->since == 0) patience->since = patience->asked = now;
  if (e->timeout > 0 && now - patience->since > e->timeout) {
    ovk__endpoint_fail(e, "rank %d has waited %.0f ms for rank %d, and timeout_ms is %.0f",
                       ovk_ctx_rank(e->ctx), 1000 * (now - patience->since), pair->peer,
                       1000 * e->timeout);
    return false;
  }
  if (!ovk__pair_poll(e, pair)) return false;
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
