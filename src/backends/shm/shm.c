/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "shm": all ranks on one node, one step. Each rank writes its parts and a generation
 * number into its own part of a shared slot, reads those of the others when their numbers say so,
 * and adds up in the order of ranks. Two places take turns: a rank can begin again while others
 * still read, and cannot come round to a place before all have read it, as that needs their next
 * parts. The schedule nbc:alg=flat,channel=shm does the same; this is it without copies and rounds,
 * a tenth quicker for one double. */
#include "core/mem.h"
#include "engine/arena.h"
#include "engine/job.h"
#include "engine/topology.h"

#include <ovkrylov/backend.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One of the two places in a rank's part of a slot: it starts on a cache line, and a few values
 * share that line with the number, so that a small sum costs one line a rank. */
typedef struct place {
  _Atomic uint64_t generation; /* of the values that are there */
  double values[];
} place;

typedef struct node {
  ovk__arenas arenas;
  int spins; /* tests between two yields while waiting */
} node;

/* What a sum's request points to. */
typedef struct request {
  ovk__slot slot;
  place **places; /* both of each rank: [2 rank + generation % 2] */
  uint64_t generation;
  int arrived; /* ranks whose parts of this generation have been seen, from 0 on */
} request;

static ovk_err open_node(ovk_backend *backend)
{
  ovk_ctx *ctx = backend->ctx;
  int here = 0;
  OVK_TRY(ovk__topology_node_size(ctx, backend->comm, &here));
  const int size = ovk_ctx_size(ctx);
  OVK_CHECK(here == size, ctx, OVK_ERR_UNSUPPORTED,
            "shm needs all ranks on one node: rank %d shares memory with %d of %d",
            ovk_ctx_rank(ctx), here, size);
  node *n = calloc(1, sizeof *n);
  OVK_CHECK(n, ctx, OVK_ERR_MEMORY, "no memory for shared memory's lists");
  n->spins = ovk__spins(size);
  ovk__arenas_init(ctx, backend->comm, &n->arenas);
  backend->state = n;
  return OVK_OK;
}

static void close_node(ovk_backend *backend)
{
  node *n = backend->state;
  ovk__arenas_free(&n->arenas);
  free(n);
}

static ovk_err make_request(const ovk_sum *sum, int size, request **out)
{
  request *r = calloc(1, sizeof *r);
  OVK_CHECK(r, sum->backend->ctx, OVK_ERR_MEMORY, "no memory for a reduction");
  *out = r;
  OVK_NEW_ARRAY(sum->backend->ctx, r->places, 2 * (size_t)size);
  return OVK_OK;
}

static void free_request(request *r)
{
  if (r) free(r->places);
  free(r);
}

/* The places of all ranks; a slot is all zeros, which is no generation's number. */
static void find_places(request *r, int size)
{
  const size_t half = r->slot.arena->part / 2;
  for (int rank = 0; rank < size; rank++) {
    char *part = ovk__slot_part(&r->slot, rank);
    place **both = r->places + 2 * (size_t)rank;
    both[0] = (place *)part;
    both[1] = (place *)(part + half);
  }
}

static ovk_err prepare(ovk_sum *sum)
{
  node *n = sum->backend->state;
  request *r = NULL;
  ovk__slot slot;
  ovk_err err = make_request(sum, n->arenas.size, &r);
  bool failed = err != OVK_OK;
  const size_t bytes = sizeof(place) + (size_t)sum->count * sizeof(double);
  const ovk_err taken = ovk__slot_take(&n->arenas, 2 * bytes, &failed, &slot);
  if (!err) err = taken;
  if (err || failed) {
    free_request(r);
    return err;
  }
  r->slot = slot;
  find_places(r, n->arenas.size);
  sum->request = r;
  return OVK_OK;
}

static void release(ovk_sum *sum)
{
  request *r = sum->request;
  if (!r) return; /* another rank could not prepare */
  ovk__slot_release(&r->slot);
  free_request(r);
}

static place *place_of(const request *r, int rank)
{
  return r->places[2 * (size_t)rank + (r->generation & 1)];
}

static ovk_err begin(ovk_sum *sum)
{
  const node *n = sum->backend->state;
  request *r = sum->request;
  r->generation++;
  r->arrived = 0;
  place *own = place_of(r, n->arenas.rank);
  memcpy(own->values, sum->values, (size_t)sum->count * sizeof *own->values);
  atomic_store_explicit(&own->generation, r->generation, memory_order_release);
  return OVK_OK;
}

/* Where a rank's values are. The own ones are still the sum's: a look at what this rank has just
 * written would fetch the line back from those who read it, which takes as long as the sum. */
static const double *part_of(const ovk_sum *sum, int rank)
{
  const node *n = sum->backend->state;
  return rank == n->arenas.rank ? sum->values : place_of(sum->request, rank)->values;
}

/* All parts are there: values <- their sum, in the order of ranks. */
static void add_up(ovk_sum *sum, int size)
{
  for (int i = 0; i < sum->count; i++) {
    double total = part_of(sum, 0)[i];
    for (int rank = 1; rank < size; rank++) total += part_of(sum, rank)[i];
    sum->values[i] = total;
  }
}

static int look(void *self, bool *complete)
{
  ovk_sum *sum = self;
  const node *n = sum->backend->state;
  request *r = sum->request;
  for (; r->arrived < n->arenas.size; r->arrived++) {
    if (r->arrived == n->arenas.rank) continue;
    const place *p = place_of(r, r->arrived);
    if (atomic_load_explicit(&p->generation, memory_order_acquire) != r->generation) {
      return MPI_SUCCESS;
    }
  }
  add_up(sum, n->arenas.size);
  *complete = true;
  return MPI_SUCCESS;
}

static ovk_err test(ovk_sum *sum, bool *complete)
{
  (void)look(sum, complete); /* memory does not fail */
  return OVK_OK;
}

static ovk_err wait(ovk_sum *sum)
{
  const node *n = sum->backend->state;
  (void)ovk__wait(sum->backend->ctx, n->spins, look, sum);
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_shm = {
    .name = "shm",
    .summary = "shared memory of one node, in one step",
    .begin = begin,
    .test = test,
    .open = open_node,
    .close = close_node,
    .prepare = prepare,
    .release = release,
    .wait = wait,
};
