/* SPDX-License-Identifier: BSD-2-Clause */
/* The decorator "emulate-latency": another backend's reductions over a slower network. On each rank
 * a reduction is complete when the inner one is and its latency has passed, counted from this
 * rank's begin. An inner backend that reduces in begin still blocks there; only the remaining
 * latency can be hidden. */
#include "backends/emulate_latency/latency.h"
#include "comm/engine/topology/topology.h"
#include "core/base/clock.h"
#include "core/context/mem.h"
#include "core/job.h"

#include <ovkrylov/plugin/backend.h>
#include <stdlib.h>

static const ovk_option options[] = {OVK__LATENCY_OPTIONS, OVK_OPTIONS_END};

/* The state of the backend. */
typedef struct emulated_network {
  ovk__latency latency;
  uint64_t begun; /* number of reductions begun on this rank */
  int spins;      /* polls between two yields while waiting */
} emulated_network;

/* The request of a reduction. */
typedef struct request {
  ovk_ctx *ctx;
  bool arrived;         /* the inner reduction is complete */
  int64_t due;          /* time at which the latency has passed */
  unsigned empty_polls; /* polls of the clock before `due` */
} request;

static ovk_err latency_open(ovk_backend *backend)
{
  ovk_ctx *ctx = backend->ctx;
  ovk__latency latency;
  int here = 0, spins;
  OVK_TRY(ovk__topology_node_size(ctx, backend->comm, &here));
  OVK_TRY(ovk__spins(ctx, backend->comm, here, &spins));
  OVK_TRY(ovk__latency_read(ctx, backend->spec, &latency));
  OVK_NEW_AT(ctx, backend->state, emulated_network, network);
  network->latency = latency;
  network->spins = spins;
  return OVK_OK;
}

static void latency_close(ovk_backend *backend)
{
  free(backend->state);
}

static ovk_err latency_prepare(ovk_sum *sum)
{
  ovk_ctx *ctx = sum->backend->ctx;
  OVK_NEW_AT(ctx, sum->request, request, reduction);
  reduction->ctx = ctx;
  return OVK_OK;
}

static void latency_release(ovk_sum *sum)
{
  free(sum->request);
}

static ovk_err latency_begin(ovk_sum *sum)
{
  emulated_network *n = sum->backend->state;
  request *r = sum->request;
  const int64_t latency = ovk__latency_of(&n->latency, ovk_ctx_rank(r->ctx), n->begun++);
  r->arrived = false;
  r->due = ovk__clock_ns() + latency;
  return ovk_reduction_begin(sum->inner);
}

/* Reads the clock only when the inner reduction is complete. */
static ovk_err latency_test(ovk_sum *sum, bool *complete)
{
  request *r = sum->request;
  if (!r->arrived) {
    OVK_TRY(ovk_reduction_test(sum->inner, &r->arrived));
    if (!r->arrived) return OVK_OK;
    OVK_TRY(ovk_reduction_wait(sum->inner)); /* ends it */
  }
  *complete = ovk__clock_ns() >= r->due;
  return OVK_OK;
}

/* Latencies are long, so MPI progress runs here more often than in ovk__wait(). */
static int poll_clock(void *self, bool *complete)
{
  request *r = self;
  *complete = ovk__clock_ns() >= r->due;
  if (!*complete) ovk__on_empty_poll(r->ctx, &r->empty_polls);
  return MPI_SUCCESS;
}

static ovk_err latency_wait(ovk_sum *sum)
{
  const emulated_network *n = sum->backend->state;
  request *r = sum->request;
  if (!r->arrived) OVK_TRY(ovk_reduction_wait(sum->inner));
  r->arrived = true;
  (void)ovk__wait(r->ctx, n->spins, poll_clock, r);
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_emulate_latency = {
    .name = "emulate-latency",
    .aliases = "delay",
    .summary = "emulated network latency, added to the reductions of SPEC: emulate-latency|SPEC",
    .keys = options,
    .decorates = true,
    .begins_at_once = true,
    .begin = latency_begin,
    .test = latency_test,
    .open = latency_open,
    .close = latency_close,
    .prepare = latency_prepare,
    .release = latency_release,
    .wait = latency_wait,
};
