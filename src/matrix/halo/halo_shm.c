/* SPDX-License-Identifier: BSD-2-Clause */
/* Halo exchange through the memory that ranks of a node share, and by p2p with other nodes. A rank
 * packs its rows into a place in its own area and then writes the number of the exchange; the
 * receiver copies them once the number is there. Two places alternate. The place of exchange g - 2
 * is free in exchange g if the receiver sends as well: it sent its rows of exchange g - 1, which
 * this rank has received, after it had copied. Other ranks report the exchange that they have
 * read. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/job.h"
#include "core/node/node.h"
#include "matrix/halo/halo_impl.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

/* It starts on a cache line, which the first values share with the number. */
typedef struct place {
  _Atomic uint64_t number; /* of the exchange that the values are of */
  double values[];
} place;

/* The start of a rank's area. Places follow, on cache lines. */
typedef struct head {
  _Atomic uint64_t read; /* this rank has read all rows of this exchange; alone in its line */
  char padding[LINE - sizeof(uint64_t)];
  _Atomic uint64_t places[]; /* [rank on the node]: where its two places begin in this area */
} head;

/* Rows from or to a rank on this node. */
typedef struct message {
  size_t first, count; /* in the ghosts, or in the list of rows to send */
  int peer;            /* its rank on the node */
  place *places[2];    /* of odd and even exchanges, in the sender's area */
} message;

struct ovk__halo_near {
  ovk__node *node;
  ovk__slot slot;
  head *own; /* of this rank's area; NULL: it has none */
  int nreceives, nsends, nreaders;
  message *receives, *sends;
  head **readers;  /* of ranks that this one sends to, but does not receive from */
  uint64_t number; /* of the last exchange that has begun */
  int arrived;     /* receives that are complete */
};

static size_t whole_lines(size_t bytes)
{
  return (bytes + LINE - 1) / LINE * LINE;
}

static size_t halo_shm_place_bytes(const ovk__halo *halo, const message *m)
{
  return whole_lines(sizeof(place) + m->count * (size_t)halo->width * sizeof(double));
}

/* Lists the messages whose other end is on this node. */
static int halo_shm_list_near(const ovk__halo_near *n, const ovk__neighbor_messages *all,
                              message *list)
{
  size_t first = 0;
  int found = 0;
  for (int k = 0; k < all->n; k++) {
    const size_t count = (size_t)all->list[k].count;
    const int peer = ovk__node_rank(n->node, all->list[k].rank);
    if (peer >= 0) list[found++] = (message){.first = first, .count = count, .peer = peer};
    first += count;
  }
  return found;
}

static ovk_err halo_shm_make(ovk__halo *halo, ovk__node *node,
                             const ovk__neighbor_messages *receives,
                             const ovk__neighbor_messages *sends)
{
  ovk_ctx *ctx = halo->ctx;
  ovk__halo_near *n = halo->near = calloc(1, sizeof *n);
  OVK_CHECK(n, ctx, OVK_ERR_MEMORY, "no memory for a halo exchange");
  n->node = node;
  OVK_NEW_ARRAY(ctx, n->receives, receives->n);
  OVK_NEW_ARRAY(ctx, n->sends, sends->n);
  OVK_NEW_ARRAY(ctx, n->readers, sends->n);
  n->nreceives = halo_shm_list_near(n, receives, n->receives);
  n->nsends = halo_shm_list_near(n, sends, n->sends);
  return OVK_OK;
}

/* Bytes of the area before the places. */
static size_t head_bytes(const ovk__halo_near *n)
{
  return whole_lines(sizeof(head) + (size_t)n->node->arenas.size * sizeof(uint64_t));
}

static ovk_err halo_shm_take_slot(ovk__halo *halo)
{
  ovk__halo_near *n = halo->near;
  const bool any = n->nreceives || n->nsends;
  size_t bytes = any ? head_bytes(n) : 0;
  bool failed = false;
  for (int k = 0; k < n->nsends; k++) bytes += 2 * halo_shm_place_bytes(halo, &n->sends[k]);
  OVK_TRY(ovk__slot_take(&n->node->arenas, bytes, &failed, &n->slot));
  if (n->slot.arena && any) n->own = ovk__slot_area(&n->slot, n->node->arenas.rank);
  return OVK_OK; /* where `failed`, another rank returns the error */
}

static void halo_shm_set_places(const ovk__halo *halo, head *area, uint64_t at, message *m)
{
  m->places[0] = (place *)((char *)area + at);
  m->places[1] = (place *)((char *)area + at + halo_shm_place_bytes(halo, m));
}

/* Publishes the positions of the places for their receivers. */
static void lay_out(const ovk__halo *halo)
{
  ovk__halo_near *n = halo->near;
  uint64_t at = head_bytes(n);
  for (int k = 0; k < n->nsends; k++) {
    message *m = &n->sends[k];
    halo_shm_set_places(halo, n->own, at, m);
    atomic_store_explicit(&n->own->places[m->peer], at, memory_order_release);
    at += 2 * halo_shm_place_bytes(halo, m);
  }
}

static bool receives_from(const ovk__halo_near *n, int peer)
{
  for (int k = 0; k < n->nreceives; k++) {
    if (n->receives[k].peer == peer) return true;
  }
  return false;
}

