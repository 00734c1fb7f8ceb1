/* SPDX-License-Identifier: BSD-2-Clause */
/* Wires: written by one rank, read by others, with a number that tells which generation is there.
 */
#include "engine/wires.h"
#include "core/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A small message shares its cache line with the number, so that it costs one line. */
typedef struct ovk__line {
  _Atomic uint64_t number; /* of the generation that is there */
  char data[];
} line;

/* What a rank's part of a slot begins with, alone in its cache line. */
typedef struct ovk__head {
  _Atomic uint64_t finished; /* generations that this rank has come to the end of */
  char padding[56];
} head;

static ovk_err check_peers(const ovk__engine *e, const ovk__schedule *s)
{
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (a->kind != OVK__SEND && a->kind != OVK__RECEIVE) continue;
    if (a->channel != OVK__SHM) continue;
    OVK_CHECK(ovk__engine_node_rank(e, a->peer) != MPI_UNDEFINED, e->ctx, OVK_ERR_UNSUPPORTED,
              "channel=shm between ranks %d and %d, which share no memory", ovk_ctx_rank(e->ctx),
              a->peer);
  }
  return OVK_OK;
}

static void list_inlets(const ovk__schedule *s, const ovk__buffers *buffers, ovk__wires *w)
{
  int n = 0;
  for (int r = 0; r < s->nrounds; r++) {
    const ovk__round round = s->rounds[r];
    w->first_inlet[r] = n;
    for (int k = round.first; k < round.first + round.nmessages; k++) {
      const ovk__action *a = &s->actions[k];
      if (!ovk__is_message(a, OVK__RECEIVE, OVK__SHM)) continue;
      w->inlets[n++] =
          (ovk__inlet){.to = ovk__buffers_at(buffers, a->to), .bytes = a->count * buffers->element};
    }
  }
  w->first_inlet[s->nrounds] = n;
}

ovk_err ovk__wires_make(const ovk__engine *engine, const ovk__schedule *schedule,
                        const ovk__buffers *buffers, ovk__wires *out)
{
  ovk_ctx *ctx = engine->ctx;
  const int nsends = ovk__count_messages(schedule, OVK__SEND, OVK__SHM);
  *out = (ovk__wires){0};
  OVK_TRY(check_peers(engine, schedule));
  OVK_TRY(ovk__letters_make(ctx, schedule, OVK__SHM, buffers, sizeof(line), &out->letters));
  out->ninlets = ovk__count_messages(schedule, OVK__RECEIVE, OVK__SHM);
  OVK_NEW_ARRAY(ctx, out->inlets, out->ninlets);
  OVK_NEW_ARRAY(ctx, out->first_inlet, schedule->nrounds + 1);
  OVK_NEW_ARRAY(ctx, out->readers, nsends);
  OVK_NEW_ARRAY(ctx, out->requests, nsends);
  list_inlets(schedule, buffers, out);
  return OVK_OK;
}

void ovk__wires_free(ovk__wires *wires)
{
  if (wires->slot.arena) ovk__slot_release(&wires->slot);
  ovk__letters_free(&wires->letters);
  free(wires->inlets);
  free(wires->first_inlet);
  free(wires->readers);
  free(wires->requests);
}

size_t ovk__wires_part(const ovk__wires *wires)
{
  return wires->letters.bytes || wires->ninlets ? sizeof(head) + wires->letters.bytes : 0;
}

/* Tells receivers where the wires are; *ntold: how many of them, whatever happens. */
static ovk_err tell(const ovk__engine *e, const ovk__schedule *s, int tag, ovk__wires *w,
                    int *ntold)
{
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (!ovk__is_message(a, OVK__SEND, OVK__SHM)) continue;
    const ovk__letter *letter = &w->letters.list[w->letters.of_send[*ntold]];
    const int to = ovk__engine_node_rank(e, a->peer);
    if (!s->barrier) w->readers[w->nreaders++] = ovk__slot_part(&w->slot, to);
    OVK_TRY_MPI(e->ctx, MPI_Isend(&letter->offset, sizeof letter->offset, MPI_BYTE, to, tag,
                                  e->node, &w->requests[*ntold]));
    ++*ntold;
  }
  return OVK_OK;
}

/* Is told where wires are. Letters from the same sender come in the order of rounds. */
static ovk_err learn(const ovk__engine *e, const ovk__schedule *s, int tag, ovk__wires *w)
{
  ovk__inlet *inlet = w->inlets;
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (!ovk__is_message(a, OVK__RECEIVE, OVK__SHM)) continue;
    const int from = ovk__engine_node_rank(e, a->peer);
    size_t offset;
    OVK_TRY_MPI(e->ctx,
                MPI_Recv(&offset, sizeof offset, MPI_BYTE, from, tag, e->node, MPI_STATUS_IGNORE));
    const char *place = (char *)ovk__slot_part(&w->slot, from) + sizeof(head) + offset;
    inlet->line[0] = (const line *)place;
    inlet->line[1] = (const line *)(place + ovk__letter_stride(sizeof(line) + inlet->bytes));
    inlet++;
  }
  return OVK_OK;
}

ovk_err ovk__wires_connect(const ovk__engine *engine, const ovk__schedule *schedule,
                           const ovk__slot *slot, int tag, ovk__wires *wires)
{
  int ntold = 0;
  wires->slot = *slot;
  wires->own = ovk__slot_part(slot, engine->arenas.rank);
  ovk_err err = tell(engine, schedule, tag, wires, &ntold);
  if (!err) err = learn(engine, schedule, tag, wires);
  /* After a failure, too: what is sent is in the letters, which are freed then. */
  const int code = MPI_Waitall(ntold, wires->requests, MPI_STATUSES_IGNORE);
  if (!err && code) err = ovk__fail_mpi(engine->ctx, code, __FILE__, __LINE__, "MPI_Waitall");
  return err;
}

bool ovk__wires_ready(const ovk__wires *wires, uint64_t generation)
{
  for (int k = 0; k < wires->nreaders; k++) {
    const uint64_t finished =
        atomic_load_explicit(&wires->readers[k]->finished, memory_order_acquire);
    if (finished + 2 < generation) return false;
  }
  return true;
}

void ovk__wires_start(ovk__wires *wires, int round, uint64_t generation)
{
  wires->arrived = wires->first_inlet[round];
  for (int k = wires->letters.first[round]; k < wires->letters.first[round + 1]; k++) {
    const ovk__letter *letter = &wires->letters.list[k];
    char *place = (char *)(wires->own + 1) + letter->offset;
    line *l = (line *)(generation & 1 ? place + letter->stride : place);
    if (letter->bytes) memcpy(l->data, letter->from, letter->bytes);
    atomic_store_explicit(&l->number, generation, memory_order_release);
  }
}

bool ovk__wires_test(ovk__wires *wires, int round, uint64_t generation)
{
  for (; wires->arrived < wires->first_inlet[round + 1]; wires->arrived++) {
    const ovk__inlet *inlet = &wires->inlets[wires->arrived];
    const line *l = inlet->line[generation & 1];
    if (atomic_load_explicit(&l->number, memory_order_acquire) != generation) return false;
    if (inlet->bytes) memcpy(inlet->to, l->data, inlet->bytes);
  }
  return true;
}

void ovk__wires_finish(ovk__wires *wires, uint64_t generation)
{
  atomic_store_explicit(&wires->own->finished, generation, memory_order_release);
}
