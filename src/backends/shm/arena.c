/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared windows and their slots. */
#include "backends/shm/arena.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PART = 128, MOST_SLOTS = 64, ARENA_BYTES = 256 << 10 };

/* Parts come in powers of two, so that slots are used again by sums of other sizes, and have two
 * cache lines at least: one for each half. */
static size_t round_up(size_t part)
{
  size_t size = LEAST_PART;
  while (size < part) size *= 2;
  return size;
}

static ovk_err make_lists(const ovk__arenas *arenas, ovk__arena *a)
{
  OVK_NEW_ZEROS(arenas->ctx, a->segments, arenas->size);
  OVK_NEW_ZEROS(arenas->ctx, a->generations, a->nslots);
  return OVK_OK;
}

static ovk_err make_window(const ovk__arenas *arenas, ovk__arena *a)
{
  ovk_ctx *ctx = arenas->ctx;
  const MPI_Aint bytes = (MPI_Aint)(a->part * (size_t)a->nslots);
  char *own;
  MPI_Info info;
  OVK_TRY_MPI(ctx, MPI_Info_create(&info));
  OVK_TRY_MPI(ctx, MPI_Info_set(info, "alloc_shared_noncontig", "true"));
  OVK_TRY_MPI(ctx, MPI_Win_allocate_shared(bytes, 1, info, arenas->comm, &own, &a->window));
  OVK_TRY_MPI(ctx, MPI_Info_free(&info));
  OVK_TRY_MPI(ctx, MPI_Win_lock_all(MPI_MODE_NOCHECK, a->window));
  memset(own, 0, (size_t)bytes);
  for (int rank = 0; rank < arenas->size; rank++) {
    MPI_Aint size;
    int unit;
    OVK_TRY_MPI(ctx, MPI_Win_shared_query(a->window, rank, &size, &unit, &a->segments[rank]));
  }
  OVK_TRY_MPI(ctx, MPI_Win_sync(a->window));
  OVK_TRY_MPI(ctx, MPI_Barrier(arenas->comm)); /* nobody writes before all have cleared theirs */
  return OVK_OK;
}

static void free_lists(ovk__arena *a)
{
  free(a->segments);
  free(a->generations);
}

/* A new arena at the end of the list. */
static ovk_err add_arena(ovk__arenas *arenas, size_t part)
{
  ovk__arena *a = &arenas->list[arenas->n];
  const size_t fit = ARENA_BYTES / part;
  *a = (ovk__arena){.part = part, .nslots = fit > MOST_SLOTS ? MOST_SLOTS : fit ? (int)fit : 1};
  ovk_err err = ovk__agree(arenas->ctx, make_lists(arenas, a));
  if (!err) err = make_window(arenas, a);
  if (err) {
    free_lists(a);
  } else {
    arenas->n++;
  }
  return err;
}

/* The first slot that is free on all ranks, from arena `from` on. */
static ovk_err find_slot(ovk__arenas *arenas, size_t part, int from, const uint64_t *used,
                         ovk__slot *slot)
{
  for (int k = from; k < arenas->n; k++) {
    ovk__arena *a = &arenas->list[k];
    for (int s = 0; s < a->nslots && a->part == part; s++) {
      if (used[k] >> s & 1) continue;
      a->used |= (uint64_t)1 << s;
      *slot = (ovk__slot){a, s};
      return OVK_OK;
    }
  }
  return OVK_ERR_RANGE;
}

ovk_err ovk__slot_take(ovk__arenas *arenas, size_t part, bool failed, ovk__slot *slot)
{
  ovk_ctx *ctx = arenas->ctx;
  *slot = (ovk__slot){NULL, 0};
  uint64_t used[OVK__MAX_ARENAS + 1] = {0}; /* and a last word: some rank has failed */
  for (int k = 0; k < arenas->n; k++) used[k] = arenas->list[k].used;
  used[OVK__MAX_ARENAS] = failed;
  OVK_TRY_MPI(ctx, MPI_Allreduce(MPI_IN_PLACE, used, OVK__MAX_ARENAS + 1, MPI_UINT64_T, MPI_BOR,
                                 arenas->comm));
  if (used[OVK__MAX_ARENAS]) return OVK_OK;
  const size_t rounded = round_up(part);
  if (find_slot(arenas, rounded, 0, used, slot) == OVK_OK) return OVK_OK;
  OVK_CHECK(arenas->n < OVK__MAX_ARENAS, ctx, OVK_ERR_RANGE,
            "more sums than %d shared windows have room for", OVK__MAX_ARENAS);
  OVK_TRY(add_arena(arenas, rounded));
  return find_slot(arenas, rounded, arenas->n - 1, used, slot);
}

void ovk__slot_release(ovk__slot *slot)
{
  slot->arena->used &= ~((uint64_t)1 << slot->number);
}

void *ovk__slot_part(const ovk__slot *slot, int rank)
{
  return slot->arena->segments[rank] + slot->arena->part * (size_t)slot->number;
}

void ovk__arenas_free(ovk__arenas *arenas)
{
  for (int k = 0; k < arenas->n; k++) {
    ovk__arena *a = &arenas->list[k];
    MPI_Win_unlock_all(a->window);
    MPI_Win_free(&a->window);
    free_lists(a);
  }
  arenas->n = 0;
}