/* Finds the places of other ranks, after all of them have laid out theirs. */
static void halo_shm_connect(const ovk__halo *halo)
{
  ovk__halo_near *n = halo->near;
  const int own = n->node->arenas.rank;
  for (int k = 0; k < n->nreceives; k++) {
    message *m = &n->receives[k];
    head *area = ovk__slot_area(&n->slot, m->peer);
    halo_shm_set_places(halo, area, atomic_load_explicit(&area->places[own], memory_order_acquire),
                        m);
  }
  for (int k = 0; k < n->nsends; k++) {
    const int peer = n->sends[k].peer;
    if (!receives_from(n, peer)) n->readers[n->nreaders++] = ovk__slot_area(&n->slot, peer);
  }
}

static ovk_err halo_shm_prepare(ovk__halo *halo, const ovk__neighbor_messages *receives,
                                const ovk__neighbor_messages *sends)
{
  ovk_ctx *ctx = halo->ctx;
  ovk__node *node;
  OVK_TRY(ovk__node_find(ctx, &node));
  OVK_TRY(ovk__agree(ctx, halo_shm_make(halo, node, receives, sends)));
  OVK_TRY(ovk__agree(ctx, halo_shm_take_slot(halo)));
  lay_out(halo);
  OVK_TRY(ovk__agree(ctx, OVK_OK)); /* a barrier */
  halo_shm_connect(halo);
  return ovk__halo_p2p.prepare(halo, receives, sends);
}

bool ovk__halo_is_near(const ovk__halo *halo, int rank)
{
  return halo->near && ovk__node_rank(halo->near->node, rank) >= 0;
}

size_t ovk__halo_near_rows(const ovk__halo *halo)
{
  size_t rows = 0;
  for (int k = 0; halo->near && k < halo->near->nsends; k++) rows += 2 * halo->near->sends[k].count;
  return rows;
}

static void halo_shm_release(ovk__halo *halo)
{
  ovk__halo_near *n = halo->near;
  ovk__halo_p2p.release(halo);
  if (!n) return;
  if (n->slot.arena) ovk__slot_release(&n->slot);
  free(n->receives);
  free(n->sends);
  free(n->readers);
  free(n);
  halo->near = NULL;
}

/* An ovk__advance: whether the places of this exchange may be written. */
static int halo_shm_look_at_readers(void *self, bool *complete)
{
  const ovk__halo_near *n = ((const ovk__halo *)self)->near;
  *complete = true;
  for (int k = 0; k < n->nreaders && *complete; k++) {
    /* Pairs with halo_shm_end(): the rows of exchange number - 2 have been read. */
    *complete = atomic_load_explicit(&n->readers[k]->read, memory_order_acquire) + 2 >= n->number;
  }
  return MPI_SUCCESS;
}

static ovk_err halo_shm_begin(ovk__halo *halo, ovk__halo_values x)
{
  ovk__halo_near *n = halo->near;
  OVK_TRY(ovk__halo_p2p.begin(halo, x)); /* first, as these messages take longer */
  n->number++;
  n->arrived = 0;
  if (n->nreaders) (void)ovk__wait(halo->ctx, n->node->few_spins, halo_shm_look_at_readers, halo);
  for (int k = 0; k < n->nsends; k++) {
    const message *m = &n->sends[k];
    place *to = m->places[n->number & 1];
    ovk__halo_pack(halo, x, m->first, m->count, to->values);
    /* Pairs with halo_shm_look(): a rank that sees the number sees the rows, and this rank has
     * copied all rows of the exchange before. */
    atomic_store_explicit(&to->number, n->number, memory_order_release);
  }
  return OVK_OK;
}

/* An ovk__advance: copies rows that have arrived. */
static int halo_shm_look(void *self, bool *complete)
{
  ovk__halo *halo = self;
  ovk__halo_near *n = halo->near;
  const size_t width = (size_t)halo->width;
  *complete = false;
  for (; n->arrived < n->nreceives; n->arrived++) {
    const message *m = &n->receives[n->arrived];
    const place *from = m->places[n->number & 1];
    /* Pairs with halo_shm_begin(). */
    if (atomic_load_explicit(&from->number, memory_order_acquire) != n->number) return MPI_SUCCESS;
    memcpy(halo->ghosts + m->first * width, from->values, m->count * width * sizeof(double));
  }
  *complete = true;
  return MPI_SUCCESS;
}

static void halo_shm_progress(ovk__halo *halo)
{
  bool complete;
  (void)halo_shm_look(halo, &complete);
  ovk__halo_p2p.progress(halo);
}

static ovk_err halo_shm_end(ovk__halo *halo)
{
  const ovk__halo_near *n = halo->near;
  (void)ovk__wait(halo->ctx, n->node->few_spins, halo_shm_look, halo);
  /* Pairs with halo_shm_look_at_readers(). */
  if (n->own) atomic_store_explicit(&n->own->read, n->number, memory_order_release);
  return ovk__halo_p2p.end(halo);
}

const ovk__halo_transport ovk__halo_shm = {.prepare = halo_shm_prepare,
                                           .release = halo_shm_release,
                                           .begin = halo_shm_begin,
                                           .progress = halo_shm_progress,
                                           .end = halo_shm_end};
