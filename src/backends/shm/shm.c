/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "shm": all ranks on one node, one step. Each rank writes its values and a generation
 * number into its own area of a shared slot, reads those of the others once their numbers match,
 * and adds up in the order of ranks. Two places alternate: a rank can begin generation g + 1 while
 * others still read generation g, and does not overwrite a place before all have read it, since
 * completing the generation in between needs their next values. The schedule
 * nbc:alg=flat,channel=shm does the same; this backend does it without copies and rounds, 10 %
 * faster for one double. */
#include "comm/engine/channels/channel.h"
#include "core/context/mem.h"
#include "core/job.h"
#include "core/node/node.h"

#include <ovkrylov/plugin/backend.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One of the two places in a rank's area of a slot. It starts on a cache line, which the first
 * values share with the generation number, so that a small reduction costs one cache miss per
 * rank. */
typedef struct place {
  _Atomic uint64_t generation; /* generation of the values */
  double values[];
} place;

/* The request of a reduction. */
typedef struct request {
  ovk__slot slot;
  place **places; /* two of each rank: [2 rank + generation % 2] */
  uint64_t generation;
  int arrived; /* ranks whose values of this generation have arrived: 0 to arrived - 1 */
} request;

static ovk_err shm_open_node(ovk_backend *backend)
{
  ovk_ctx *ctx = backend->ctx;
  ovk__node *node;
  OVK_TRY(ovk__node_find(ctx, &node));
  OVK_CHECK(ovk__node_has_all(node), ctx, OVK_ERR_UNSUPPORTED,
            "shm needs all ranks on one node: rank %d shares memory with %d of %d",
            ovk_ctx_rank(ctx), node->arenas.size, ovk_ctx_size(ctx));
  backend->state = node;
  return OVK_OK;
}

static ovk_err shm_make_request(const ovk_sum *sum, int size, request **out)
{
  OVK_NEW_AT(sum->backend->ctx, *out, request, reduction);
  OVK_NEW_ARRAY(sum->backend->ctx, reduction->places, 2 * (size_t)size);
  return OVK_OK;
}

static void shm_free_request(request *r)
{
  if (r) free(r->places);
  free(r);
}

/* Sets the places of all ranks, `half` bytes each; they are zero, which is no generation's number.
 */
static void shm_find_places(request *r, int size, size_t half)
{
  for (int rank = 0; rank < size; rank++) {
    char *area = ovk__slot_area(&r->slot, rank);
    place **both = r->places + 2 * (size_t)rank;
    both[0] = (place *)area;
    both[1] = (place *)(area + half);
  }
}

static ovk_err shm_prepare(ovk_sum *sum)
{
  ovk__node *n = sum->backend->state;
  request *r = NULL;
  ovk__slot slot;
  ovk_err err = shm_make_request(sum, n->arenas.size, &r);
  bool failed = err != OVK_OK;
  const size_t half = ovk__send_copy_stride(sizeof(place) + (size_t)sum->count * sizeof(double));
  const ovk_err taken = ovk__slot_take(&n->arenas, 2 * half, &failed, &slot);
  if (!err) err = taken;
  if (err || failed) {
    shm_free_request(r);
    return err;
  }
  r->slot = slot;
  shm_find_places(r, n->arenas.size, half);
  sum->request = r;
  return OVK_OK;
}

static void shm_release(ovk_sum *sum)
{
  request *r = sum->request;
  if (!r) return; /* prepare failed on another rank */
  ovk__slot_release(&r->slot);
  shm_free_request(r);
}

static place *shm_place(const request *r, int rank)
{
  return r->places[2 * (size_t)rank + (r->generation & 1)];
}

static ovk_err shm_begin(ovk_sum *sum)
{
  const ovk__node *n = sum->backend->state;
  request *r = sum->request;
  r->generation++;
  r->arrived = 0;
  place *own = shm_place(r, n->arenas.rank);
  memcpy(own->values, sum->values, (size_t)sum->count * sizeof *own->values);
  /* Pairs with the load in shm_test_arrived(): a rank that sees the number sees the values, and
   * this rank has read all of the previous generation before it. */
  atomic_store_explicit(&own->generation, r->generation, memory_order_release);
  return OVK_OK;
}

/* The place of a rank's values. This rank reads its own from the request: reading them from shared
 * memory, just written, would fetch the line back from its readers, which takes as long as the
 * reduction. */
static const double *shm_part(const ovk_sum *sum, int rank)
{
  const ovk__node *n = sum->backend->state;
  return rank == n->arenas.rank ? sum->values : shm_place(sum->request, rank)->values;
}

/* values <- the sum of all ranks' values, in the order of ranks; all have arrived. */
static void shm_add_up(ovk_sum *sum, int size)
{
  for (int i = 0; i < sum->count; i++) {
    double total = shm_part(sum, 0)[i];
    for (int rank = 1; rank < size; rank++) total += shm_part(sum, rank)[i];
    sum->values[i] = total;
  }
}

static int shm_test_arrived(void *self, bool *complete)
{
  ovk_sum *sum = self;
  const ovk__node *n = sum->backend->state;
  request *r = sum->request;
  for (; r->arrived < n->arenas.size; r->arrived++) {
    if (r->arrived == n->arenas.rank) continue;
    const place *p = shm_place(r, r->arrived);
    /* Pairs with the store in shm_begin(): shm_add_up() sees the values of this generation. */
    if (atomic_load_explicit(&p->generation, memory_order_acquire) != r->generation) {
      return MPI_SUCCESS;
    }
  }
  shm_add_up(sum, n->arenas.size);
  *complete = true;
  return MPI_SUCCESS;
}

static ovk_err shm_test(ovk_sum *sum, bool *complete)
{
  (void)shm_test_arrived(sum, complete); /* cannot fail */
  return OVK_OK;
}

static ovk_err shm_wait(ovk_sum *sum)
{
  const ovk__node *n = sum->backend->state;
  (void)ovk__wait(sum->backend->ctx, n->spins, shm_test_arrived, sum);
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_shm = {
    .name = "shm",
    .summary = "shared memory, for ranks of one node",
    .begins_at_once = true,
    .begin = shm_begin,
    .test = shm_test,
    .open = shm_open_node,
    .prepare = shm_prepare,
    .release = shm_release,
    .wait = shm_wait,
    .needs_no_comm = true,
};
